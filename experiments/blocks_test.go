package experiments

import (
	"context"
	"crypto/sha256"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// keyed returns the key of a question of the start weights' games, which may be edited.
func keyed(t *testing.T, text, folder string, edit func(*Question)) string {
	t.Helper()
	c := synthetic(t, text)
	if c.Heuristic.Bot != nil {
		c.Heuristic.Bot.Folder = folder
		c.Heuristic.Bot.Hashes, _ = c.Heuristic.Bot.Files() // as a run does when it begins
	}
	q := NewQuestion(c.Form().Player(c.Start()), engine.FixedDepth(1), Stream{1, PhaseTuning, "explore", 2}, 60, 5)
	edit(&q)
	return q.key()
}

// TestKeysAreOfTheContent: a question has the same key wherever it stands and whatever the player
// is called. It has another one if anything differs on which the games of its slice depend.
func TestKeysAreOfTheContent(t *testing.T) {
	const heuristic = "name: a\nheuristic: {features: [{feature: empty, name: x, weight: {min: 0, max: 9, start: 3}}]}\n"
	const bot = "player: {command: [./bot, -v], answers: games, weights: {w: {min: 0, max: 100}}}\n"
	folder := t.TempDir()
	write := func(text string) { must(t, os.WriteFile(filepath.Join(folder, "bot"), []byte(text), 0o600)) }
	write("one")
	same := func(*Question) {}
	for _, c := range []struct {
		text, old, new string
		edit           func(*Question)
		equal          bool
	}{
		{heuristic, "name: a\n", "name: b\n", same, true},
		{heuristic, "name: x", "name: y", same, true},
		{heuristic, "name: a\n", "name: a\nobjective: {reach: 2048}\n", same, true},
		{heuristic, "max: 9", "max: 90", same, true},
		{heuristic, "", "", func(q *Question) { q.Stage, q.Generation, q.Round, q.Candidate, q.Number = "s", 3, 4, 5, 6 },
			true},
		{heuristic, "", "", func(q *Question) { q.First, q.Games = 99, 1 }, true},
		{bot, "", "", same, true},
		{heuristic, "name: a\n", "name: a\ngame: {four_probability: 0.2}\n", same, false},
		{heuristic, "start: 3", "start: 4", same, false},
		{heuristic, "feature: empty", "feature: merges", same, false},
		{heuristic, "{features", "{dead: 0, features", same, false},
		{heuristic, "{features", "{symmetry: best, features", same, false},
		{heuristic, "", "", func(q *Question) { q.Search = "depth 2" }, false},
		{heuristic, "", "", func(q *Question) { q.Seeds.Seed = 2 }, false},
		{heuristic, "", "", func(q *Question) { q.Seeds.Phase = PhasePlayoff }, false},
		{heuristic, "", "", func(q *Question) { q.Seeds.Salt = "refine" }, false},
		{heuristic, "", "", func(q *Question) { q.Seeds.Generation = 1 }, false},
		{heuristic, "", "", func(q *Question) { q.First = 49 }, false},
		{heuristic, "", "", func(q *Question) { q.First = 100 }, false},
		{bot, "-v", "-w", same, false},
		{bot, "games", "moves", same, false},
		{bot, "w: {", "u: {", same, false},
	} {
		was := keyed(t, c.text, folder, same)
		if got := keyed(t, strings.Replace(c.text, c.old, c.new, 1), folder, c.edit); (got == was) != c.equal {
			t.Errorf("%q for %q in %q: key %x, before %x", c.new, c.old, c.text, got, was)
		}
	}
	was := keyed(t, bot, folder, same)
	if write("two"); keyed(t, bot, folder, same) == was {
		t.Error("another file of the bot: the same key")
	}
	zero := func(x float64) func(*Question) {
		return func(q *Question) { q.hash = q.player.Form.Player(eval.Vector{x}).Hash() }
	}
	if keyed(t, heuristic, folder, zero(0)) != keyed(t, heuristic, folder, zero(math.Copysign(0, -1))) {
		t.Error("-0 has another key than 0")
	}
	// The signature is a constant of the program: a key is a hash over it, too.
	c := synthetic(t, heuristic)
	sum := sha256.Sum256([]byte(simulator.Signature + "\n" + c.Form().Player(c.Start()).Hash() +
		"\ndepth 1\ntuning\n\"explore\"\n" +
		"\x00\x00\x00\x00\x00\x00\x00\x01" + "\x00\x00\x00\x00\x00\x00\x00\x02" + "\x00\x00\x00\x00\x00\x00\x00\x01"))
	if got, want := keyed(t, heuristic, folder, same), string(sum[:16]); got != want {
		t.Errorf("key %x, want %x", got, want)
	}
}

// TestSlices: the questions of a block are its games, slice by slice. Each has its own number.
func TestSlices(t *testing.T) {
	c := synthetic(t, whole)
	p, player := newSession(nil, Run{}, nil, fitness.MeanScore, make([]PlannedPart, 1), nil), c.Form().Player(c.Start())
	p.candidates.known = map[int]candidate{4: {player: player}, 2: {player: player}}
	p.number = func(_ Block, candidate, slice int) int { return 10*candidate + slice }
	for _, games := range []int{1, 50, 51, 120} {
		for _, first := range []int{0, 7, 49, 50} {
			all, err := p.questions(Block{Place: Place{Phase: PhaseValidation, Search: "depth 1"}, Candidates: []int{4, 2},
				First: first, Games: games})
			must(t, err)
			at := first
			for i, q := range all {
				candidate, end := [2]int{4, 2}[i%2], min(first+games, (at/SliceGames+1)*SliceGames)
				if q.Candidate != candidate || q.First != at || at+q.Games != end || q.Number != 10*candidate+at/SliceGames ||
					q.Key != q.key() {
					t.Errorf("%d games from %d: %+v, want candidate %d from %d to %d", games, first, q.Evaluation, candidate, at, end)
				}
				if i%2 == 1 {
					at = end
				}
			}
			if at != first+games {
				t.Errorf("%d games from %d: the questions end at %d", games, first, at)
			}
		}
	}
}

// shuffled reports the games of a batch in a random order.
type shuffled struct {
	Simulator
	random *portable.Source
}

func (s shuffled) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes, order := make([]simulator.Outcome, len(batch.Jobs)), make([]int, len(batch.Jobs))
	_, err := s.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		outcomes[job] = o
		return nil
	})
	for i := range order {
		k := int(s.random.Float64() * float64(i+1))
		order[i], order[k] = order[k], i
	}
	for _, job := range order {
		if err == nil {
			err = finished(job, outcomes[job])
		}
	}
	return outcomes, err
}

// TestPartsDoNotDependOnTheOrder in which games end: the same evaluations are recorded in the
// same order. A candidate that fails has no evaluation after its failure, and no game in later
// parts.
func TestPartsDoNotDependOnTheOrder(t *testing.T) {
	var want []Evaluation
	for seed := range uint64(5) {
		f := newFinalists(t)
		s, memory := stateOf(f.config, 1, f.landscape)
		store := &keeper{memory: memory}
		s.session.store = store
		numbers, err := s.register(t.Context(),
			[]tuner.Candidate{{Values: []float64{3, 0}}, {Values: []float64{1, 1}}, {Values: []float64{1, 2}}}, "", 0)
		must(t, err)
		b := Block{Place: Place{Phase: PhaseValidation, Search: f.config.Validation.Searches()[0].String()},
			Candidates: numbers, Games: 3000}
		s.session.Simulator = shuffled{failing{f.landscape, 1, b.Stream(1, "").At(730)}, portable.NewSource(seed)}
		_, err = s.play(t.Context(), b)
		must(t, err)
		must(t, store.AddEvaluations(t.Context(), 1, nil, true)) // commits what is held back
		if want == nil {
			want = store.evaluations
		}
		if !s.failed.has(numbers[1]) || len(store.evaluations) != 135 || !reflect.DeepEqual(store.evaluations, want) {
			t.Errorf("order %d: %d evaluations, want %d, without those behind a failure: %v", seed, len(store.evaluations),
				len(want), s.failed)
		}
		recorded := map[int]bool{}
		for _, e := range store.evaluations {
			recorded[e.Number] = true
		}
		for _, g := range store.games { // the part with the failure ends at 1,500
			if g.Index >= 1500 && !recorded[g.Number] {
				t.Errorf("order %d: game %d of evaluation %d is added behind a failure", seed, g.Index, g.Number)
			}
		}
	}
}
