package export

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// New returns the record of a run's candidate by its number. The error wraps results.ErrNotFound if
// there is none. A comparison has no records: its players come from runs of their own.
func New(ctx context.Context, reader *results.Reader, run results.Run, candidate int) (*Record, error) {
	if run.Kind.HasPlayers() {
		return nil, fmt.Errorf("run %s is a comparison: export its players from the runs that they come from", run.Name)
	}
	c, err := run.Config()
	if err != nil {
		return nil, err
	}
	if c.Hash != run.ConfigHash && !run.Older(c.YAML()) {
		return nil, fmt.Errorf("run %s: its config has the hash %.12s, stored is %.12s: somebody changed the database",
			run.Name, c.Hash, run.ConfigHash)
	}
	who, err := reader.Candidate(ctx, run.ID, candidate)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run.Name, err)
	}
	named := map[string]float64{}
	for _, w := range who.Weights {
		named[w.Name] = w.Value
	}
	r := &Record{
		Run: run.Name, Candidate: candidate, Role: role(run, who), Origin: who.Origin, HeldOut: heldOut(run, candidate),
		ConfigHash: run.ConfigHash, Signature: run.Signature, Fingerprint: run.Fingerprint,
		Unrepeatable: run.Unrepeatable, HeldOutSalt: run.HeldOutSalt, Config: run.ConfigYAML,
	}
	if err := r.derive(c, named, who.Dead); err != nil {
		return nil, fmt.Errorf("candidate %d of run %s does not fit the run's config: %w", candidate, run.Name, err)
	}
	return r, nil
}

func role(run results.Run, who experiments.Candidate) string {
	switch {
	case who.Number == run.Champion:
		return "champion"
	case who.Number == experiments.StartNumber:
		return "start"
	case who.Origin == "reference":
		return who.Name
	}
	return "candidate"
}

// derive fills in all that follows from a config and weights by name. Weights that are not given
// are at their start.
func (r *Record) derive(c *config.Config, named map[string]float64, dead eval.Dead) error {
	values, err := c.Vector(named, dead)
	if err != nil {
		return err
	}
	r.Format, r.Version, r.Verify = recordFormat, recordVersion, verifyCommand
	r.config, r.heuristic, r.values = c, c.Heuristic, values
	r.heuristic.Order, r.heuristic.Dead = nil, dead
	r.Dead = any("worst")
	if !dead.Worst {
		r.Dead = dead.Value
	}
	r.Weights, r.Heuristic.Features, r.Search.Rule = nil, nil, nil
	for i, name := range r.heuristic.Names() {
		r.Weights = append(r.Weights, member[float64]{name, r.values[i]})
	}
	r.Heuristic.Name, r.Heuristic.Symmetry = cmp.Or(c.Heuristic.Name, c.Name), r.heuristic.Symmetry
	for i := range r.heuristic.Features {
		r.Heuristic.Features = append(r.Heuristic.Features, feature(&r.heuristic.Features[i], values))
	}
	r.Game.FourProbability, r.Objective = c.Rules.FourProbability, c.Objective.String()
	search := c.Play()
	r.Search.Text, r.Search.MinProbability = search.String(), search.MinProbability
	rule := key.Writer{}.Text(&engine.Settings{Rule: search.Rule})
	return json.Unmarshal([]byte(rule), &r.Search.Rule)
}

// feature describes a feature with its numbers, also those that it shares.
func feature(f *eval.Term, values eval.Vector) (all Ordered[any]) {
	alone, own := f.Alone(values)
	f = &alone.Features[0]
	for _, k := range f.Keys() {
		if k.Default != nil || k.Example != "" || k.Tuned || !reflect.ValueOf(k.To).Elem().IsZero() {
			all = append(all, member[any]{k.Name, jsontext.Value(own.Writer().JSON(k))})
		}
	}
	return all
}

// heldOut returns the candidate's figures in the validation, one search after the other.
func heldOut(run results.Run, candidate int) []HeldOut {
	all := []HeldOut{}
	for _, p := range run.Headline.Players {
		// the start may be the champion
		if p.Candidate != candidate || len(all) > 0 && all[len(all)-1].Search == p.Search {
			continue
		}
		h := HeldOut{
			Search: p.Search, Games: p.Games, MeanScore: p.Score.Value, CI: Bounded(p.Score.Interval),
			Fitness: p.Fitness.Value, FitnessCI: Bounded(p.Fitness.Interval),
			Scores: p.Standing.Scores[:min(p.Games, maxScores)],
		}
		for _, tile := range experiments.Tiles {
			if !p.Standing.Untiled {
				share := float64(p.Standing.Reached(tile)) / float64(p.Standing.Score.N)
				h.Reach = append(h.Reach, member[float64]{strconv.Itoa(tile), share})
			}
		}
		for _, other := range run.Headline.Players {
			if other.Search == p.Search && other.Candidate == experiments.StartNumber {
				h.StartMean = other.Score.Value
			}
		}
		if g, known := run.Headline.Over(p.Search); known && g.Candidate == candidate {
			h.Gain, h.GainCI, h.Verdict = &g.Difference.Value, Bounded(g.Difference.Interval), g.Verdict
		}
		all = append(all, h)
	}
	return all
}

// Bounded is an interval in JSON. An unknown interval is null.
func Bounded(i stats.Interval) *[2]float64 {
	if !i.Bounded() {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}
