package report

import (
	"context"
	"fmt"
	"slices"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// variants warns of a choice among runs: it says that the run is one of several of its experiment
// that were validated at this search, and returns "" if it is the only one. Whoever keeps the best
// of them chooses it by its held-out games. The percentage is the expected maximum of the errors of
// all their held-out figures, relative to the mean of these figures. The best figure is too high by
// that if all runs are equally good, and by less otherwise. Runs with one salt played the same
// games and are one variant.
func variants(ctx context.Context, reader *results.Reader, run results.Run, search string) (string, error) {
	if run.HeldOutSalt == "" {
		return "", nil
	}
	runs, err := reader.Variants(ctx, run)
	if err != nil {
		return "", err
	}
	var all []results.Run // the first of each salt
	for _, other := range runs {
		validated := championAt(other, search) != nil
		if validated && !slices.ContainsFunc(all, func(v results.Run) bool { return v.HeldOutSalt == other.HeldOutSalt }) {
			all = append(all, other)
		}
	}
	own := slices.IndexFunc(all, func(v results.Run) bool { return v.HeldOutSalt == run.HeldOutSalt })
	if own < 0 || len(all) < 2 {
		return "", nil
	}
	best, highest, sum := -1, 0.0, 0.0 // best and highest are of the others
	var errors []float64
	for i, v := range all {
		f := championAt(v, search).Standing.Fitness
		errors, sum = append(errors, f.SE()), sum+f.Mean
		if i != own && (best < 0 || f.Mean > highest) {
			best, highest = i, f.Mean
		}
	}
	flatter := stats.ExpectedMaximum(errors)
	if run.Objective.Unit().Logs {
		flatter = portable.Exp(flatter) - 1
	} else {
		flatter /= sum / float64(len(all))
	}
	about := ""
	if flatter > 0 && flatter < 1 { // otherwise there are too few games to say
		about = fmt.Sprintf(", by about %.2g%%", 100*flatter)
	}
	return fmt.Sprintf("this is variant %d of %s that was validated: the best score of %d is too high by luck%s; fresh games: %s %s %s",
		own+1, run.BaseName, len(all), about, "tune compare"+results.DatabaseFlag(reader.Path()), results.ShellWord(all[best].Name), results.ShellWord(run.Name)), nil
}

// championAt returns the figures of a run's champion on held-out games at a search, or nil.
func championAt(run results.Run, search string) *summary.Player {
	for _, p := range run.Headline.Champions() {
		if p.Search == search {
			return &p
		}
	}
	return nil
}
