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
	if players > 2 {
		plan.Level /= float64(players * (players - 1) / 2)
	}
	if err := plan.Validate(); err != nil {
		return usagef("compare: -%w", err)
	}
	samples, searches, err := heldOutSamples(ctx, c.database)
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
	fmt.Fprintf(in.stdout, "games of each player to tell a difference of %.6g%%, level %.6g%%, power %.6g%%:\n",
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

// heldOutSamples returns the scores of all held-out games in the database, by search a sample of each candidate, and the
// searches in an order of their own. There may be no database.
func heldOutSamples(ctx context.Context, database string) (samples map[string][]stats.Moments, searches []string, err error) {
	reader, err := readExisting(database)
	if err != nil || reader == nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	samples = map[string][]stats.Moments{}
	var candidate any
	err = reader.Query(ctx, `SELECT search, candidate_id, games, mean_score, sd_score FROM evaluations
		WHERE phase IN ('validation', 'comparison') AND games > 1 ORDER BY search, candidate_id`,
		func([]string) error { return nil }, func(row []any) error {
			search, n, sd := texts(row, exactText)[0], numeric(row[2]), numeric(row[4])
			m := stats.Moments{N: int(n), Mean: numeric(row[3]), M2: sd * sd * (n - 1)}
			list := samples[search]
			if list == nil {
				searches = append(searches, search)
			}
			if list == nil || row[1] != candidate {
				candidate = row[1]
				list = append(list, stats.Moments{})
			}
			list[len(list)-1].Merge(m)
			samples[search] = list
			return nil
		})
	return samples, searches, err
}

// numeric is a number that SQLite returned; 0 if somebody wrote something else there.
func numeric(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
