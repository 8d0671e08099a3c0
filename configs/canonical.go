package configs

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// YAML returns the config with every default filled in and every referenced file written out, as a file that
// [Parse] reads as the same config.
func (c *Config) YAML() []byte {
	w := new(writer)
	w.line("name: %q", c.Name)
	w.config(c, c.Label)
	w.line("store: {games: %s}", c.Store.Games)
	return []byte(w.String())
}

// canonical returns the text that identifies what the config will compute: everything that has a say in it, in
// one order and one spelling, and nothing else. It is a config itself. Changing a byte of it makes every stored
// run one of another config, so golden tests pin it.
func (c *Config) canonical() string {
	w := new(writer)
	w.config(c, "")
	return w.String()
}

// writer writes YAML in this package's own spelling.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) config(c *Config, label string) {
	w.line("seed: %d", c.Seed)
	w.line("game: {four_probability: %s}", number(c.Rules.FourProbability))
	w.line("heuristic:")
	if label != "" {
		w.line("  family: %q", label)
	}
	w.line("  dead: %s", dead(c.Family.Dead))
	w.line("  symmetry: %s", c.Family.Symmetry)
	w.line("  features:")
	for _, f := range c.Family.Features {
		w.line("    - {%s}", feature(f))
	}
	w.line("search: %s", search(c.Search))
	w.line("optimizer: {%s}", options(c.Optimizer, true))
	w.line("restarts: %d", c.Restarts)
	w.line("stages:")
	for _, s := range c.Stages {
		limit := ""
		if s.MaxGames > 0 {
			limit = fmt.Sprintf(", max_games: %d", s.MaxGames)
		}
		w.line("  - {name: %q, search: %s, generations: %d, games: %d, rounds: %d%s}", s.Name, search(s.Search), s.Generations, s.Games, s.Rounds, limit)
	}
	w.line("objective: %s", c.Objective)
	w.line("playoff: {finalists: %d, games: %d, rounds: %d, search: %s}", c.Playoff.Finalists, c.Playoff.Games, c.Playoff.Rounds, search(c.Playoff.Search))
	w.line("validation: {games: %d, search: [%s]}", c.Validation.Games, list(c.Validation.Search, search))
	w.line("sensitivity: {games: %d, step: %s, search: %s}", c.Sensitivity.Games, number(c.Sensitivity.Step), search(c.Sensitivity.Search))
	if len(c.References) == 0 {
		return
	}
	w.line("references:")
	for _, r := range c.References {
		var weights []string
		for _, n := range c.Family.Numbers() {
			if x, given := r.Weights[n.Name]; given {
				weights = append(weights, fmt.Sprintf("%q: %s", n.Name, number(x)))
			}
		}
		w.line("  %q: {dead: %s, weights: {%s}}", r.Name, dead(r.Dead), strings.Join(weights, ", "))
	}
}

// String returns the objective as a config says it.
func (o Objective) String() string {
	switch o.Kind {
	case Reach:
		return fmt.Sprintf("{reach: %d}", o.Tile)
	case Quantile:
		return fmt.Sprintf("{quantile: %s}", number(o.Q))
	}
	return o.Kind
}

// number writes the fewest digits that read back as the same number, with an exponent only for the very large
// and the very small, as JSON does.
func number(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func tunable(n heuristic.Number) string {
	if !n.Tunable {
		return number(n.Value)
	}
	scale := "linear"
	if n.Log {
		scale = "log"
	}
	return fmt.Sprintf("{min: %s, max: %s, start: %s, scale: %s}", number(n.Min), number(n.Max), number(n.Value), scale)
}

func dead(d heuristic.Dead) string {
	if d.Worst {
		return "worst"
	}
	return number(d.Value)
}

// feature writes the settings that the feature's kind uses, in their order.
func feature(f heuristic.Feature) string {
	text := fmt.Sprintf("feature: %s, name: %q, weight: %s", f.Kind, f.Name, tunable(f.Weight))
	settings, _ := heuristic.Uses(f.Kind)
	for _, setting := range settings {
		value := ""
		switch setting {
		case "tile":
			value = f.Tile
		case "power":
			value = tunable(f.Power)
		case "decay":
			value = tunable(f.Decay)
		case "matrix":
			value = "[" + list(f.Matrix[:], func(row [4]heuristic.Number) string { return "[" + list(row[:], tunable) + "]" }) + "]"
		case "count":
			value = f.Count
		case "blanks":
			value = f.Blanks
		case "corner":
			value = f.Corner
		case "first":
			value = f.First
		}
		text += ", " + setting + ": " + value
	}
	return text
}

func search(s engine.Settings) string {
	rule := fmt.Sprintf("depth: %d", s.Rule.Fixed)
	switch r := s.Rule; {
	case len(r.ByEmpty) > 0:
		rule = "depth_by_empty: [" + list(r.ByEmpty, func(e engine.EmptyDepth) string {
			if e.Above < 0 {
				return fmt.Sprintf("{depth: %d}", e.Depth)
			}
			return fmt.Sprintf("{above: %d, depth: %d}", e.Above, e.Depth)
		}) + "]"
	case r.ByDistinct != nil:
		rule = fmt.Sprintf("depth_by_distinct: {minus: %d, least: %d}", r.ByDistinct.Minus, r.ByDistinct.Least)
	}
	return fmt.Sprintf("{%s, min_probability: %s}", rule, number(s.MinProbability))
}

// list writes items separated by commas.
func list[T any](items []T, write func(T) string) string {
	var texts []string
	for _, item := range items {
		texts = append(texts, write(item))
	}
	return strings.Join(texts, ", ")
}
