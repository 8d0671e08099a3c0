package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments"
	"tune2048/results/report"
)

// largeDatabase is the size in bytes that a night's run should stay under.
const largeDatabase = 1_000_000_000

// check validates a config and prints its games, time and disk.
func check(ctx context.Context, in *invocation) error {
	f := in.flags()
	var r runFlags
	r.definePlan(f)
	show := f.Bool("show", false, "print the config as it is resolved instead: every default filled in, every file that it names written out")
	c, err := in.loadPlan(f, &r)
	if err != nil {
		return err
	}
	if *show {
		_, err := in.stdout.Write(c.YAML())
		return err
	}
	if len(c.Family.Tunable()) == 0 {
		_, err := fmt.Fprintf(in.stdout, "%s is valid for move and play: %s, nothing to tune; a run wants at least one number with a range, such as weight: {min: 0, max: 1000, start: 270}\n",
			c.Path, sized(c))
		io.WriteString(in.stdout, fixedWeights(c))
		printWarnings(in.stdout, c)
		return err
	}
	if err := experiments.CheckPlan(c); err != nil {
		return usageError{err}
	}
	fmt.Fprintf(in.stdout, "%s is valid: experiment %s, %s, %s to tune\n%s\n", c.Path, c.Name,
		sized(c), plural(len(c.Family.Tunable()), "weight"), fixedWeights(c))
	printWarnings(in.stdout, c)
	printSizes(in.stdout, c.Sizes())
	start, good := newPace(c, r.workers, r.limit, false), newPace(c, r.workers, r.limit, true)
	if c.Family.Bot != nil {
		each, err := in.checkBot(ctx, c)
		if err != nil {
			return err
		}
		start = experiments.NewPace(c, r.workers, r.limit, func(engine.Settings) time.Duration { return each })
		good = start
	}
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "phase\tstage\tsearch\tgenerations\tplayers\tgames about\tat most\tstart weights\tgood ones")
	var total, longest float64 // seconds
	var games, most int64
	plan := good.Within()
	for _, b := range plan {
		t := start.Takes(b, b.Expected)
		long := max(t, good.Takes(b, b.Expected)) // the start may be as good, or its features slower
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", b.Phase, b.Stage, b.Search, b.Generations, b.Candidates, b.Expected, b.Games, lasting(t), lasting(long))
		total, longest = total+t, longest+long
		games, most = games+b.Expected, most+b.Games
	}
	table.Flush()
	size := foretold(c, plan)
	fmt.Fprintf(in.stdout, "\nin all about %d games, if races, ablation and trend end early as often as they usually do, and at most %d\n", games, most)
	takes := lasting(total) + " with the start weights"
	if longest > total {
		takes += fmt.Sprintf(", %s with good ones", lasting(longest))
	}
	fmt.Fprintf(in.stdout, "about %s (games get longer as the weights get better), %s, about %s of disk\n", takes, plural(r.workers, "worker"), bytesText(size))
	if size > largeDatabase {
		fmt.Fprintln(in.stdout, "that is more than 1 GB of disk: store: {games: none} keeps no rows of games, fewer generations or a smaller population make fewer candidates")
	}
	if c.Family.Bot != nil && c.Ablation.Games > 0 {
		fmt.Fprintln(in.stdout, "ablation sets the champion's weights back to their starts, one at a time")
	}
	if _, follows := good.Ahead(); r.limit > 0 && experiments.Seconds(follows) > r.limit {
		_, err := fmt.Fprintf(in.stdout, "-for %v is too short for what follows tuning: give more time, or lower playoff.games, validation.games or ablation.games\n", r.limit)
		return err
	}
	if text := tooEarly(plan, longest, r.limit); text != "" {
		fmt.Fprintln(in.stdout, text)
	}
	fmt.Fprintf(in.stdout, "next: %s\n", r.resume())
	return nil
}

// printWarnings prints where a formula has no result, with the start weights or a reference's.
func printWarnings(w io.Writer, c *configs.Config) {
	known := c.Family.Warnings()
	for _, warning := range known {
		fmt.Fprintf(w, "%s; guard it if you mean another value\n", warning)
	}
	for _, r := range c.References {
		player := c.Family.Fix(r.Weights)
		for _, warning := range player.Warnings() {
			if !slices.Contains(known, warning) {
				fmt.Fprintf(w, "reference %s: %s\n", r.Name, warning)
			}
		}
	}
}

// outweighs is the ratio of two sizes beyond which the smaller feature hardly counts.
const outweighs = 100

// sized counts what a player has weights of.
func sized(c *configs.Config) string {
	if c.Family.Bot != nil {
		return "a bot with " + plural(len(c.Family.Features), "weight")
	}
	return plural(len(c.Family.Features), "feature")
}

// printSizes prints the sizes of features if the largest at the start outweighs another one there,
// or if the other one's range does not reach half of it.
func printSizes(w io.Writer, sizes []configs.Size) {
	if len(sizes) == 0 { // of a bot
		return
	}
	largest := slices.MaxFunc(sizes, func(a, b configs.Size) int { return cmp.Compare(a.Start, b.Start) })
	about := func(x float64) string {
		two := strconv.FormatFloat(x, 'g', 2, 64)
		if x < 100 {
			return two
		}
		x, _ = strconv.ParseFloat(two, 64)
		return report.Grouped(int64(x))
	}
	var lines []string
	for _, s := range sizes {
		switch most := max(s.Min, s.Max); {
		case most == 0: // nothing depends on the weight, or the feature is the same on all boards
		case s.Tunable && most*outweighs < largest.Start:
			lines = append(lines, fmt.Sprintf("%s can never matter in its range: %s outweighs it by %s even where it is largest", s.Feature, largest.Feature, about(largest.Start/most)))
		case s.Start > 0 && (s.Start*outweighs < largest.Start || s.Tunable && most*2 < largest.Start):
			line := fmt.Sprintf("%s outweighs %s by %s at their starts", largest.Feature, s.Feature, about(largest.Start/s.Start))
			if s.Tunable && most < largest.Start {
				line += fmt.Sprintf(", and by %s where %s is largest", about(largest.Start/most), s.Feature)
			}
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return
	}
	fmt.Fprintln(w, "size of a feature: the standard deviation of weight x feature on the boards of fixed games")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "feature\tat min\tat start\tat max")
	for _, s := range sizes {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Feature, about(s.Min), about(s.Start), about(s.Max))
	}
	table.Flush()
	fmt.Fprintf(w, "%s\nbring them closer, or let the program choose: weight: reward, or weight: penalty\n\n", strings.Join(lines, "\n"))
}

// fixedWeights lists the weights that are not tuned, on lines of 80 columns. A feature without a
// weight has the default.
func fixedWeights(c *configs.Config) string {
	var list []string
	for _, w := range c.Family.Weights() {
		matrix, _, isMatrix := strings.Cut(w.Name, "_matrix_")
		isFeature := slices.ContainsFunc(c.Family.Features, func(f eval.Term) bool { return f.Name == w.Name })
		switch {
		case w.Tunable:
		case isMatrix:
			list = append(list, "numbers of "+matrix+"_matrix")
		case isFeature && w.Value == 1:
			list = append(list, w.Name+" 1 (the default)")
		default:
			list = append(list, w.Name+" "+exactNumber(w.Value))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return report.Wrap("fixed: "+strings.Join(slices.Compact(list), ", "), helpWidth)
}
