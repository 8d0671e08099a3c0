package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Call is how the commands of a report call the program. The zero Call is "tune", with a FILE in
// place of the run's config.
type Call struct {
	Program     string // tune, or go run ./cmd/tune
	Config      string // the file of the config; empty: the user has none at hand
	Generations string // the flag -generations as the user gave it beside that file; may be empty
}

// Build makes the report of a run, whatever became of it. Of a comparison it answers the question
// of run.Look. Play makes the replays. The error names the run and the file.
func Build(ctx context.Context, reader *results.Reader, run results.Run, call Call) (Report, error) {
	rec, err := read(ctx, reader, run)
	if err != nil {
		return Report{}, fmt.Errorf("report on run %s of %s: %w", run.Name, reader.Path(), err)
	}
	return rec.report(call), nil
}

// records are all that a report shows: the Summary of a run, and what the file has beside it.
type records struct {
	summary.Summary
	run        results.Run
	status     Status
	config     *config.Config  // nil for a comparison
	contest    *config.Contest // nil for all others
	unit       Unit
	candidates map[int]experiments.Candidate // see results.Reader.Shown
	tuned      summary.Sample                // of the candidates above
	others     others                        // runs
	replays    []Replay
	database   string // the flag -db that its commands need; may be empty
}

// report makes the report. Each section is a function of the records, or of sections above it.
func (rec *records) report(call Call) Report {
	r := Report{Run: rec.run, Name: rec.run.Name, Kind: rec.run.Kind, Note: rec.run.Note, Status: rec.status,
		Unit: rec.unit, Shortened: shortened(rec.run.Sizes), Failures: rec.failures(), HeldOut: rec.heldOut(),
		Convergence: rec.convergence(), Weights: rec.weights(), Games: rec.games(), Provenance: rec.provenance(),
		Play: rec.play()}
	if rec.run.Unrepeatable != "" {
		r.Doubt = rec.run.Unrepeatable + ": the run has no fingerprint, and its games cannot be verified"
	}
	nothing := false // none of its numbers changes a move
	r.Idle, nothing = rec.idle()
	r.Headline, r.HeldOut.Drawn = rec.headline()
	r.Playoff = rec.playoffText()
	r.Checks = rec.checks(r)
	r.Next = rec.next(r, nothing, call)
	r.Tables = rec.tables(r)
	return r
}

// read reads the run's records.
func read(ctx context.Context, reader *results.Reader, run results.Run) (rec *records, err error) {
	rec = &records{run: run, candidates: map[int]experiments.Candidate{}, database: results.DatabaseFlag(reader.Path())}
	path := "run " + run.Name
	if run.Kind.HasPlayers() {
		rec.contest, err = config.ParseContest([]byte(run.ConfigYAML), path)
	} else {
		rec.config, err = config.Parse([]byte(run.ConfigYAML), path)
	}
	if err != nil {
		return nil, fmt.Errorf("its stored config cannot be read: %w", err)
	}
	rec.tuned, err = reader.Sample(ctx, run)
	if err != nil {
		return nil, err
	}
	numbers := []int{run.Champion, experiments.StartNumber}
	for _, one := range rec.tuned.Fitness {
		numbers = append(numbers, one.Candidate)
	}
	if c := run.Headline.Centre; c != nil {
		numbers = append(numbers, c.Candidate)
	}
	list, err := reader.Shown(ctx, run, numbers, maxListed)
	if err != nil {
		return nil, err
	}
	for i, c := range list {
		if rec.contest != nil && c.Number < len(rec.contest.Players) {
			list[i].Name = rec.contest.Players[c.Number].Name
		}
		rec.candidates[c.Number] = list[i]
	}
	rec.Summary, err = reader.Summary(ctx, run, run.Look, rec.config, list)
	if err != nil {
		return nil, err
	}
	largest := 0.0
	for _, g := range rec.Generations {
		largest = max(largest, math.Abs(g.MeanFitness.Value))
	}
	for _, p := range rec.Fresh() {
		largest = max(largest, math.Abs(p.Fitness.Value))
	}
	rec.unit = UnitOf(run.Objective).Of(largest)
	rec.status, err = StatusOf(ctx, reader, run)
	if err != nil {
		return nil, err
	}
	rec.others, err = rec.readOthers(ctx, reader)
	if err != nil {
		return nil, err
	}
	rec.replays, err = rec.readReplays(ctx, reader)
	return rec, err
}

// judged returns the players of the headline, by search and the best or the champion first. Of an
// experiment there are none before its verdicts.
func (rec *records) judged() (all []summary.Player) {
	if rec.contest == nil && !rec.Judged() {
		return nil
	}
	gains := gainRows(rec.Gains, rec.unit)
	for _, players := range bySearch(rec.Players) {
		all = append(all, ranked(players, gains)...)
	}
	return all
}

// bots reports whether a bot plays in the run.
func (rec *records) bots() bool {
	players := experiments.Players(rec.config, rec.contest)
	return slices.ContainsFunc(players, func(player *eval.Heuristic) bool { return player.Bot != nil })
}
