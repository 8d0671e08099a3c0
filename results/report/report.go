// Package report presents the findings of a run, from the database alone.
//
// Begin here: Build reads the records of a run, its Summary first, and makes a Report of them. Its
// headline is the answer, its Tables are every other sentence and table, once. Two renderers show
// them: Page as HTML, offline or live (package dashboard), and Text for the terminal.
//
// Report has a field for each section of the page, in the order in which a person asks. The field's
// JSON is also the data of the section's charts, which Observable Plot draws in the page (assets/).
// A new chart is a script in assets, a figure with a title in page.html and, if it needs more data,
// a field of its section. README.md lists the fields: the comments behind them in the source, which
// go test -run TestSchema -update copies.
package report

import (
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/results"
)

// Report is the answer to the questions about a run. Each section marshals to the data of its
// charts. Figures that are not known yet are empty. Scores are in points, fitness is in the
// objective's unit (Unit), shares lie in 0..1. Intervals are 95% unless a Confidence stands beside.
type Report struct {
	Run         results.Run      `json:"-"`
	Name        string           `json:"run"`
	Kind        experiments.Kind `json:"kind"`
	Note        string           `json:"note,omitzero"`
	Status      Status           `json:"status"` // where the run is
	Unit        Unit             `json:"unit"`
	Headline    Headline         `json:"headline"`
	Checks      []Check          `json:"checks"`            // can I believe it?
	Shortened   string           `json:"-"`                 // which parts had too little time; mostly empty
	Idle        string           `json:"-"`                 // which of its numbers change no move; mostly empty
	Doubt       string           `json:"-"`                 // its bot does not repeat itself; mostly empty
	Failures    Failures         `json:"failures,omitzero"` // candidates that could not be played
	Tables      []Table          `json:"-"`                 // every sentence and table but the headline
	Next        []Step           `json:"-"`                 // what to do next; may be empty
	Play        string           `json:"-"`                 // the command that writes a page on which the champion plays; may be empty
	Playoff     string           `json:"-"`                 // how the champion did there, in words; may be empty
	HeldOut     HeldOut          `json:"held_out"`
	Convergence Convergence      `json:"convergence"`
	Weights     Weights          `json:"weights"`
	Games       Games            `json:"games"`
	Provenance  Provenance       `json:"made"`
}

// Unit is how a figure of fitness is written.
type Unit struct {
	fitness.Unit
	Objective fitness.Objective `json:"-"`
}
