// Package fitness turns games into fitness and compares it. An objective is a figure of each game,
// and the fitness is the mean of the figures. Each objective that a config can name is one row of
// [Kinds]. No other package asks which one it is.
//
// Read it in this order: objective.go has the table; compare.go what it says of one candidate's
// games and of two; pool.go the spread of a game.
package fitness

import (
	"bytes"
	"fmt"
	"math"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// Objective is the quantity that is maximised. Objectives can be compared with ==.
type Objective struct {
	kind   *Kind
	number float64
	scores bot.Bounds // of the games; not known: of 2048, and where a bot has none
}

// Kind is an objective that a config can name.
type Kind struct {
	Name    string
	Example float64   // of the number that a config gives beside the name; 0: there is none
	Range   key.Range // of that number

	tile   bool    // it is the face of a tile
	most   float64 // the highest possible fitness; the lowest is 0
	unit   func(number float64) Unit
	figure func(score float64) float64 // of a game; nil: the score, or of a tile 1 if the game reached it, else 0
}

// Kinds lists the objectives. The first one is the default.
var Kinds = []*Kind{
	{
		Name: "mean_score",
		unit: func(float64) Unit {
			return Unit{Title: "mean score", Changes: "mean score", Suffix: "points", Scale: 1,
				One: "scores %s points", Many: "score %s points", Likewise: "score %s"}
		},
		most: math.Inf(1),
	},
	{
		Name: "mean_log_score", // of the natural logarithm of score + 1
		unit: func(float64) Unit {
			return Unit{Title: "mean log score", Changes: "geometric mean score", Scale: 1, Decimals: 3, Logs: true,
				One: "has a mean log score of %s", Many: "have a mean log score of %s", Likewise: "have %s"}
		},
		most:   math.Inf(1),
		figure: func(score float64) float64 { return portable.Log(score + 1) },
	},
	{
		Name: "reach", Range: key.Range{Low: 4, High: 2 << engine.MaxRank}, Example: 2048, tile: true, most: 1,
		unit: func(tile float64) Unit {
			title, games := fmt.Sprintf("share reaching %g", tile), fmt.Sprintf("%g in %%s of games", tile)
			return Unit{Title: title, Changes: title, Suffix: "%", Scale: 100, Decimals: 1,
				One: "reaches " + games, Many: "reach " + games, Likewise: "reach it in %s"}
		},
	},
}

// MeanScore is the mean of the scores, in points.
var MeanScore, _ = Kinds[0].New(0)

// New returns the objective with a number in its Range, or 0 if it has none.
func (k *Kind) New(number float64) (Objective, error) {
	if half, _ := math.Frexp(number); k.tile && half != 0.5 || !k.Range.Contains(number) {
		return Objective{}, fmt.Errorf("want a tile, a power of two %v, got %v", k.Range, number)
	}
	return Objective{kind: k, number: number}, nil
}

// Within returns the same objective for games whose scores keep to these bounds. Only intervals and
// tests depend on them.
func (o Objective) Within(scores bot.Bounds) Objective {
	o.scores = scores
	return o
}

// Bounds returns the bounds of the games' scores.
func (o Objective) Bounds() bot.Bounds { return o.scores }

// ends returns the least and the highest figure that a game can have, if bounds of the scores are
// known.
func (o Objective) ends() (low, high float64, known bool) {
	low, high = o.scores.Min, o.scores.Max
	if o.kind.figure != nil {
		low, high = o.kind.figure(max(0, low)), o.kind.figure(max(0, high)) // see Check
	}
	return low, high, low < high && !o.kind.tile
}

// String returns the objective as a config writes it, without bounds: these are the player's.
func (o Objective) String() string {
	if o.kind.Example == 0 {
		return o.kind.Name
	}
	return "{" + o.kind.Name + ": " + key.Number(o.number) + "}"
}

// WriteTo writes the objective as a config has it.
func (o *Objective) WriteTo(b *bytes.Buffer, w key.Writer) {
	if o.kind.Example == 0 {
		b.WriteString(w.Word(o.kind.Name))
	} else {
		b.WriteByte('{')
		b.WriteString(w.Word(o.kind.Name))
		b.WriteString(": ")
		w.Value(b, o.number)
		b.WriteByte('}')
	}
}

// Sample evaluates games by their scores, and by the ranks of their largest tiles: 11 is a 2048.
// Both are in the order of the games' seeds. An objective that needs no tiles takes none.
func (o Objective) Sample(scores []float64, ranks []byte) Sample {
	return o.Add(Sample{}, scores, ranks)
}

// Add adds games to a sample. The result is the sample of all games, to the bit, however they are
// divided.
func (o Objective) Add(s Sample, scores []float64, ranks []byte) Sample {
	for i, figure := range o.Figures(scores, ranks) {
		s.Score.Add(scores[i])
		s.Negative = s.Negative || scores[i] < 0
		s.Between = s.Between || scores[i] != o.scores.Min && scores[i] != o.scores.Max
		s.Fitness.Add(figure)
	}
	return s
}

// Figures returns the figure of each game, by the scores and the ranks of the largest tiles. It may
// be the list of the scores itself.
func (o Objective) Figures(scores []float64, ranks []byte) []float64 {
	if o.kind.figure == nil && !o.kind.tile {
		return scores
	}
	figures := make([]float64, len(scores))
	for i, score := range scores {
		switch {
		case o.kind.figure != nil:
			figures[i] = o.kind.figure(score)
		case i < len(ranks) && float64(uint64(1)<<(ranks[i]&63)) >= o.number:
			figures[i] = 1
		}
	}
	return figures
}

// Check returns an error for a game that lacks what the objective needs: a bot may leave out its
// largest tile. So it does where the score lies outside the bounds of the program that played it,
// which is nil for a heuristic.
func (o Objective) Check(g simulator.Outcome, by *bot.Program) error {
	if by != nil {
		if err := by.Score.Check(g.Score); err != nil {
			return err
		}
	}
	if o.kind.tile && g.MaxTile == 0 {
		return fmt.Errorf("objective %v: want the largest tile of each game, got a score alone: "+
			`let the bot answer {"score": 30124, "max_tile": 2048}, or choose another objective, such as mean_score`, o)
	}
	if o.Unit().Logs && g.Score < 0 {
		return fmt.Errorf("objective %v: want scores of 0 or more, got %v: add a constant, or choose mean_score", o,
			g.Score)
	}
	return nil
}

// Unit returns how a fitness is written.
func (o Objective) Unit() Unit { return o.kind.unit(o.number) }

// Unit says how to write a fitness, and in which words.
type Unit struct {
	Title    string  `json:"title"`    // mean score, share reaching 2048 ...
	Changes  string  `json:"changes"`  // what a ratio is the change of: geometric mean score ...
	Suffix   string  `json:"suffix"`   // points, %, or empty
	Scale    float64 `json:"scale"`    // a figure is written times this: 100 for shares, otherwise 1
	Decimals int     `json:"decimals"` // of a figure
	Logs     bool    `json:"-"`        // the figures of games are logarithms
	One      string  `json:"-"`        // in a sentence about one player: scores %s points
	Many     string  `json:"-"`        // about several players: score %s points
	Likewise string  `json:"-"`        // about others, after One: score %s
}
