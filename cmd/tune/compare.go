package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/results/report"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	searches       []engine.Settings
	objective      fitness.Objective // the zero value: by the players
	plan           stats.Plan
	games, workers int
	seed           uint64
	asJSON, wide   bool
	until          time.Time // when it ends, whatever is under way; zero: when it has played
	again          string    // how the command goes on after an interruption
}

// defaultCompareFlags ask what tune compare asks without flags.
func defaultCompareFlags() compareFlags {
	return compareFlags{plan: stats.DefaultPlan(), seed: 2048, again: "the same command goes on from here"}
}

// compare finds out which of several players is best, on fresh games.
func compare(ctx context.Context, in *invocation) error {
	f := in.flags()
	c := defaultCompareFlags()
	var base *config.Config // that weights files belong to
	f.Func("config", "the config `FILE` that weights files belong to, or of a bot that a stored run may start; the "+
		"flag may be given several times", func(path string) error {
		config, err := in.load(path)
		if err == nil && (base == nil || config.Heuristic.Bot == nil) {
			base = config
		}
		return err
	})
	in.databaseFlag(f)
	f.Func("depth", "search exactly this many `PLIES` deep, or at several depths: 3,5; if not given, the searches that "+
		"the first player's config validates are taken", c.addDepths)
	f.Func("search", "search by this rule: a `SEARCH` as the database writes it, such as \"depth by distinct -2 least "+
		"3 p 0.0001\"; the flag may be given several times", c.addSearch)
	f.Func("objective", "compare by this `OBJECTIVE`, as a config writes it: mean_score, mean_log_score or \"{reach: "+
		"2048}\"; if not given, by the players' own", func(text string) (err error) {
		c.objective, err = config.ParseObjective(text)
		return err
	})
	f.Var(&wholeNumber{&c.games, 2, math.MaxInt}, "games",
		"play this `NUMBER` of games with each player, instead of as many as the sequential test asks for")
	f.Func("difference", fmt.Sprintf("the smallest `DIFFERENCE` that matters, relative (default %g%%)",
		100*c.plan.Difference), c.setDifference)
	f.Uint64Var(&c.seed, "seed", c.seed, "the `SEED` of the games")
	workersFlag(f, &c.workers, 1, "play this `NUMBER` of games at once; no result depends on it")
	f.BoolVar(&c.wide, "wide", false, "print all columns, however wide they are together")
	f.BoolVar(&c.asJSON, "json", false, "print the report as JSON, as tune report -json does")
	arguments, err := in.parse(f, math.MaxInt)
	if err != nil {
		return err
	}
	switch {
	case len(arguments) < 2 || len(arguments) > config.MaxPlayers:
		return usagef("compare: want 2 to %d players, got %d: runs, weights files or configs; try: tune help "+
			"compare", config.MaxPlayers, len(arguments))
	case len(slices.Compact(slices.Clone(arguments))) == 1:
		return usagef("compare: want different players, got %s alone: name another run, a candidate such as RUN:0 for the "+
			"start weights, "+
			"or champions/NAME", arguments[0])
	case c.seed >= 1<<53:
		return usagef("compare: -seed: want less than 2^53, got %d", c.seed)
	}
	if err := c.plan.Validate(); err != nil {
		return usagef("compare: -%w", err)
	}
	players, err := in.compared(ctx, base, arguments)
	if err != nil {
		return err
	}
	for _, who := range players {
		if err := in.nameBot(&who.Heuristic); err != nil {
			return err
		}
	}
	first := slices.IndexFunc(players, func(p *player) bool { return p.Heuristic.Bot == nil })
	switch {
	case len(c.searches) == 0:
		c.searches = players[max(0, first)].config.Validation.Searches()
	case first < 0:
		return usagef("compare: all players are bots, which search in their own ways: leave out -depth and -search")
	}
	if c.objective == (fitness.Objective{}) {
		c.objective = players[0].config.Objective
		if slices.ContainsFunc(players, func(p *player) bool {
			return p.config.Objective.String() != c.objective.String()
		}) {
			fmt.Fprintln(in.stderr,
				"the players have different objectives: they are compared by the mean score; -objective chooses another")
			c.objective = fitness.MeanScore
		}
	}
	return in.comparePlayers(ctx, c, players)
}

// compared finds the players that the arguments name. Weights files belong to the base.
func (in *invocation) compared(ctx context.Context, base *config.Config, arguments []string) (list []*player,
	err error) {
	for _, name := range arguments {
		who, err := in.named(ctx, base, name)
		if err != nil {
			return nil, err
		}
		if !isFile(name) && !strings.ContainsAny(name, ":@") {
			who.Name, err = in.endingName(ctx, name)
			if err != nil {
				return nil, err
			}
		}
		list = append(list, who)
		if first, rules := list[0].config.Rules, who.config.Rules; rules != first {
			return nil, usagef("compare: %s plays with four_probability %v, %s with %v: want the same game",
				arguments[0], first.FourProbability, name, rules.FourProbability)
		}
	}
	return list, nil
}

// endingName names a run, by its ending if it has several: its name then meant another champion
// before.
func (in *invocation) endingName(ctx context.Context, name string) (string, error) {
	reader, err := in.reader()
	if err != nil {
		return "", err
	}
	run, err := reader.Find(ctx, name)
	if err != nil {
		return "", err
	}
	endings, err := reader.Endings(ctx, run)
	if err != nil || len(endings) == 1 {
		return name, err
	}
	return fmt.Sprintf("%s@%d", run.Root, run.Generations), nil
}

// setDifference takes a share that may be written as 5% or 0.05. From 1 on it must be written as
// 100%.
func (c *compareFlags) setDifference(text string) error {
	number, isPercent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) || v >= 1 && !isPercent {
		return errors.New("want a share such as 5% or 0.05")
	}
	if isPercent {
		v /= 100
	}
	c.plan.Difference = v
	return nil
}

func (c *compareFlags) addDepths(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		if err := c.addSearch("depth " + strings.TrimSpace(part)); err != nil {
			return fmt.Errorf("want 1 to %d plies, such as 3 or 3,5", engine.MaxDepth)
		}
	}
	return nil
}

// addSearch adds a search unless it is there.
func (c *compareFlags) addSearch(text string) error {
	s, err := engine.ParseSettings(text)
	if err == nil && !slices.ContainsFunc(c.searches,
		func(known engine.Settings) bool { return known.String() == text }) {
		c.searches = append(c.searches, s)
	}
	return err
}

// comparePlayers lets all players meet, and prints the reports.
func (in *invocation) comparePlayers(ctx context.Context, c compareFlags, players []*player) error {
	return in.write(func(store *results.Store) error {
		found, last, err := in.playersMeet(ctx, store, c, players)
		switch {
		case err != nil:
			return err
		case found == nil && !c.asJSON:
			_, err := fmt.Fprintln(in.stdout, "nothing to play: all of these are one player, the same heuristic with the same "+
				"weights")
			return err
		case c.asJSON:
			return writeJSON(in.stdout, found)
		}
		if err := in.printReports(c.wide, *found); err != nil {
			return err
		}
		fmt.Fprintf(in.stdout, "\nrun %s: %s, %s of them reused\n", found.Name, report.Count(last.Done, "game"),
			report.Grouped(last.Reused))
		return nil
	})
}

// distinctPlayers returns the players without those that equal an earlier one, and names these: a
// champion may well be the start weights.
func (in *invocation) distinctPlayers(players []*player) (different []config.Player) {
	for i, who := range players {
		same := slices.IndexFunc(players[:i], func(other *player) bool { return other.hash() == who.hash() })
		if same < 0 {
			different = append(different, who.Player)
			continue
		}
		fmt.Fprintf(in.stderr, "%s and %s are the same player: the same heuristic with the same weights\n",
			players[same].Name, who.Name)
	}
	return different
}

// playersMeet plays the games of all players, one search after the other. It returns the report, or
// nil where all of them are one player, and how the comparison ended.
func (in *invocation) playersMeet(ctx context.Context, store *results.Store, c compareFlags, players []*player) (
	found *report.Report, last experiments.Progress, err error) {
	different := in.distinctPlayers(players)
	if len(different) < 2 { // there is nothing to play
		return nil, last, nil
	}
	rules := players[0].config.Rules
	contest := config.NewContest(c.seed, rules, c.searches, different)
	contest.By(c.objective)
	x := experiments.Contest{Config: contest, Plan: c.plan, Games: c.games, Store: store, Simulator: in.pool(c.workers)}
	if err := x.Check(); err != nil {
		return nil, last, usageError{err}
	}
	known := !slices.ContainsFunc(players, func(p *player) bool { return p.Heuristic.Bot != nil }) // how long a game takes
	clock := experiments.NewClock(c.workers, 0,
		experiments.Prices(ctx, players[0].At(rules), rules, experiments.TimedMost, c.searches...))
	display := newDisplay(in.screen, nil, clock, func(p experiments.Progress) string {
		text := fmt.Sprintf(": %s of each player", report.Count(p.Plan[0].Games/int64(len(different)), "game"))
		if c.games == 0 { // the spread of the scores, which sizes the test, is a guess so far
			text = strings.Replace(text, ": ", ": at most about ", 1)
		}
		if len(c.searches) > 1 {
			text += " at each search"
		}
		if p.Run.Resumed {
			return "run " + p.Run.Name + text
		}
		clock.Last = p
		if known {
			_, takes := clock.Ahead()
			text += ", about " + lasting(max(1, takes))
		}
		if p.Run.Renamed && p.Ask == 1 {
			text += "; no other comparison has these games"
		}
		return "new run " + p.Run.Name + text
	})
	in.warnBy(display.warn)
	x.Observe = display.observe
	limited := ctx
	if !c.until.IsZero() {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadlineCause(ctx, c.until, errTimeIsUp)
		defer cancel()
	}
	stored, err := display.watch(ctx, store, func() (int64, error) {
		last, err = x.Run(limited)
		return last.Run.ID, err
	})
	if limited.Err() != nil && ctx.Err() == nil && err != nil {
		return nil, last, fmt.Errorf("the time of -for is over, and the champions' games against each other did not end in "+
			"time: what was recorded is saved; %s", c.again)
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		fmt.Fprintln(in.stderr, "interrupted: everything finished so far is saved;", c.again)
	}
	if err != nil {
		return nil, last, err
	}
	stored.ConfigYAML = string(contest.YAML()) // has the names of today
	stored.Look = last.Ask
	r, err := report.Build(ctx, store.Reader(), stored, report.Call{})
	return &r, last, err
}
