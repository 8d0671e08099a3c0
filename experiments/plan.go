package experiments

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
)

// PlannedPart is a part of the plan.
type PlannedPart struct {
	Phase, Stage string
	Search       string
	Generations  int
	Candidates   int   // in a generation
	Games        int64 // in all, at most
	Expected     int64 // games in all that are likely to be played
	Looks        int64 // of these, games of looks at the centre of a tuning
	Rounds       int   // of a generation: each waits for the last game of the one before
	Settings     engine.Settings
}

// Planner plans a config.
type Planner struct {
	Config *config.Config
	costs  *costs
}

// NewPlanner returns the planner of a config.
func NewPlanner(c *config.Config) *Planner { return &Planner{c, newCosts(c)} }

// Plan lists what a run will play, in order, if its tuning has at most so many generations in all.
// Stages may end earlier, races stop who is out, and identical candidates of a generation play
// once.
func (p *Planner) Plan(ctx context.Context, generations int) (plan []PlannedPart) {
	c, played, last := p.Config, int64(0), 0
	for i, stage := range c.Stages {
		b := planned(PhaseTuning, stage.Search, c.Optimizer.Candidates(), 0, stage.Rounds)
		most, games := stage.Length()
		b.Stage = stage.Name
		b.Generations, b.Games, b.Expected = foretell(c, stage, min(most, generations), games, played)
		generations -= b.Generations
		if b.Generations > 0 {
			last = i
			b.Looks = looksBetween(c, stage, 0, 0, 0, b.Expected, b.Expected/int64(b.Generations))
			b.Games += looksBetween(c, stage, 0, 0, 0, b.Games, 1) // as early as can be
		}
		played += b.Expected
		b.Expected += b.Looks
		plan = append(plan, b)
	}
	unit := c.Stages[last].Search
	tuning := func() (all float64) {
		for _, b := range plan {
			all += float64(float64(b.Expected-b.Looks) * p.cost(ctx, b.Settings, unit))
		}
		return all
	}
	trend := slices.ContainsFunc(plan, func(b PlannedPart) bool { return b.Generations >= minTrend })
	return append(plan, p.after(ctx, tuning, unit, trend)...)
}

// after lists what follows a tuning that cost so many games at a search.
func (p *Planner) after(ctx context.Context, tuning func() float64, search engine.Settings, trend bool) []PlannedPart {
	return planAfter(judged(p.Config, tuning, func(other engine.Settings) float64 { return p.cost(ctx, other, search) }),
		trend)
}

// cost is the cost of a search in units of another one, as far as a second tells.
func (p *Planner) cost(ctx context.Context, search, unit engine.Settings) float64 {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return p.costs.relative(ctx, search, unit)
}

// foretell returns the generations of a stage that begins after so many games of tuning, and its
// games: at most, and likely. Each candidate plays ever more of them, up to a number.
func foretell(c *config.Config, stage config.Stage, generations int, most, before int64) (n int, atMost, likely int64) {
	candidates := c.Optimizer.Candidates()
	for n < generations {
		games := stage.GamesAfter(before + likely)
		each, share := int64(games)*int64(candidates), expectedGames(PhaseTuning, candidates, dealt(games, stage.Rounds), 0)
		if likely+each > most {
			break
		}
		times := int64(1)
		if stage.Games > 0 || stage.GamesAfter(math.MaxInt64/2) == games { // all others are alike
			times = int64(generations - n)
			if most < math.MaxInt {
				times = min(times, (most-likely-each)/share+1)
			}
		}
		n, atMost, likely = n+int(times), atMost+times*each, likely+times*share
	}
	return n, min(atMost, most), likely
}

// planAfter lists what a config plays after the tuning, all of whose sizes are known.
func planAfter(c *config.Config, trend bool) (plan []PlannedPart) {
	plan = append(plan, planned(PhasePlayoff, c.Playoff.Search, max(c.Playoff.Finalists, 2+len(c.Starts)),
		c.Playoff.Games, c.Playoff.Rounds))
	for i, search := range c.Validation.Searches() {
		plan = append(plan, planned(PhaseValidation, search, heldOutPlayers(c), c.Validation.GamesAt(i), 1))
	}
	if p := c.Ablation; p.Games > 0 {
		plan = append(plan, planned(PhaseAblation, p.Search, 1+len(c.Heuristic.Features), p.Games, pairLooks))
		if trend {
			plan = append(plan, planned(PhaseTrend, p.Search, 2, p.Games, pairLooks))
		}
	}
	return plan
}

// Searches lists the searches of a config's games, each once.
func Searches(c *config.Config) (searches []engine.Settings) {
	add := func(search engine.Settings) {
		same := func(other engine.Settings) bool { return other.String() == search.String() }
		if !slices.ContainsFunc(searches, same) {
			searches = append(searches, search)
		}
	}
	for _, stage := range c.Stages {
		add(stage.Search)
	}
	for _, search := range append([]engine.Settings{c.Playoff.Search}, c.Validation.Searches()...) {
		add(search)
	}
	if c.Ablation.Games != 0 {
		add(c.Ablation.Search)
	}
	return searches
}

// planned is a part of the plan in which each candidate plays the given number of games.
func planned(phase string, search engine.Settings, candidates, games, rounds int) PlannedPart {
	return PlannedPart{
		Phase: phase, Search: search.String(), Settings: search, Generations: 1, Candidates: candidates,
		Games: int64(candidates) * int64(games), Rounds: rounds,
		Expected: expectedGames(phase, candidates, dealt(games, rounds), 0),
	}
}

// The share of the games after a round that is played on average, by the candidates that play in
// this round. Races and pairs end early by their scores, so these shares were measured.
// Generations of quickstart and nneonneo had 0.65 to 0.78, and seven playoffs 0.72 to 0.88. The
// rest is from eight runs of seven heuristics at depth 3. With 4,000 games a pair, ablations had 0
// to 0.6, on average 0.25, as the first look decides most features. Few games decide fewer. Trends
// had 0.14 to 1, on average 0.66, and six others had 1. A feature that the second look leaves open
// mostly plays to the end.
const (
	goesOn      = 0.75
	goesOnLate  = 0.9 // in a trend, and from the third round of an ablation
	goesOnSmall = 0.6 // in an ablation of at most so many games a pair, and less in longer ones
	smallGames  = 600
)

// expectedGames returns how many games candidates are likely to play that are dealt these rounds,
// from the round at hand on.
func expectedGames(phase string, candidates int, rounds []int, round int) int64 {
	share, rest, all := goesOn, 0, 0
	for _, games := range rounds {
		all += games
	}
	switch {
	case phase == PhaseAblation && round == 0:
		share = min(goesOnSmall, max(goesOn/3, goesOnSmall*smallGames/float64(max(1, all))))
	case phase == PhaseTrend || round > 1 && phase == PhaseAblation:
		share = goesOnLate
	}
	for _, games := range rounds[round+1:] {
		rest += games
	}
	return int64(float64(candidates) * (float64(rounds[round]) + float64(share*float64(rest))))
}

// heldOutPlayers is how many play in the validation at most: the champion, the start weights, and
// the references that differ from these and from one another.
func heldOutPlayers(c *config.Config) int {
	r := newRegistry(c)
	champion := eval.Vector(slices.Repeat([]float64{math.NaN()}, len(r.start))) // unlike any other
	r.add(Candidate{Dead: c.Heuristic.Dead}, r.start)
	r.add(Candidate{Dead: c.Heuristic.Dead}, champion)
	r.addReferences(champion)
	return r.next
}

// CheckPlan reports why a config cannot be run as an experiment: nothing to tune, or more games
// in a round than fit into the memory.
func CheckPlan(c *config.Config) error {
	if len(c.Tunable()) == 0 {
		key, example := "heuristic.features", "weight: {min: 0, max: 1000, start: 270}"
		if c.Heuristic.Bot != nil {
			key, example = "player.weights", "smooth: {min: 0, max: 10, start: 0.1}"
		}
		return fmt.Errorf("%s: %s: nothing to tune: give at least one number a range, such as %s", c.Path, key, example)
	}
	if ending := path.Ext(c.Name); config.HasFileEnding(c.Name) {
		return fmt.Errorf("%s: name: %s looks like a file: want another name, such as %s", c.Path, c.Name,
			strings.TrimSuffix(c.Name, ending)+"-"+ending[1:])
	}
	if err := config.CheckName(c.Name); err != nil {
		return fmt.Errorf("%s: name: %w", c.Path, err)
	}
	for _, r := range c.References {
		for _, w := range c.Weights {
			x, given := r.Weights[w.Name]
			if c.Heuristic.Bot != nil && w.Tunable && given && !(x >= w.Min && x <= w.Max) {
				return fmt.Errorf("%s: references.%s: %s: want %v to %v, got %v: a bot is never played outside its ranges", c.Path,
					r.Name, w.Name, w.Min, w.Max, x)
			}
		}
	}
	if _, err := newOptimizer(c); err != nil {
		return fmt.Errorf("%s: optimizer: %w", c.Path, err)
	}
	for _, stage := range c.Stages {
		games := max(stage.Games, stage.GamesAfter(0))
		if round := int64(c.Optimizer.Candidates()) * int64(dealt(games, stage.Rounds)[0]); round > MaxBatch {
			return fmt.Errorf("%s: stages: %s: want at most %d games in a round, got %d: lower games or population, or deal "+
				"them in more rounds",
				c.Path, stage.Name, MaxBatch, round)
		}
	}
	return nil
}
