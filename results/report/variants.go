package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// others are what the file has about other runs that bears on this one.
type others struct {
	variant string   // of how many runs this one is the best; mostly empty
	rival   string   // the best of the other variants of its experiment; mostly empty
	endings string   // how other endings of the run were judged; mostly empty
	higher  string   // the ending of the run whose champion has the highest score; empty: this one
	later   []string // of a comparison: which runs have another champion by now
}

// readOthers reads about other runs. Before its verdicts nothing bears on a run.
func (rec *records) readOthers(ctx context.Context, reader *results.Reader) (o others, err error) {
	search := lastSearch(rec.judged())
	switch {
	case rec.contest != nil:
		o.later, err = rec.laterNames(ctx, reader)
		return o, err
	case !rec.Judged():
		return o, nil
	}
	o.variant, o.rival, err = variants(ctx, reader, rec.run, search)
	if err == nil {
		o.endings, o.higher, err = rec.endings(ctx, reader, search)
	}
	return o, err
}

// variants warns of a choice among runs: it says that the run is one of several of its experiment
// that were validated at this search, and names the best of the others. Both are empty if it is the
// only one. If you keep the best of them, you choose it by its held-out games. Runs with one salt
// played the same games and are one variant.
func variants(ctx context.Context, reader *results.Reader, run results.Run, search string) (text, rival string,
	err error) {
	if run.HeldOutSalt == "" {
		return "", "", nil
	}
	runs, err := reader.Variants(ctx, run)
	if err != nil {
		return "", "", err
	}
	var all []results.Run // the first of each salt
	for _, other := range runs {
		validated := championAt(other.Headline, search) != nil
		if validated && !slices.ContainsFunc(all, func(v results.Run) bool { return v.HeldOutSalt == other.HeldOutSalt }) {
			all = append(all, other)
		}
	}
	own := slices.IndexFunc(all, func(v results.Run) bool { return v.HeldOutSalt == run.HeldOutSalt })
	if own < 0 || len(all) < 2 {
		return "", "", nil
	}
	best, highest := -1, 0.0 // of the others
	for i, v := range all {
		if mean := championAt(v.Headline, search).Standing.Fitness.Mean; i != own && (best < 0 || mean > highest) {
			best, highest = i, mean
		}
	}
	return fmt.Sprintf("this is variant %d of %s that was validated: the best score of %d is too high by luck", own+1,
			run.BaseName, len(all)),
		all[best].Name, nil
}

// maxEndings is how many other endings of a run a report names.
const maxEndings = 3

// endings says how other endings of the run were judged at the last search, and which is under way,
// the newest first. It names the one whose champion is another one and has the highest score above
// this run's, or none.
func (rec *records) endings(ctx context.Context, reader *results.Reader, search string) (text, higher string,
	err error) {
	own := championAt(rec.Summary, search)
	if own == nil || rec.run.HeldOutSalt == "" {
		return "", "", nil
	}
	all, err := reader.Endings(ctx, rec.run)
	if err != nil {
		return "", "", err
	}
	champion, err := reader.Candidate(ctx, rec.run.ID, rec.run.Champion)
	if err != nil {
		return "", "", err
	}
	var told []string
	highest := own.Fitness.Value
	for _, e := range all {
		judged := championAt(e.Headline, search)
		switch {
		case e.ID == rec.run.ID || e.Fingerprint != "" && e.Fingerprint == rec.run.Fingerprint: // or the same tuning, asked for otherwise
		case e.Status != experiments.Finished:
			told = append(told, e.Name+" is "+e.State())
		case judged != nil:
			other, err := reader.Candidate(ctx, e.ID, e.Champion)
			if err != nil {
				return "", "", err
			}
			what := "scored "
			if other.PlayHash == champion.PlayHash {
				what = "had the same champion, which scored "
			} else if judged.Fitness.Value > highest {
				highest, higher = judged.Fitness.Value, e.Name
			}
			told = append(told, e.Name+" "+what+rec.unit.Estimate(judged.Fitness))
		}
	}
	if more := len(told) - maxEndings; more > 0 {
		told = append(told[:maxEndings], fmt.Sprintf("and %d more (tune runs -all)", more))
	}
	if len(told) > 0 {
		text = "other endings of this run, each judged by games of its own: " + strings.Join(told, "; ")
	}
	return text, higher, nil
}

// laterNames says which runs of a comparison have another champion by now, and the ending that has
// the one that played.
func (rec *records) laterNames(ctx context.Context, reader *results.Reader) (names []string, err error) {
	for _, player := range rec.contest.Players {
		run, err := reader.Champion(ctx, player.Name)
		if err != nil { // no run has this name, or none any more
			continue
		}
		all, err := reader.Endings(ctx, run)
		if err != nil {
			return nil, err
		}
		hash := player.At(rec.contest.Rules).Hash()
		for _, e := range append([]results.Run{run}, all...) {
			if e.Champion < 0 { // it is open
				continue
			}
			champion, err := reader.Candidate(ctx, e.ID, e.Champion)
			if err != nil {
				return nil, err
			}
			if champion.PlayHash != hash {
				continue
			}
			if e.ID != run.ID {
				names = append(names, fmt.Sprintf("%s has another champion now: %s has the one that played here", run.Name, e.Name))
			}
			break
		}
	}
	return names, nil
}

// championAt returns the figures of a run's champion on held-out games at a search, or nil.
func championAt(s summary.Summary, search string) *summary.Player {
	for _, p := range s.Champions() {
		if p.Search == search {
			return &p
		}
	}
	return nil
}
