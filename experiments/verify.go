package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// Records are what a run found, at one moment.
type Records struct {
	Candidates  []Candidate  // by number
	Evaluations []Evaluation // in the order of their first games
	Comparisons []Comparison // by phase, search, candidate, baseline and look
}

// Verification checks a run in two steps. It decides again from the stored evaluations, as resuming
// does, and compares candidates, comparisons and champion. Then it plays evaluations again and
// compares their scores.
type Verification struct {
	Config    *config.Config // of an experiment, or
	Contest   *config.Contest
	Run       Run    // as stored
	Programs  string // of the run: the hashes of its bots' files, see RunSpec
	Champion  int    // as stored; -1: none
	Records   Records
	Simulator Simulator
	Games     int64          // to play again at least, if the run has them
	All       bool           // play all games again
	Seed      uint64         // of the choice
	Observe   func(Verified) // called for each game that was played again; may be nil
}

// Verified is the result of a verification.
type Verified struct {
	Evaluations int      `json:"evaluations"` // of the run
	Games       int64    `json:"games"`       // of these
	Planned     int64    `json:"planned"`     // games that are played again
	Played      int64    `json:"played"`      // of those, so far
	Replayed    int      `json:"replayed"`    // evaluations that were played again as a whole
	Differences []string `json:"differences"` // in words
	Unverified  []string `json:"unverified"`  // facts that were not checked, in words
}

// verifier is a verification under way.
type verifier struct {
	Verification
	found       Verified
	forms       registry
	evaluations map[string]Evaluation // by key; a key has the same games wherever it stands
	asked       []askedEvaluation
	made        []Comparison // by the decisions that were made again
	champion    int
	salt        string
	reached     string // the phase of the last block
}

// askedEvaluation is an evaluation that the decisions asked for, with its weights and seeds.
type askedEvaluation struct {
	Evaluation
	player eval.Player
	search engine.Settings
	seeds  []uint64
}

// errMissing ends decisions that are made again: an evaluation is not there.
var errMissing = errors.New("an evaluation is missing")

// Verify carries the verification out. When ctx is done, it returns the result so far with ctx's
// error.
func (v Verification) Verify(ctx context.Context) (Verified, error) {
	w := &verifier{Verification: v, champion: -1, evaluations: map[string]Evaluation{}}
	w.found.Differences, w.found.Unverified = []string{}, []string{}
	if now, err := Programs(w.Players()...); err != nil {
		return w.found, err
	} else if now != v.Programs {
		return w.found, fmt.Errorf("run %s: the files of its bot are not those that played: it has %s, here are %s",
			v.Run.Name, v.Programs, now)
	}
	for _, e := range v.Records.Evaluations {
		w.evaluations[e.Key] = e
		w.found.Games += int64(len(e.Scores))
	}
	w.found.Evaluations = len(v.Records.Evaluations)
	err := w.decide(ctx)
	if err == nil {
		err = w.replay(ctx)
	}
	return w.found, err
}

// Players returns the players of the run's config.
func (v Verification) Players() (list []*eval.Heuristic) {
	if v.Contest == nil {
		return []*eval.Heuristic{&v.Config.Heuristic}
	}
	for i := range v.Contest.Players {
		list = append(list, &v.Contest.Players[i].Heuristic)
	}
	return list
}

func (v *verifier) differ(format string, args ...any) {
	v.found.Differences = append(v.found.Differences, fmt.Sprintf(format, args...))
}

// decide makes the run's decisions again, and compares them with the records.
func (v *verifier) decide(ctx context.Context) error {
	all := v.Records.Evaluations
	ended := true
	if v.Contest != nil {
		v.compared(all)
	} else {
		v.forms = newRegistry(v.Config)
		_, err := Experiment{Config: v.Config, Store: v, Simulator: v}.Run(ctx)
		switch ended = err == nil; {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errMissing) && v.Run.Status == Finished:
			v.differ("%s: %v", v.reached, err)
		case err != nil && !errors.Is(err, errMissing):
			v.differ("%v", err)
		}
	}
	asked := map[Place]bool{}
	for _, e := range v.asked {
		asked[e.Place] = true
	}
	var strange []Evaluation
	for _, e := range all {
		if !asked[e.Place] {
			strange = append(strange, e)
		}
	}
	if len(strange) > 0 {
		v.differ("%s: no decision of the run asks for these games, nor for %d evaluations after them",
			strange[0].Place, len(strange)-1)
	}
	if !ended {
		v.found.Unverified = append(v.found.Unverified,
			"the run has not ended: its decisions were checked up to "+v.reached)
	}
	if v.Contest == nil {
		v.compareAll(ended)
	}
	return nil
}

// compareAll compares the champion and the comparisons with the records.
func (v *verifier) compareAll(ended bool) {
	// A process may have ended between a phase's last games and the decision by them.
	undecided := func(phase string) bool {
		return v.Run.Status != Finished && (len(v.asked) == 0 || v.asked[len(v.asked)-1].Phase == phase)
	}
	open := v.Champion < 0 && undecided(PhasePlayoff)
	if (ended || v.champion >= 0) && !open && (v.champion != v.Champion || v.salt != v.Run.HeldOutSalt) {
		v.differ("champion: stored candidate %d, found %d; or its held-out games have another salt", v.Champion,
			v.champion)
	}
	if !ended && v.champion < 0 && v.Champion >= 0 {
		v.differ("champion: stored candidate %d, and the playoff has not ended", v.Champion)
	}
	key := func(c Comparison) string {
		text := fmt.Sprint(c.Phase, " at ", c.Search, ", ", c.Candidate, " against ", c.Baseline)
		if c.Look != 0 {
			text += fmt.Sprint(", look ", c.Look)
		}
		return text
	}
	stored := map[string]Comparison{}
	for _, c := range v.Records.Comparisons {
		stored[key(c)] = c
	}
	for _, c := range v.made {
		if was, known := stored[key(c)]; !known && !undecided(c.Phase) {
			v.differ("%s: it is not recorded", key(c))
		} else if known && !reflect.DeepEqual(was, c) {
			v.differ("%s: stored %+v, found %+v", key(c), was, c)
		}
		delete(stored, key(c))
	}
	for _, c := range v.Records.Comparisons {
		if _, left := stored[key(c)]; left {
			v.differ("%s: no decision of the run makes this comparison", key(c))
		}
	}
}

// compared checks a comparison: its players' games, and the figures of each row.
func (v *verifier) compared(all []Evaluation) {
	v.found.Unverified = append(v.found.Unverified,
		"the verdicts of a comparison: they also depend on the searches and questions of the command")
	m := newMatch(Contest{Store: v, Simulator: v, Configs: []*config.Contest{v.Contest}}, v.Contest, v.Run)
	for number, p := range m.players {
		if number >= len(v.Records.Candidates) || v.Records.Candidates[number].PlayHash != p.Hash() {
			v.differ("player %d: the candidate is not the config's", number)
		}
	}
	for _, e := range all {
		index := int(e.Game % int64(m.limit()))
		if e.Candidate < 0 || e.Candidate >= len(m.of) || e.Game/int64(m.limit()) != int64(e.Candidate) ||
			len(m.of[e.Candidate].scores) != index {
			v.differ("%s: no player of the comparison plays these games", e.Place)
			continue
		}
		b := m.block(e.Candidate, index, index+len(e.Scores))
		v.evaluations[e.Key] = e // two players with the same games have the same key
		v.ask(b, 0, m.blocks.keys(b)[0], m.blocks.player(e.Candidate))
		r := &m.of[e.Candidate]
		r.scores, r.ranks, r.hashes = append(r.scores, e.Scores...), append(r.ranks, e.Ranks...),
			append(r.hashes, e.GamesHash)
	}
	played := func(number, games int) bool {
		return number >= 0 && number < len(m.of) && games > 0 && games <= len(m.of[number].scores)
	}
	sample := func(number, games int) (r record) {
		r.scores = m.of[number].scores[:games]
		r.ranks = m.of[number].ranks[:min(games, len(m.of[number].ranks))]
		r.measure(v.Contest.Objective)
		return r
	}
	for _, c := range v.Records.Comparisons {
		if !played(c.Candidate, c.Games) || !played(c.Baseline, c.BaselineGames) || !(c.Confidence > 0 && c.Confidence < 1) {
			v.differ("candidate %d against %d: no comparison of the run has %d against %d games and a confidence of %v",
				c.Candidate, c.Baseline, c.Games, c.BaselineGames, c.Confidence)
			continue
		}
		a, b := sample(c.Candidate, c.Games), sample(c.Baseline, c.BaselineGames)
		difference, ratio, _ := v.Contest.Objective.Compare(a.Sample, b.Sample, stats.PairsOf(a.figures, b.figures),
			c.Confidence)
		if difference.Value != c.Difference.Value || ratio.Value != c.Ratio.Value {
			v.differ("candidate %d against %d: the difference is stored as %v, found %v", c.Candidate, c.Baseline,
				c.Difference.Value, difference.Value)
		} else if i := difference.Interval; i.Low != i.High &&
			(i != c.Difference.Interval || ratio.Interval != c.Ratio.Interval) {
			v.differ("candidate %d against %d: the interval of the difference is stored as %v, found %v",
				c.Candidate, c.Baseline, c.Difference.Interval, i)
		}
	}
}

// ask notes that the run asks for the evaluation of the block's candidate with this index. It
// returns false if there is none.
func (v *verifier) ask(b Block, i int, key string, player eval.Player) (Evaluation, bool) {
	e, known := v.evaluations[key]
	if !known {
		return e, false
	}
	if at := b.place(i); e.Place != at {
		v.differ("%s: these games stand at %s", at, e.Place)
		e.Place = at
	}
	if len(e.Scores) != len(b.Seeds) && e.Failure == "" {
		v.differ("%s: want %d scores, got %d", e.Place, len(b.Seeds), len(e.Scores))
		return e, false
	}
	search, _ := engine.ParseSettings(b.Search) // the run made the text
	v.asked = append(v.asked, askedEvaluation{e, player, search, b.Seeds})
	return e, true
}

// replay plays evaluations again, in a random order, until there are enough games.
func (v *verifier) replay(ctx context.Context) error {
	chosen := slices.Clone(v.asked)
	random := rand.New(rand.NewPCG(v.Seed, portable.Hash(v.Seed, "verify")))
	random.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	n := 0
	for n < len(chosen) && (v.All || v.found.Planned < v.Games) {
		v.found.Planned += int64(len(chosen[n].Scores))
		n++
	}
	chosen = chosen[:n]
	slices.SortFunc(chosen, func(a, b askedEvaluation) int {
		return cmp.Or(strings.Compare(a.Search, b.Search), cmp.Compare(a.Game, b.Game))
	})
	for len(chosen) > 0 {
		n := 1 // of one search
		for n < min(100, len(chosen)) && chosen[n].Search == chosen[0].Search {
			n++
		}
		some := chosen[:n]
		chosen = chosen[n:]
		batch := simulator.Batch{Search: some[0].search}
		for _, e := range some {
			for _, seed := range e.seeds {
				batch.Jobs = append(batch.Jobs, simulator.Job{Player: len(batch.Players), Seed: seed})
			}
			batch.Players = append(batch.Players, e.player)
		}
		outcomes, err := v.Simulator.Play(ctx, batch, func(job int, _ simulator.Outcome) error {
			if len(some[batch.Jobs[job].Player].Scores) > 0 { // one that failed has no scores
				v.found.Played++
			}
			if v.Observe != nil {
				v.Observe(v.found)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, e := range some {
			v.compareGames(e.Evaluation, summarize(e.Place, e.Key, outcomes[:len(e.seeds)]))
			outcomes = outcomes[len(e.seeds):]
		}
	}
	return nil
}

// compareGames compares an evaluation with its games, played again.
func (v *verifier) compareGames(stored, found Evaluation) {
	v.found.Replayed++
	var texts []string
	for _, d := range []struct {
		name          string
		stored, found any
	}{{"scores", stored.Scores, found.Scores}, {"ranks", stored.Ranks, found.Ranks},
		{"moves", stored.Moves, found.Moves},
		{"nodes", stored.Nodes, found.Nodes}, {"games_hash", stored.GamesHash, found.GamesHash},
		{"failure", stored.Fault(), found.Fault()}} {
		if !reflect.DeepEqual(d.stored, d.found) {
			texts = append(texts, fmt.Sprintf("%s stored %v, found %v", d.name, d.stored, d.found))
		}
	}
	if texts != nil {
		v.differ("%s: %s", stored.Place, strings.Join(texts, ", "))
	}
}

// The decisions run on the verifier as their store and their simulator: it answers from the
// records, and plays nothing.

// Play implements Simulator: a game that is to be played is missing.
func (v *verifier) Play(context.Context, simulator.Batch,
	func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return nil, errMissing
}

func (v *verifier) Begin(context.Context, RunSpec) (Run, error) {
	run := v.Run
	run.Status, run.Resumed, run.HeldOutSalt = Running, true, ""
	return run, nil
}

func (v *verifier) Recall(_ context.Context, _ int64, blocks ...Block) (all []Recalled, err error) {
	failed := map[int]bool{}
	for _, b := range blocks {
		if v.reached = b.Phase; b.Stage != "" {
			v.reached += fmt.Sprintf(" %s, generation %d", b.Stage, b.Generation)
		}
		r := Recalled{Evaluations: map[int]Evaluation{}, Recorded: true}
		for i, number := range b.Candidates {
			if failed[number] { // it played no further block
				continue
			}
			c := v.Records.Candidates[min(number, len(v.Records.Candidates)-1)]
			player, err := StoredPlayer(v.forms.form(c.Dead), c)
			if err != nil {
				return nil, err
			}
			e, known := v.ask(b, i, b.Keys[i], player)
			if !known {
				return nil, fmt.Errorf("%s: %w", b.place(i), errMissing)
			}
			r.Evaluations[number] = e
			failed[number] = e.Failure != ""
		}
		all = append(all, r)
	}
	return all, nil
}

func (v *verifier) Candidates(_ context.Context, _ int64, first, last int) ([]Candidate, error) {
	return between(v.Records.Candidates, first, last), nil
}

func (v *verifier) AddCandidates(_ context.Context, _ int64, candidates []Candidate) error {
	return fmt.Errorf("candidate %d: %w", candidates[0].Number, errMissing)
}

func (v *verifier) AddGame(context.Context, int64, Game) error { return errMissing }

func (v *verifier) AddEvaluations(context.Context, int64, []Evaluation, bool) error {
	return errMissing
}

func (v *verifier) SetStop(context.Context, int64, int) error { return nil }

func (v *verifier) SetChampion(_ context.Context, _ int64, candidate int, salt string) error {
	v.champion, v.salt = candidate, salt
	return nil
}

func (v *verifier) SetUnrepeatable(context.Context, int64, string) error { return nil }

func (v *verifier) AddComparisons(_ context.Context, _ int64, comparisons []Comparison) error {
	v.made = append(v.made, comparisons...)
	return nil
}

func (v *verifier) Questions(context.Context, int64) (map[string]int, error) { return nil, nil }

func (v *verifier) Finish(context.Context, int64, string) error { return nil }
