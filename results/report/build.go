package report

import (
	"context"
	"fmt"
	"math"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Build makes the report of a run, whatever became of it. Of a comparison it answers the question
// of run.Look. Play makes the replays. The error names the run and the file.
func Build(ctx context.Context, reader *results.Reader, run results.Run) (Report, error) {
	b := builder{Reader: reader, run: run}
	err := b.read(ctx)
	if err == nil {
		b.report.Status, err = StatusOf(ctx, reader, run)
	}
	if err == nil {
		err = b.heldOut(ctx)
	}
	if err == nil {
		err = b.games(ctx)
	}
	if err == nil {
		if run.Unrepeatable != "" {
			b.report.Doubt = run.Unrepeatable + ": the run has no fingerprint, and its games cannot be verified"
		}
		b.convergence()
		b.failures()
		b.provenance()
		b.weights()
		b.headline()
		b.idle()
		b.checks()
		if b.config != nil {
			b.report.Suggest("tune", anyFile, b.report.database, b.generations())
		}
	}
	if err != nil {
		return Report{}, fmt.Errorf("report on run %s of %s: %w", run.Name, reader.Path(), err)
	}
	return b.report, nil
}

// builder holds the data that several sections need.
type builder struct {
	*results.Reader
	summary.Summary
	run        results.Run
	config     *config.Config  // nil for a comparison
	contest    *config.Contest // nil for all others
	unit       Unit
	candidates map[int]experiments.Candidate // see results.Reader.Shown
	variant    string                        // of how many runs this one is the best; may be empty
	tuned      summary.Sample                // of the candidates above
	report     Report
}

// read reads the run's records.
func (b *builder) read(ctx context.Context) (err error) {
	path := "run " + b.run.Name
	if b.run.Kind.HasPlayers() {
		b.contest, err = config.ParseContest([]byte(b.run.ConfigYAML), path)
	} else {
		b.config, err = config.Parse([]byte(b.run.ConfigYAML), path)
	}
	if err != nil {
		return fmt.Errorf("its stored config cannot be read: %w", err)
	}
	if b.tuned, err = b.Reader.Sample(ctx, b.run); err != nil {
		return err
	}
	numbers := []int{b.run.Champion, experiments.StartNumber}
	for _, one := range b.tuned.Fitness {
		numbers = append(numbers, one.Candidate)
	}
	if c := b.run.Headline.Centre; c != nil {
		numbers = append(numbers, c.Candidate)
	}
	list, err := b.Reader.Shown(ctx, b.run, numbers, mostListed)
	if err != nil {
		return err
	}
	b.candidates = map[int]experiments.Candidate{}
	for i, c := range list {
		if b.contest != nil && c.Number < len(b.contest.Players) {
			list[i].Name = b.contest.Players[c.Number].Name
		}
		b.candidates[c.Number] = list[i]
	}
	if b.Summary, err = b.Reader.Summary(ctx, b.run, b.run.Look, b.config, list); err != nil {
		return err
	}
	largest := 0.0
	for _, g := range b.Generations {
		largest = max(largest, math.Abs(g.MeanFitness.Value))
	}
	for _, p := range b.Fresh() {
		largest = max(largest, math.Abs(p.Fitness.Value))
	}
	b.unit = UnitOf(b.run.Objective).Of(largest)
	b.report = Report{Run: b.run, Name: b.run.Name, Kind: b.run.Kind, Note: b.run.Note, Unit: b.unit,
		database: results.DatabaseFlag(b.Path()), summary: b.Summary,
		timed: b.config != nil && b.config.IsEndless(), staged: b.config != nil && len(b.config.Stages) > 1,
		early: b.config != nil && len(b.Stages) < len(b.config.Stages)}
	return nil
}
