package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine/key"
)

// MaxDepth is the deepest search a rule may ask for, in plies. A board has at most 15 distinct
// ranks (2 to 32768), so the deepest published rule, distinct - 2 chance layers, asks for 2*13+1.
const MaxDepth = 31

// DepthRule chooses the depth of a board's search in plies, with the chosen move: depth 1 takes the
// value of each afterstate, depth 3 is move, spawn, move; an even depth values boards after a
// spawn. One of three forms is used: ByEmpty if it is not empty, else ByDistinct if it is not nil,
// else Fixed. The two adaptive forms look at the board before the move.
type DepthRule struct {
	Fixed      int             // plies, 1..MaxDepth
	ByEmpty    []EmptyDepth    // by descending Above; the last entry is the fallback with Above -1
	ByDistinct *DistinctLayers // nil: not used
}

// EmptyDepth applies Depth (plies) to boards with more than Above empty cells.
type EmptyDepth struct{ Above, Depth int }

// DistinctLayers searches max(Least, distinct tiles - Minus) chance layers, depth = 2 x layers + 1
// plies, as nneonneo/2048-ai does with Minus 2 and Least 3. Blanks do not count as a tile.
type DistinctLayers struct{ Minus, Least int }

// Depth returns the plies to search from b, between 1 and MaxDepth.
func (r DepthRule) Depth(b Board) int {
	switch {
	case len(r.ByEmpty) > 0:
		fits := func(e EmptyDepth) bool { return b.Empty() > e.Above }
		return r.ByEmpty[slices.IndexFunc(r.ByEmpty, fits)].Depth
	case r.ByDistinct != nil:
		layers := max(r.ByDistinct.Least, b.Distinct()-r.ByDistinct.Minus)
		return min(2*layers+1, MaxDepth)
	default:
		return r.Fixed
	}
}

// Deepest returns the rule's largest depth in plies.
func (r DepthRule) Deepest() int {
	switch {
	case len(r.ByEmpty) > 0:
		return slices.MaxFunc(r.ByEmpty, func(a, b EmptyDepth) int { return cmp.Compare(a.Depth, b.Depth) }).Depth
	case r.ByDistinct != nil:
		return min(2*max(r.ByDistinct.Least, 15-r.ByDistinct.Minus)+1, MaxDepth)
	default:
		return r.Fixed
	}
}

// Settings are the search settings of a player.
type Settings struct {
	Rule DepthRule
	// MinProbability cuts the tree: a chance node reached with a smaller probability (the product
	// of the probabilities of the spawns on the way to it) is valued as a leaf. 0 searches exactly.
	MinProbability float64
	// Bot: the player is a bot, which searches in its own way. Nothing else is set.
	Bot bool
}

// FixedDepth returns the settings of an exact search of the given depth in plies.
func FixedDepth(plies int) Settings { return Settings{Rule: DepthRule{Fixed: plies}} }

// Validate returns an error that names the setting out of range, or nil.
func (s Settings) Validate() error {
	possible := func(depth int) bool { return depth >= 1 && depth <= MaxDepth }
	switch r, d := s.Rule, s.Rule.ByDistinct; {
	case !(s.MinProbability >= 0 && s.MinProbability < 1):
		return fmt.Errorf("min_probability: want a number in [0, 1), got %v", s.MinProbability)
	case s.Bot || len(r.ByEmpty) > 0:
	case d != nil && (d.Minus < 0 || d.Minus > 15 || d.Least < 0 || d.Least > 15):
		return fmt.Errorf("depth_by_distinct: want minus and least from 0 to 15, got %d and %d", d.Minus, d.Least)
	case d == nil && !possible(r.Fixed):
		return fmt.Errorf("depth: want 1 to %d plies, got %d", MaxDepth, r.Fixed)
	}
	for i, e := range s.Rule.ByEmpty {
		wrong := ""
		switch last := i == len(s.Rule.ByEmpty)-1; {
		case !possible(e.Depth) || e.Above < -1 || e.Above > 15:
			wrong = fmt.Sprintf("want above 0 to 15 empty cells a depth of 1 to %d plies, got %d and %d", MaxDepth, e.Above,
				e.Depth)
		case last != (e.Above == -1):
			wrong = "above: want none in the last entry, which is for all other boards, and a number in each other one"
		case i > 0 && e.Above >= s.Rule.ByEmpty[i-1].Above:
			wrong = fmt.Sprintf("above: want fewer empty cells than the entry before (%d), got %d", s.Rule.ByEmpty[i-1].Above,
				e.Above)
		}
		if wrong != "" {
			return fmt.Errorf("depth_by_empty entry %d: %s", i+1, wrong)
		}
	}
	return nil
}

// String returns the canonical short text of the settings, the key of the column "search": "depth
// 3", "depth by empty >12:2 >7:3 else 7", "depth by distinct -2 least 3 p 0.0001", "bot".
func (s Settings) String() string {
	if s.Bot {
		return "bot"
	}
	var t strings.Builder
	switch r := s.Rule; {
	case len(r.ByEmpty) > 0:
		t.WriteString("depth by empty")
		for _, e := range r.ByEmpty {
			if e.Above < 0 {
				fmt.Fprintf(&t, " else %d", e.Depth)
			} else {
				fmt.Fprintf(&t, " >%d:%d", e.Above, e.Depth)
			}
		}
	case r.ByDistinct != nil:
		fmt.Fprintf(&t, "depth by distinct -%d least %d", r.ByDistinct.Minus, r.ByDistinct.Least)
	default:
		fmt.Fprintf(&t, "depth %d", r.Fixed)
	}
	if s.MinProbability > 0 {
		t.WriteString(" p " + strconv.FormatFloat(s.MinProbability, 'g', -1, 64))
	}
	return t.String()
}

// ParseSettings reads what Settings.String writes. Any other spelling is an error: a text names one
// rule.
func ParseSettings(text string) (s Settings, err error) {
	s.Bot = text == "bot"
	rule, p, _ := strings.Cut(text, " p ")
	s.MinProbability, _ = strconv.ParseFloat(p, 64)
	var d DistinctLayers
	if n, _ := fmt.Sscanf(rule, "depth by distinct -%d least %d", &d.Minus, &d.Least); n == 2 {
		s.Rule.ByDistinct = &d
	} else if entries, found := strings.CutPrefix(rule, "depth by empty "); found {
		for _, entry := range strings.Fields(strings.Replace(entries, "else ", ">-1:", 1)) {
			var e EmptyDepth
			fmt.Sscanf(entry, ">%d:%d", &e.Above, &e.Depth)
			s.Rule.ByEmpty = append(s.Rule.ByEmpty, e)
		}
	} else {
		fmt.Sscanf(rule, "depth %d", &s.Rule.Fixed)
	}
	if s.Validate() != nil || s.String() != text { // which has the last word on what was scanned
		return Settings{}, fmt.Errorf("search: want a text such as %q, %q or %q, got %.80q",
			"depth 3", "depth by empty >7:3 else 5", "depth by distinct -2 least 3 p 0.0001", text)
	}
	return s, nil
}

// Keys returns the keys of a search, of which one of the first three is given.
func (s *Settings) Keys() []key.Key {
	return []key.Key{
		{Name: "depth", Doc: "in plies: move, spawn, move is 3", To: &s.Rule.Fixed, Range: key.Between(1, MaxDepth)},
		{Name: "depth_by_empty", Doc: "the first entry whose `above` is below the number of empty cells decides",
			To: &s.Rule.ByEmpty, Range: key.Between(1, 17), Items: "{above: N, depth: N}"},
		{Name: "depth_by_distinct", Doc: "max(least, different tiles - minus) chance layers: twice as many plies and one",
			To: &s.Rule.ByDistinct},
		{Name: "min_probability", Doc: "a board that is reached with less is valued as it is", To: &s.MinProbability,
			Default: 0.0, Quiet: true, Range: key.Range{Low: 0, High: 1, HighOut: true}},
	}
}

// Keys returns the keys of an entry of depth_by_empty. The last entry has no number of empty cells.
func (e *EmptyDepth) Keys() []key.Key {
	return []key.Key{
		{Name: "above", Doc: "empty cells; the last entry has none", To: &e.Above, Default: -1, Quiet: true,
			Range: key.Between(0, 15)},
		{Name: "depth", To: &e.Depth, Example: "3", Range: key.Between(1, MaxDepth)},
	}
}

// Keys returns the keys of depth_by_distinct.
func (d *DistinctLayers) Keys() []key.Key {
	return []key.Key{
		{Name: "minus", To: &d.Minus, Example: "2", Range: key.Between(0, 15)},
		{Name: "least", To: &d.Least, Example: "3", Range: key.Between(0, 15)},
	}
}
