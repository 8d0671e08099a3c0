package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// compared is a store of comparisons without a database: it has what they ask for.
type compared struct {
	Store
	runs []*comparedRun
}

type comparedRun struct {
	hash        string
	candidates  []Candidate
	games       map[[2]int]simulator.Outcome // by number of the evaluation and index
	comparisons []Comparison
}

var _ Store = (*compared)(nil)

func (s *compared) Begin(_ context.Context, spec RunSpec) (Run, error) {
	for i, r := range s.runs {
		if r.hash == spec.ConfigHash {
			return Run{ID: int64(i), Name: spec.Name, Resumed: true}, nil
		}
	}
	s.runs = append(s.runs, &comparedRun{hash: spec.ConfigHash, games: map[[2]int]simulator.Outcome{}})
	return Run{ID: int64(len(s.runs) - 1), Name: spec.Name}, nil
}

func (s *compared) Candidates(_ context.Context, run int64, first, last int) ([]Candidate, error) {
	return slices.Clone(between(s.runs[run].candidates, first, last)), nil
}

func (s *compared) AddCandidates(_ context.Context, run int64, c []Candidate) error {
	s.runs[run].candidates = c
	return nil
}

func (s *compared) Known(_ context.Context, run int64, questions []Question) (all []Known, err error) {
	for _, q := range questions {
		k := Known{Outcomes: map[int]simulator.Outcome{}}
		for index := range q.Games {
			if o, played := s.runs[run].games[[2]int{q.Number, q.First + index}]; played {
				k.Outcomes[index] = o
			}
		}
		all = append(all, k)
	}
	return all, nil
}

func (s *compared) AddGame(_ context.Context, run int64, g Game) error {
	s.runs[run].games[[2]int{g.Number, g.Index}] = g.Outcome
	return nil
}

func (s *compared) AddEvaluations(context.Context, int64, []Evaluation, bool) error { return nil }

func (s *compared) Questions(_ context.Context, run int64) (map[string]int, error) {
	questions := map[string]int{}
	for _, c := range s.runs[run].comparisons {
		questions[c.Question] = c.Look
	}
	return questions, nil
}

func (s *compared) AddComparisons(_ context.Context, run int64, comparisons []Comparison) error {
	s.runs[run].comparisons = append(s.runs[run].comparisons, comparisons...)
	return nil
}

func (s *compared) Finish(context.Context, int64, string) error { return nil }

// differences returns how many of the recorded verdicts say that players differ.
func (s *compared) differences() (n int) {
	for _, r := range s.runs {
		for _, c := range r.comparisons {
			if c.Verdict == Better || c.Verdict == Worse {
				n++
			}
		}
	}
	return n
}

// equals is a world in which all players are equally good, at every search: scores have the spread
// and skew of real ones.
type equals struct{}

func (equals) Play(_ context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	var streams []uint64
	for _, p := range b.Players {
		streams = append(streams, portable.Hash(0, b.Search.String(), math.Float64bits(p.Values[0])))
	}
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	for i, job := range b.Jobs {
		outcomes[i] = draw(portable.NewSource(job.Seed^streams[job.Player]), typicalMean)
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// TestTheBestOfEqualsIsNotBetter: the best and the worst of 20 equal players are called different
// as seldom as two others when another comparison asks about them. The games that chose them do
// not judge them.
func TestTheBestOfEqualsIsNotBetter(t *testing.T) {
	repeats := many(400)
	fooled := make([]bool, repeats)
	repeat(t, repeats, func(i int) error {
		store := &compared{}
		first := alikes(uint64(i), 20, 1)
		ask := Contest{Config: first, Plan: stats.DefaultPlan(), Games: 200, Simulator: equals{}, Store: store}
		if _, err := ask.Run(context.Background()); err != nil {
			return err
		}
		chosen := slices.MaxFunc(store.runs[0].comparisons, func(a, b Comparison) int {
			return cmp.Compare(math.Abs(a.Difference.Value), math.Abs(b.Difference.Value))
		})
		two := []config.Player{first.Players[chosen.Candidate], first.Players[chosen.Baseline]}
		ask.Config, store.runs = config.NewContest(first.Seed, first.Rules, first.Searches, two), nil
		_, err := ask.Run(context.Background())
		fooled[i] = err == nil && store.differences() > 0
		return err
	})
	n := trues(fooled)
	t.Logf("best and worst are called different in %d of %d", n, repeats)
	if _, most := likely(repeats, 0.05); n > most || n == 0 {
		t.Errorf("best and worst of equals are called different in %d of %d, want at most 5%%", n, repeats)
	}
}

// trues counts.
func trues(all []bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}

// alikes are so many players, compared at so many searches.
func alikes(seed uint64, players, searches int) *config.Contest {
	var all []config.Player
	for i := range players {
		family := eval.Heuristic{Features: []eval.Term{eval.Defaults(eval.Line)}, Symmetry: eval.SymmetryNone}
		all = append(all, config.NewPlayer(fmt.Sprint(i), family, []float64{float64(i + 1)}, eval.Dead{Worst: true}))
	}
	var at []engine.Settings
	for depth := 1; depth <= searches; depth++ {
		at = append(at, engine.FixedDepth(depth))
	}
	return config.NewContest(seed, engine.DefaultRules(), at, all)
}

// TestEqualsAreSeldomCalledDifferent asks of players that are equally good what users ask: whoever
// asks for several searches at once, for more games or for a smaller difference, hears of some
// difference in at most 5% of all cases.
func TestEqualsAreSeldomCalledDifferent(t *testing.T) {
	games := func(numbers ...int) (asked []Contest) {
		for _, n := range numbers {
			asked = append(asked, Contest{Plan: stats.DefaultPlan(), Games: n})
		}
		return asked
	}
	sequential := func(difference float64) Contest { // a design of 20 looks takes a tenth of a second
		return Contest{Plan: stats.Plan{Difference: difference, Level: 0.05, Power: 0.8, Looks: 2}}
	}
	for name, c := range map[string]struct {
		players, searches, repeats int
		asked                      []Contest // one after the other
		objective                  string    // empty: the mean score
	}{
		"three players at three searches":             {3, 3, 1000, games(30), ""},
		"three players at three searches, sequential": {3, 3, 300, []Contest{sequential(0.5)}, ""},
		"games grown by doubling":                     {2, 1, 300, games(4, 8, 16, 32, 64, 128, 256, 512), ""},
		"a smaller difference, then more games": {2, 1, 300,
			append([]Contest{sequential(0.4), sequential(0.25)}, games(200, 400)...), ""},
		"by a share":            {2, 1, 300, []Contest{sequential(0.3)}, "{reach: 2048}"},
		"by the mean logarithm": {2, 1, 300, []Contest{sequential(0.3)}, "mean_log_score"},
	} {
		t.Run(name, func(t *testing.T) {
			repeats := many(c.repeats)
			fooled := make([]bool, repeats)
			repeat(t, repeats, func(i int) error {
				store := &compared{}
				for _, x := range c.asked {
					x.Config, x.Simulator, x.Store = alikes(uint64(i), c.players, c.searches), equals{}, store
					if c.objective != "" {
						x.Config.Objective, _ = config.ParseObjective(c.objective)
					}
					if _, err := x.Run(context.Background()); err != nil {
						return err
					}
				}
				fooled[i] = store.differences() > 0
				return nil
			})
			n := trues(fooled)
			t.Logf("some difference in %d of %d", n, repeats)
			if _, most := likely(repeats, 0.05); n > most || n < repeats/200 { // a test that finds nothing would be none
				t.Errorf("some difference between equals in %d of %d, want at most 5%%", n, repeats)
			}
		})
	}
}
