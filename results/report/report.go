// Package report presents the findings of a run, from the database alone.
//
// Begin here: Build reads a Report. Its headline is the answer, its Tables are every other sentence
// and table, once. Three renderers show them: Page as HTML, offline or live (package dashboard),
// Markdown for a pull request, and Text for the terminal.
//
// Report has a field for each section of the page, in the order in which a person asks. The field's
// JSON is also the data of the section's charts, which Observable Plot draws in the page (assets/).
// A new chart is a script in assets, a figure in page.html and, if it needs more data, a field of
// its section.
package report

import (
	"encoding/json"
	"math"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

// Report is the answer to the questions about a run. Each section marshals to the data of its
// charts. Figures that are not known yet are empty. Scores are in points, fitness is in the
// objective's unit (Unit), shares lie in 0..1. Intervals are 95% unless a Confidence stands beside.
type Report struct {
	Run         results.Run        `json:"-"`
	Name        string             `json:"run"`
	Kind        experiments.Kind   `json:"kind"`
	Status      status             `json:"status"` // where the run is
	Unit        Unit               `json:"unit"`
	Headline    Headline           `json:"headline"`
	Checks      []Check            `json:"checks"` // can I believe it?
	Doubt       string             `json:"-"`      // somebody changed the run, or its bot does not repeat itself; mostly empty
	Next        []Step             `json:"-"`      // what to do next; may be empty
	HeldOut     heldOutSection     `json:"held_out"`
	Convergence convergenceSection `json:"convergence"`
	Weights     weightsSection     `json:"weights"`
	Matters     mattersSection     `json:"matters"`
	Games       gamesSection       `json:"games"`
	Made        madeSection        `json:"made"`

	unchecked string                            // why Doubt is not known; mostly empty
	database  string                            // the flag -db that its commands need; may be empty
	champion  map[string]experiments.Evaluation // on held-out games, by search
	player    string                            // the champion's canonical text; empty: there is none
	contests  []gainRow                         // stored comparisons of the champion
}

// Unit is how a figure of fitness is written.
type Unit struct {
	fitness.Unit
	Objective fitness.Objective `json:"-"`
}

// estimate is a figure with its interval. In JSON it has the keys value, low and high. An open end,
// which too few games leave, is null.
type estimate stats.Estimate

// MarshalJSON implements json.Marshaler. The error is json's own for a value that is not finite.
func (e estimate) MarshalJSON() ([]byte, error) {
	end := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Value float64  `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}{e.Value, end(e.Interval.Low), end(e.Interval.High)})
}
