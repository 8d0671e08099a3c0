package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseSettings reads what Settings.String writes: "depth 3", "depth by empty >12:2 >7:3 else 7",
// "depth by distinct -2 least 3 p 0.0001". Any other spelling is an error: a text names one rule.
func ParseSettings(text string) (Settings, error) {
	s, ok := parseSettings(strings.Split(text, " "))
	if ok && s.Validate() == nil && s.String() == text {
		return s, nil
	}
	return Settings{}, fmt.Errorf("search: want a text such as %q, %q or %q, got %.80q",
		"depth 3", "depth by empty >7:3 else 5", "depth by distinct -2 least 3 p 0.0001", text)
}

func parseSettings(words []string) (s Settings, ok bool) {
	if len(words) == 1 && words[0] == "bot" {
		return BotSettings(), true
	}
	if n := len(words); n > 2 && words[n-2] == "p" {
		p, err := strconv.ParseFloat(words[n-1], 64)
		if err != nil {
			return s, false
		}
		s.MinProbability = p
		words = words[:n-2]
	}
	if len(words) < 2 || words[0] != "depth" {
		return s, false
	}
	if words[1] != "by" {
		n, err := strconv.Atoi(words[1])
		s.Rule.Fixed = n
		return s, err == nil && len(words) == 2
	}
	switch rule := strings.Join(words[1:], " "); {
	case strings.HasPrefix(rule, "by empty "):
		s.Rule.ByEmpty, ok = parseByEmpty(words[3:])
	case strings.HasPrefix(rule, "by distinct "):
		var d DistinctLayers
		n, err := fmt.Sscanf(rule, "by distinct -%d least %d", &d.Minus, &d.Least)
		s.Rule.ByDistinct, ok = &d, n == 2 && err == nil
	}
	return s, ok
}

// parseByEmpty reads the entries ">12:2", ">7:3", "else", "7".
func parseByEmpty(words []string) (rule []EmptyDepth, ok bool) {
	if len(words) < 2 || words[len(words)-2] != "else" {
		return nil, false
	}
	last := len(words) - 2
	for _, w := range append(words[:last:last], ">-1:"+words[last+1]) {
		above, depth, _ := strings.Cut(strings.TrimPrefix(w, ">"), ":")
		var e EmptyDepth
		var errAbove, errDepth error
		e.Above, errAbove = strconv.Atoi(above)
		e.Depth, errDepth = strconv.Atoi(depth)
		if errAbove != nil || errDepth != nil {
			return nil, false
		}
		rule = append(rule, e)
	}
	return rule, true
}
