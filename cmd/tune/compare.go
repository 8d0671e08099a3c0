package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// compareFlags are what compare takes beside the players.
type compareFlags struct {
	config, database  string
	searches          []engine.Settings
	plan              stats.Plan
	games, workers    int
	seed              uint64
	onlyPlan          percent100
	frontier, asJSON  bool
	fresh, fixedGames bool
}

// compare finds out which of several players is best, on fresh games.
func compare(ctx context.Context, in *invocation) error {
	f := in.flags()
	c := compareFlags{plan: stats.DefaultPlan()}
	f.StringVar(&c.config, "config", "", "`FILE` of the config that weights files belong to")
	databaseFlag(f, &c.database)
	f.Func("depth", "search exactly this many `PLIES` deep; several: 3,5; default: the searches that the first player's config validates", c.addDepths)
	f.Func("search", "`SEARCH` by a rule, as the database writes it: \"depth by distinct -2 least 3 p 0.0001\"; may be repeated", c.addSearch)
	f.IntVar(&c.games, "games", 0, "games of each player, instead of as many as the sequential test asks for")
	f.Var((*percent100)(&c.plan.Difference), "difference", "smallest `DIFFERENCE` of the mean scores that matters, such as 5%")
	f.Var((*percent100)(&c.plan.Level), "level", "`PROBABILITY` of calling any equal players different")
	f.Var((*percent100)(&c.plan.Power), "power", "`PROBABILITY` of finding a difference of that size")
	f.Var(&c.onlyPlan, "plan", "only print how many games each player needs to tell this `DIFFERENCE`, such as 2%")
	f.BoolVar(&c.frontier, "frontier", false, "only print the best mean score for each cost among all held-out games in the database")
	f.Uint64Var(&c.seed, "seed", 2048, "`SEED` of the games")
	f.IntVar(&c.workers, "workers", runtime.NumCPU(), "games played at once; no result depends on it")
	f.BoolVar(&c.fresh, "new", false, "start afresh even if these players have been compared before")
	f.BoolVar(&c.asJSON, "json", false, "print what was found as JSON")
	arguments, err := in.parse(f)
	if err != nil {
		return err
	}
	c.fixedGames = given(f, "games")
	if err := c.check(f, arguments); err != nil {
		return err
	}
	switch {
	case c.frontier:
		return in.frontier(ctx, c)
	case c.onlyPlan > 0:
		return in.planComparison(ctx, c, arguments)
	}
	return in.comparePlayers(ctx, c, arguments)
}

// check reports what is wrong with the flags.
func (c *compareFlags) check(f *flag.FlagSet, players []string) error {
	planning := given(f, "plan")
	if planning {
		c.plan.Difference = float64(c.onlyPlan)
	}
	switch {
	case c.frontier && (planning || len(players) > 0):
		return usagef("compare: -frontier stands alone: it looks at everything in the database")
	case !c.frontier && !planning && len(players) < 2:
		return usagef("compare: want at least 2 players, got %d: runs, candidate ids, weights files or configs; try: tune help compare", len(players))
	case len(players) > configs.MaxPlayers:
		return usagef("compare: want at most %d players, got %d", configs.MaxPlayers, len(players))
	case c.workers < 1 || c.workers > 1024:
		return usagef("compare: -workers: want 1 to 1024, got %d", c.workers)
	case c.fixedGames && c.games < 2:
		return usagef("compare: -games: want at least 2, got %d", c.games)
	case c.seed >= 1<<53:
		return usagef("compare: -seed: want less than 2^53, got %d", c.seed)
	}
	if err := c.plan.Validate(); err != nil {
		return usagef("compare: -%w", err)
	}
	return nil
}

// percent100 is a share that may be written as a percentage: 5% or 0.05.
type percent100 float64

func (p *percent100) String() string { return fmt.Sprintf("%.6g%%", 100*float64(*p)) }

func (p *percent100) Set(text string) error {
	number, isPercent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v > 0) {
		return errors.New("want a share such as 5% or 0.05")
	}
	if isPercent {
		v /= 100
	}
	*p = percent100(v)
	return nil
}

func (c *compareFlags) addDepths(text string) error {
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("want plies such as 3 or 3,5")
		}
		s := engine.FixedDepth(n)
		if err := s.Validate(); err != nil {
			return err
		}
		c.add(s)
	}
	return nil
}

func (c *compareFlags) addSearch(text string) error {
	s, err := engine.ParseSettings(text)
	if err == nil {
		c.add(s)
	}
	return err
}

// add adds a search unless it is there.
func (c *compareFlags) add(s engine.Settings) {
	for _, known := range c.searches {
		if known.String() == s.String() {
			return
		}
	}
	c.searches = append(c.searches, s)
}

// comparePlayers plays, one search after the other.
func (in *invocation) comparePlayers(ctx context.Context, c compareFlags, arguments []string) (err error) {
	store, err := in.openExisting(ctx, c.database)
	if err != nil {
		return err
	}
	defer func() {
		if store != nil {
			err = errors.Join(err, store.Close())
		}
	}()
	var reader *results.Reader
	if store != nil {
		reader = store.Reader()
	}
	contenders, err := in.contenders(ctx, c, reader, arguments)
	if err != nil {
		return err
	}
	if len(c.searches) == 0 {
		c.searches = contenders[0].searches
	}
	players, at := different(contenders)
	found := comparison{flags: c, contenders: contenders}
	var asked []experiments.Comparison
	var numbers []int // of the different players
	for _, search := range c.searches {
		if len(players) == 1 {
			found.addSame(search)
			continue
		}
		x := experiments.Comparison{Plan: c.plan, Games: c.games, New: c.fresh}
		x.Config, numbers = configs.NewComparison(c.seed, contenders[0].rules, search, players)
		if err := x.Check(); err != nil {
			return usageError{err}
		}
		asked = append(asked, x)
	}
	order := make([]int, len(contenders))
	for i := range order {
		if len(asked) > 0 {
			order[i] = numbers[at[i]]
		}
	}
	if store == nil && len(asked) > 0 { // only now: a mistake leaves no empty database behind
		if store, err = results.Open(c.database); err != nil {
			return err
		}
	}
	if store != nil {
		store.Wait(ctx, lockPatience, func(text string) { fmt.Fprintln(in.stderr, text) })
	}
	progress := &compareProgress{out: in.stderr}
	pool := simulator.NewPool(c.workers)
	for _, x := range asked {
		meter := newCPUMeter(pool, len(players))
		progress.begin(x.Config)
		x.Store, x.Simulator, x.Observe = store, meter, progress.observe
		result, err := x.Run(ctx)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			fmt.Fprintln(in.stderr, "interrupted: everything finished so far is saved; the same command goes on from here")
		}
		if err != nil {
			return err
		}
		found.add(result, order, meter)
	}
	if c.asJSON {
		return found.printJSON(in.stdout)
	}
	return found.print(in.stdout)
}

// different returns the players that differ, and at which place each contender is among them: a champion may well be the
// start weights.
func different(contenders []contender) (players []configs.Player, at []int) {
	place := map[string]int{}
	for _, who := range contenders {
		text := who.player.Text()
		if _, known := place[text]; !known {
			place[text] = len(players)
			players = append(players, who.player)
		}
		at = append(at, place[text])
	}
	return players, at
}

// compareProgress says on stderr how far a comparison is: after looks, and while a look takes long.
type compareProgress struct {
	out     io.Writer
	players []configs.Player
	search  string
	greeted bool
	next    time.Time
	judged  int // look that the pairs told last are of
}

// compareEvery is how often it does at most.
const compareEvery = 10 * time.Second

func (p *compareProgress) begin(c *configs.Comparison) {
	p.players, p.search, p.greeted, p.judged = c.Players, c.Search.String(), false, 0
}

func (p *compareProgress) observe(now experiments.ComparisonProgress) {
	if !p.greeted {
		p.greeted = true
		p.next = time.Now().Add(compareEvery)
		what := "new run"
		if now.Run.Resumed {
			what = "run"
		}
		fmt.Fprintf(p.out, "%s: %s %s\n", p.search, what, now.Run.Name)
	}
	if time.Now().Before(p.next) || now.Played == 0 {
		return
	}
	p.next = time.Now().Add(compareEvery)
	text := fmt.Sprintf("%s: %s, look %d of at most %d at %s of each", p.search, plural(int(now.Played+now.Replayed), "game"),
		now.Look, now.Looks, plural(now.Games, "game"))
	decided := 0
	for _, pair := range now.Pairs {
		if pair.Verdict != stats.GoOn {
			decided++
		}
	}
	switch {
	case len(now.Pairs) == 1:
		pair := now.Pairs[0]
		text += fmt.Sprintf("; at the last one %s / %s was %.3f %s", p.players[pair.First].Name, p.players[pair.Second].Name,
			pair.Ratio.Value, ratioInterval(pair.Ratio.Interval))
	case len(now.Pairs) > 1:
		text += fmt.Sprintf("; %d of %d pairs are decided", decided, len(now.Pairs))
	}
	fmt.Fprintln(p.out, text)
}

// cpuMeter is a simulator that measures what each player's games take of the processors, as far as the system tells.
type cpuMeter struct {
	experiments.Simulator
	cpu   []time.Duration // by player
	moves []int64
	games []int64
}

func newCPUMeter(s experiments.Simulator, players int) *cpuMeter {
	return &cpuMeter{s, make([]time.Duration, players), make([]int64, players), make([]int64, players)}
}

// Play shares the batch's CPU time out by the wall time of the games.
func (m *cpuMeter) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	wall := make([]time.Duration, len(m.cpu))
	var all time.Duration
	before := cpuTime()
	outcomes, err := m.Simulator.Play(ctx, b, func(job int, o simulator.Outcome) error {
		player := b.Jobs[job].Player
		wall[player] += o.Duration
		all += o.Duration
		m.moves[player] += int64(o.Moves)
		m.games[player]++
		return finished(job, o)
	})
	used := cpuTime() - before
	for player := range wall {
		if all > 0 {
			m.cpu[player] += time.Duration(float64(used) * float64(wall[player]) / float64(all))
		}
	}
	return outcomes, err
}
