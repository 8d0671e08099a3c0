// Package fitness turns games into fitness and compares it. An objective is a figure of each game
// and a statistic of these figures. Each objective that a config can name is one row of [Kinds], and
// no other package asks which one it is.
package fitness

import (
	"fmt"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// Objective is the quantity that is maximised. Objectives can be compared with ==.
type Objective struct {
	kind   *Kind
	number float64
	statistic
}

// Kind is an objective that a config can name.
type Kind struct {
	Name    string
	Wants   string         // the number that a config gives beside the name, in words; empty if there is none
	Schema  map[string]any // JSON Schema of that number
	Example float64

	valid     func(number float64) bool
	unit      func(number float64) Unit
	figure    func(number float64, g simulator.Outcome) float64
	statistic func(number float64) statistic
}

// Kinds lists the objectives. The first one is the default.
var Kinds = []*Kind{
	{
		Name: "mean_score",
		unit: func(float64) Unit {
			u := had("mean score", "points")
			u.One, u.Many, u.Likewise = "scores %s points", "score %s points", "score %s"
			return u
		},
		figure:    func(_ float64, g simulator.Outcome) float64 { return float64(g.Score) },
		statistic: func(float64) statistic { return mean{} },
	},
	{
		Name: "mean_log_score", // of the natural logarithm of score + 1
		unit: func(float64) Unit {
			u := had("mean log score", "")
			u.Changes, u.Decimals, u.Logs = "geometric mean score", 3, true
			return u
		},
		figure:    func(_ float64, g simulator.Outcome) float64 { return portable.Log(float64(g.Score) + 1) },
		statistic: func(float64) statistic { return mean{logs: true} },
	},
	{
		Name: "reach", Example: 2048, // share of games that reach the tile, 0..1
		Wants:  fmt.Sprintf("a tile, a power of two from %d to %d", leastTile, mostTile),
		Schema: map[string]any{"type": "integer", "minimum": leastTile, "maximum": mostTile},
		valid: func(x float64) bool {
			tile := int(x)
			return x >= leastTile && x <= mostTile && float64(tile) == x && tile&(tile-1) == 0
		},
		unit: func(x float64) Unit {
			title, tile := fmt.Sprintf("share reaching %.0f", x), fmt.Sprintf("%.0f", x)
			return Unit{
				Title: title, Changes: title, Suffix: "%", Scale: 100, Decimals: 1,
				One: "reaches " + tile + " in %s of games", Many: "reach " + tile + " in %s of games", Likewise: "reach it in %s",
			}
		},
		figure: func(x float64, g simulator.Outcome) float64 {
			if float64(g.MaxTile) >= x {
				return 1
			}
			return 0
		},
		statistic: func(float64) statistic { return share{} },
	},
	{
		Name: "quantile", Example: 0.25, // of the scores, in points
		Wants:     "a number more than 0 and less than 1",
		Schema:    map[string]any{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
		valid:     func(x float64) bool { return x > 0 && x < 1 },
		unit:      func(x float64) Unit { return had(fmt.Sprintf("%g quantile", x), "points") },
		figure:    func(_ float64, g simulator.Outcome) float64 { return float64(g.Score) },
		statistic: func(x float64) statistic { return quantile(x) },
	},
}

const leastTile, mostTile = 4, 2 << engine.MaxRank

// MeanScore is the mean of the scores, in points.
var MeanScore, _ = Kinds[0].New(0)

// New returns the objective with its number, which a kind without one ignores.
func (k *Kind) New(number float64) (Objective, error) {
	if k.Wants != "" && !k.valid(number) {
		return Objective{}, fmt.Errorf("want %s, got %v", k.Wants, number)
	}
	return Objective{k, number, k.statistic(number)}, nil
}

// Parse reads an objective as [Objective.String] writes it.
func Parse(text string) (Objective, error) {
	name, number, _ := strings.Cut(strings.Trim(text, "{}"), ": ")
	for _, k := range Kinds {
		if k.Name == name {
			x, _ := strconv.ParseFloat(number, 64) // what is no number is 0, which no kind takes
			return k.New(x)
		}
	}
	return Objective{}, fmt.Errorf("there is no objective %q", text)
}

// String returns the objective as a config writes it.
func (o Objective) String() string {
	if o.kind.Wants == "" {
		return o.kind.Name
	}
	return "{" + o.kind.Name + ": " + strconv.FormatFloat(o.number, 'f', -1, 64) + "}"
}

// Sample evaluates games in the order of their seeds.
func (o Objective) Sample(games []simulator.Outcome) (s Sample) {
	figures := make([]float64, len(games))
	for i, g := range games {
		s.Score.Add(float64(g.Score))
		figures[i] = o.kind.figure(o.number, g)
	}
	return o.sample(s, figures)
}

// Unit returns how a fitness is written.
func (o Objective) Unit() Unit { return o.kind.unit(o.number) }

// Unit says how to write a fitness, and in which words.
type Unit struct {
	Title    string  `json:"title"`    // mean score, share reaching 2048 ...
	Changes  string  `json:"changes"`  // the quantity that a ratio compares: geometric mean score ...
	Suffix   string  `json:"suffix"`   // points, %, or empty
	Scale    float64 `json:"scale"`    // a figure is written times this: 100 for shares, otherwise 1
	Decimals int     `json:"decimals"` // of a figure
	Logs     bool    `json:"-"`        // the figures of games are logarithms
	One      string  `json:"-"`        // what one player does: scores %s points
	Many     string  `json:"-"`        // what several do: score %s points
	Likewise string  `json:"-"`        // the same, once One has been said: score %s
}

// had returns the unit of a figure that players have.
func had(title, suffix string) Unit {
	figure := " a " + strings.TrimSpace(title+" of %s "+suffix)
	return Unit{Title: title, Changes: title, Suffix: suffix, Scale: 1, One: "has" + figure, Many: "have" + figure, Likewise: "have %s"}
}
