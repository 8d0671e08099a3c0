package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/results/report"
)

// checkSilence is how long a check takes without a word.
const checkSilence = 2 * time.Second

// check validates a config and prints its games, time and disk.
func check(ctx context.Context, in *invocation) error {
	f := in.flags()
	var r runFlags
	r.definePlan(f)
	in.databaseFlag(f)
	show := f.Bool("show", false,
		"print the config as it is resolved instead: every default filled in, every file that it names written out")
	paths, err := in.parsePlan(f, &r, 1)
	if err != nil {
		return err
	}
	c, err := in.loadPlan(&r, paths[0])
	if err != nil {
		return err
	}
	if *show {
		_, err := in.stdout.Write(c.YAML())
		return err
	}
	tunable := len(c.Tunable()) > 0
	if tunable {
		if err := experiments.CheckPlan(c); err != nil {
			return usageError{err}
		}
	}
	idle, _ := c.Idle()
	tried := trial{ended: true}
	if c.Heuristic.Bot != nil {
		tried, err = in.tryBot(ctx, c)
		if err != nil {
			for _, sentence := range idle { // which may be why
				fmt.Fprintf(in.stderr, "warning: %s: %s\n", c.Path, sentence)
			}
			return err
		}
	}
	if !tunable {
		use := " for move and play"
		if c.Heuristic.Bot != nil && c.Heuristic.Bot.Answers != bot.Moves {
			use = " for compare"
		}
		_, err := fmt.Fprintf(in.stdout, "%s %s: %s, nothing to tune; a run wants at least one number with a range, "+
			"such as {min: 0, max: 1000, start: 270}\n%s", c.Path, tried.verdict(use), sized(c), tried.text)
		printWarnings(in.stdout, c)
		return err
	}
	fmt.Fprintf(in.stdout, "%s %s: experiment %s, %s, %s to tune\n\n", c.Path, tried.verdict(""), c.Name, sized(c),
		report.Count(len(c.Tunable()), "weight"))
	printWarnings(in.stdout, c)
	for _, sentence := range idle {
		fmt.Fprintln(in.stdout, sentence)
	}
	printSearches(in.stdout, c)
	printSizes(in.stdout, c.Sizes())
	asked := c
	if r.limit > 0 {
		c = timed(c)
	}
	long := time.AfterFunc(checkSilence, func() {
		fmt.Fprintln(in.stderr, "the config is valid; two games of the start weights are played to see what a move costs, "+
			"and take long here (Ctrl-C ends the check)")
	})
	defer long.Stop()
	clock := newClock(ctx, c, r.workers, r.limit)
	if c.Heuristic.Bot != nil {
		fmt.Fprintf(in.stdout, "%s\n", tried.text)
		clock = experiments.NewClock(r.workers, r.limit, func(engine.Settings) experiments.Price {
			return experiments.Price{Game: 1, Node: tried.each.Seconds()}
		})
	}
	generations, planner := math.MaxInt, experiments.NewPlanner(c)
	draw := func(generations int) []experiments.PlannedPart { return planner.Plan(ctx, generations) }
	if r.limit > 0 {
		generations = clock.Within(draw)
	}
	plan := draw(generations)
	var table report.Table
	for i, name := range []string{"phase", "stage", "search", "generations", "players", "games about", "at most",
		"time"} {
		table.Columns = append(table.Columns, report.Column{Name: name, Number: i > 2})
	}
	var seconds float64
	var games, most int64
	for _, b := range plan {
		t := clock.Takes(b, b.Expected)
		table.Rows = append(table.Rows, []string{b.Phase, b.Stage, b.Search, report.Grouped(int64(b.Generations)),
			strconv.Itoa(b.Candidates), report.Grouped(b.Expected), report.Grouped(b.Games), lasting(t)})
		seconds, games, most = seconds+t, games+b.Expected, most+b.Games
	}
	long.Stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := in.printTable(table, true); err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "\nin all about %s games, and at most %s: races, ablation and trend usually end early\n",
		report.Grouped(games), report.Grouped(most))
	auto := c.Playoff.Games == 0 || c.Validation.Games == 0 || c.Ablation.Games == config.AutoGames
	if auto && c.Heuristic.Bot == nil {
		fmt.Fprintln(in.stdout, "sizes that the config leaves out follow from the nodes that tuning searches; here they "+
			"follow from its games")
	}
	fmt.Fprintf(in.stdout, "about %s with good weights, %s, about %s of disk, and 17 MB beside it while it goes on\n",
		lasting(seconds),
		report.Count(r.workers, "worker"), bytesText(diskSpace(c, plan)))
	clock.Last = experiments.Progress{Plan: plan}
	tuning, follows := clock.Ahead()
	if text := fit(c, 0, tuning, follows, r.limit); text != "" {
		fmt.Fprintln(in.stdout, text)
	}
	if err := in.printForeseen(ctx, asked, r.limit > 0); err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "next: %s\n", r.resume())
	return nil
}

// printForeseen says which run the config would go on with or begin, if the database has any run.
func (in *invocation) printForeseen(ctx context.Context, c *config.Config, limited bool) error {
	if !exists(in.database) {
		return nil
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	text, err := foreseen(ctx, reader, c, limited)
	if err == nil {
		fmt.Fprintln(in.stdout, text)
	}
	return err
}

// diskSpace returns about how large the database of a run gets, in bytes, if the run carries out
// this plan. The sizes of rows were measured on the quickstart, and on generations of 80 games.
func diskSpace(c *config.Config, plan []experiments.PlannedPart) int64 {
	size, candidate := int64(130_000), int64(180+20*len(c.Tunable())) // without a run, and with its evaluation
	for _, b := range plan {
		size += int64(b.Generations*b.Candidates)*candidate + 28*b.Expected
		if experiments.Keeps(c.Store.Games, b.Phase) {
			size += 20 * b.Expected
		}
	}
	return size
}

// printWarnings prints where a formula has no result with the start weights, and which formulas
// make moves slow.
func printWarnings(w io.Writer, c *config.Config) {
	for _, price := range c.Heuristic.Prices(c.Start()) {
		fmt.Fprintln(w, price)
	}
	for _, warning := range c.Heuristic.Warnings(c.Start()) {
		fmt.Fprintf(w, "%s; guard it if you mean another value\n", warning)
	}
}

// printSearches warns where games are searched in another way than the held-out games.
func printSearches(w io.Writer, c *config.Config) {
	held, tuned := []string{}, []string{}
	for _, s := range c.Validation.Searches() {
		held = append(held, s.String())
	}
	for _, s := range c.Stages {
		tuned = append(tuned, s.Search.String())
	}
	if !slices.ContainsFunc(tuned, func(s string) bool { return slices.Contains(held, s) }) {
		fmt.Fprintf(w, "tuning plays at %s, validation at %s: weights suit the search that they were tuned for\n",
			tuned[len(tuned)-1], strings.Join(held, ", "))
	}
}

// sized counts what a player has weights of.
func sized(c *config.Config) string {
	if c.Heuristic.Bot != nil {
		return "a bot with " + report.Count(len(c.Heuristic.Features), "weight")
	}
	return report.Count(len(c.Heuristic.Features), "feature")
}

// drowns is how many times a feature outweighs the others when it plays alone. In quickstart no
// first candidate beat the start where the middle of a range of empty had 38 times the effect of
// the others. With 12 times the best one was 8% better. Shipped ranges have at most 7.
const drowns = 20

// printSizes names the features that drown all others, and their own start, in half of their range.
func printSizes(w io.Writer, sizes []config.Size) {
	for i, s := range sizes {
		others := 0.0
		for k, other := range sizes {
			if k != i {
				others = max(others, other.Start, other.Middle)
			}
		}
		if others > 0 && s.Middle > drowns*max(others, s.Start) {
			fmt.Fprintf(w, "%s outweighs all others by %.3g in the middle of its range, so half of the first candidates play "+
				"by it alone: bring the ends closer, write scale: ratio, or let the program choose: weight: reward, or "+
				"weight: penalty\n\n", s.Feature, s.Middle/others)
		}
	}
}
