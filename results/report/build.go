package report

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

// Build reads the report of a run, whatever became of it. It is quick enough for a live page: Play
// makes the replays. While the run goes on, a section may be a moment newer than the one before it.
// The error names the run and the file.
func Build(ctx context.Context, reader *results.Reader, run results.Run) (Report, error) {
	return BuildLook(ctx, reader, run, 0)
}

// BuildLook is Build for a comparison of which several questions were asked: it answers the
// question with this look, see experiments.Comparison, and the last one if the look is 0.
func BuildLook(ctx context.Context, reader *results.Reader, run results.Run, look int) (Report, error) {
	b := builder{Reader: reader, run: run, look: look}
	err := b.read(ctx)
	for _, section := range []func(context.Context) error{b.status, b.heldOut, b.validations, b.contests, b.predecessor, b.convergence, b.weights, b.matters, b.games} {
		if err == nil {
			err = section(ctx)
		}
	}
	if err == nil {
		r := &b.report
		r.unchecked, err = b.CheckFigures(ctx, run)
		if errors.Is(err, results.ErrAltered) {
			r.Doubt, err = err.Error(), nil
		} else if run.Unrepeatable != "" {
			r.Doubt = run.Unrepeatable + ": the run has no fingerprint, and its games cannot be verified"
		}
	}
	if err == nil {
		b.made()
		b.rows()
		b.headline()
		b.checks()
		b.report.Suggest("tune", b.report.Made.File, b.report.database, b.generations(), b.run.Name)
		var wrong *json.UnsupportedValueError // nothing that this program recorded comes to one
		if _, err = json.Marshal(b.report); errors.As(err, &wrong) {
			err = fmt.Errorf("one of its figures is %s: tune verify says whether somebody changed the database; if nobody did, it is a fault of this program", wrong.Str)
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
	run         results.Run
	look        int              // of the question to a comparison; 0: the last one
	config      *configs.Config  // nil for a comparison
	contest     *configs.Contest // nil for all others
	unit        Unit
	standings   []results.Standing // outside tuning
	comparisons []experiments.Comparison
	tuned       []experiments.Generation
	played      []int64 // games of tuning at the end of each of these
	stages      []experiments.Place
	candidates  map[int]experiments.Candidate // those that played outside tuning, champion, start
	costs       []results.Cost
	against     string // the champion against the earlier run's champion; may be empty
	variant     string // of how many runs this one is the best; may be empty
	report      Report
}

func (b *builder) read(ctx context.Context) (err error) {
	path := "run " + b.run.Name
	objective := fitness.MeanScore
	if b.run.Kind.HasPlayers() {
		if b.contest, err = configs.ParseContest([]byte(b.run.ConfigYAML), path); err == nil {
			objective = b.contest.Objective
		}
	} else if b.config, err = configs.Parse([]byte(b.run.ConfigYAML), path); err == nil {
		objective = b.config.Objective
	}
	if err != nil {
		return fmt.Errorf("its stored config cannot be read: %w", err)
	}
	b.unit = UnitOf(objective)
	b.report = Report{
		Run: b.run, Name: b.run.Name, Kind: b.run.Kind, Unit: b.unit, database: results.DatabaseFlag(b.Path()), champion: map[string]experiments.Evaluation{},
	}
	var failed [5]error
	id := b.run.ID
	b.standings, failed[0] = b.Standings(ctx, id)
	b.comparisons, failed[1] = b.Comparisons(ctx, id)
	b.tuned, failed[2] = b.Generations(ctx, id)
	b.stages, failed[3] = b.TunedStages(ctx, id)
	b.costs, failed[4] = b.Costs(ctx, id)
	if err := cmp.Or(failed[:]...); err != nil {
		return err
	}
	games := int64(0)
	for _, g := range b.tuned {
		games += g.Games
		b.played = append(b.played, games)
	}
	numbers := []int{experiments.StartNumber, b.run.Champion}
	for _, s := range b.standings {
		numbers = append(numbers, s.Candidate)
	}
	slices.Sort(numbers)
	list, err := b.CandidatesOf(ctx, id, slices.Compact(numbers))
	b.candidates = map[int]experiments.Candidate{}
	for _, c := range list {
		b.candidates[c.Number] = c
	}
	if err == nil && b.run.Champion >= 0 && b.candidates[b.run.Champion].Weights == nil {
		err = fmt.Errorf("%w: its champion, candidate %d, is none of its candidates", results.ErrDamaged, b.run.Champion)
	}
	return err
}

// searches returns the searches of a phase in the order in which they were played.
func (b *builder) searches(phase string) (list []string) {
	for _, s := range b.at(phase, "") {
		if !slices.Contains(list, s.Search) {
			list = append(list, s.Search)
		}
	}
	return list
}

// at returns the standings in a phase and search, or at all searches for an empty one.
func (b *builder) at(phase, search string) (list []results.Standing) {
	for _, s := range b.standings {
		if s.Phase == phase && (search == "" || s.Search == search) {
			list = append(list, s)
		}
	}
	return list
}

// answerSearch is the answer's search, the last one held out. It is empty before the validation.
func (b *builder) answerSearch() string {
	searches := b.searches(b.run.Kind.Figures())
	if len(searches) == 0 {
		return ""
	}
	return searches[len(searches)-1]
}

// figures are a candidate's in a phase and search.
func (b *builder) figures(s results.Standing, name, role string) figures {
	p := figures{
		Name: name, Role: role, Candidate: s.Candidate, Search: s.Search, Games: s.Score.N,
		Fitness: estimate{s.Fitness.Mean, s.FitnessInterval},
		Score:   estimate{s.Score.Mean, s.Interval},
		Tiles:   []tileShare{},
	}
	for i, tile := range experiments.Tiles {
		if s.Untiled {
			break
		}
		w := stats.Wilson(s.Reached[i], s.Score.N, experiments.Confidence)
		p.Tiles = append(p.Tiles, tileShare{tile, float64(s.Reached[i]) / float64(s.Score.N), w.Low, w.High})
	}
	if s.MSPerMove > 0 {
		p.MSPerMove = &s.MSPerMove
	}
	return p
}

// relative is a ratio as a change: 0.05 for 1.05. It is nil for a ratio to 0.
func relative(ratio stats.Estimate) *estimate {
	if math.IsInf(ratio.Value, 1) {
		return nil
	}
	return &estimate{ratio.Value - 1, stats.Interval{Low: ratio.Interval.Low - 1, High: ratio.Interval.High - 1}}
}

// drawn is a number with five digits that count, for the eye alone.
func drawn(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return short
}

// unchanged is the ratio of equal figures.
var unchanged = stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}
