package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"tune2048/experiments/stats"
)

// assumedSpread is what the standard deviation of the scores is taken to be where nothing is measured, in units of
// their mean.
const assumedSpread = 0.5

// sampleSize is how many games a comparison needs at a search.
type sampleSize struct {
	Search   string  `json:"search"`
	Spread   float64 `json:"spread"`         // standard deviation of the scores in units of their mean
	Measured int     `json:"measured_games"` // that it is measured on; 0: it is assumed
	Fixed    int     `json:"games_fixed"`    // of each player, in a test of fixed size
	Equal    int     `json:"games_equal"`    // sequential, on average, where the players are equal
	Differ   int     `json:"games_differ"`   // where they differ by as much
	Most     int     `json:"games_most"`     // at most
}

// printSampleSizes prints how many games each player needs to tell a difference: at the searches asked for, or else at all
// that the database knows.
func (in *invocation) printSampleSizes(ctx context.Context, c compareFlags, players int) error {
	plan := c.plan
	tests := max(1, players*(players-1)/2) * max(1, len(c.searches))
	plan.Level *= stats.LookShare(1) / float64(tests) // as experiments.Comparison does
	samples, searches, err := heldOutScores(ctx, c.database)
	if err != nil {
		return err
	}
	if len(c.searches) > 0 {
		searches = nil
		for _, s := range c.searches {
			searches = append(searches, s.String())
		}
	} else if len(searches) == 0 {
		searches = []string{"any"}
	}
	design := plan.Design()
	rows := []sampleSize{}
	for _, search := range searches {
		row := sampleSize{Search: search, Spread: assumedSpread}
		if spread := stats.Spread(samples[search]...); spread > 0 {
			row.Spread = spread
			for _, m := range samples[search] {
				row.Measured += m.N
			}
		}
		row.Fixed = stats.FixedGames(plan.Difference, row.Spread, plan.Level, plan.Power)
		row.Most = design.Games(plan.Looks, row.Spread)
		row.Equal = int(design.Characteristics(0).Games*float64(row.Most) + 0.5)
		row.Differ = int(design.Characteristics(plan.Difference).Games*float64(row.Most) + 0.5)
		rows = append(rows, row)
	}
	if c.asJSON {
		return writeJSON(in.stdout, struct {
			Difference float64      `json:"smallest_difference"`
			Level      float64      `json:"level"`
			Power      float64      `json:"power"`
			Searches   []sampleSize `json:"searches"`
		}{plan.Difference, c.plan.Level, plan.Power, rows})
	}
	fmt.Fprintf(in.stdout, "games of each player to tell a difference of %.6g%% at the first look, level %.6g%%, power %.6g%%:\n",
		100*plan.Difference, 100*c.plan.Level, 100*plan.Power)
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "search\tsd/mean\tfixed size\tsequential: on average if they differ so\tif they are equal\tat most")
	for _, r := range rows {
		source := "assumed"
		if r.Measured > 0 {
			source = plural(r.Measured, "game")
		}
		fmt.Fprintf(table, "%s\t%.3f (%s)\t%d\t%d\t%d\t%d\n", r.Search, r.Spread, source, r.Fixed, r.Differ, r.Equal, r.Most)
	}
	return table.Flush()
}

// heldOutScores returns what results.Reader.HeldOutScores does; nothing if there is no database.
func heldOutScores(ctx context.Context, database string) (samples map[string][]stats.Moments, searches []string, err error) {
	reader, err := readExisting(database)
	if err != nil || reader == nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return reader.HeldOutScores(ctx)
}
