package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine"
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
	show := f.Bool("show", false,
		"print the config as it is resolved instead: every default filled in, every file that it names written out")
	c, err := in.loadPlan(f, &r)
	if err != nil {
		return err
	}
	if *show {
		_, err := in.stdout.Write(c.YAML())
		return err
	}
	if len(c.Family.Tunable()) == 0 {
		example := "weight: {min: 0, max: 1000, start: 270}"
		if c.Family.Bot != nil {
			example = "player: {weights: {smooth: {min: 0, max: 10, start: 0.1}}}"
		}
		_, err := fmt.Fprintf(in.stdout,
			"%s is valid for move and play: %s, nothing to tune; a run wants at least one number with a range, such as %s\n",
			c.Path, sized(c), example)
		io.WriteString(in.stdout, fixedWeights(c))
		printWarnings(in.stdout, c)
		return err
	}
	if err := experiments.CheckPlan(c); err != nil {
		return usageError{err}
	}
	fmt.Fprintf(in.stdout, "%s is valid: experiment %s, %s, %s to tune\n%s\n", c.Path, c.Name,
		sized(c), report.Count(len(c.Family.Tunable()), "weight"), fixedWeights(c))
	if c.Family.Idle() {
		fmt.Fprintln(in.stdout, idle(c))
	}
	printWarnings(in.stdout, c)
	printSearches(in.stdout, c)
	printSizes(in.stdout, c.Sizes())
	if r.limit > 0 {
		if c, err = timed(c); err != nil {
			return err
		}
	}
	pace := newPace(c, r.workers, r.limit, true)
	if c.Family.Bot != nil {
		each, err := in.checkBot(ctx, c)
		if err != nil {
			return err
		}
		pace = experiments.NewPace(c, r.workers, r.limit, func(engine.Settings) time.Duration { return each })
	}
	var table report.Table
	for i, name := range []string{"phase", "stage", "search", "generations", "players", "games about", "at most", "time"} {
		table.Columns = append(table.Columns, report.Column{Name: name, Number: i > 2})
	}
	var seconds float64
	var games, most int64
	plan := pace.Within()
	for _, b := range plan {
		t := pace.Takes(b, b.Expected)
		table.Rows = append(table.Rows, []string{b.Phase, b.Stage, b.Search, strconv.Itoa(b.Generations),
			strconv.Itoa(b.Candidates), report.Grouped(b.Expected), report.Grouped(b.Games), lasting(t)})
		seconds, games, most = seconds+t, games+b.Expected, most+b.Games
	}
	if err := in.printTable(table, true); err != nil {
		return err
	}
	size := diskSpace(c, plan)
	fmt.Fprintf(in.stdout, "\nin all about %s games, and at most %s: races, ablation and trend usually end early\n",
		report.Grouped(games), report.Grouped(most))
	fmt.Fprintf(in.stdout, "about %s with good weights, %s, about %s of disk\n", lasting(seconds),
		report.Count(r.workers, "worker"), bytesText(size))
	if size > largeDatabase {
		fmt.Fprintln(in.stdout,
			"that is more than 1 GB of disk: store: {games: none} keeps no rows of games, fewer generations or a smaller "+
				"population make fewer candidates")
	}
	if c.Family.Bot != nil && c.Ablation.Games > 0 {
		fmt.Fprintln(in.stdout, "ablation sets the champion's weights back to their starts, one at a time")
	}
	if _, follows := pace.Ahead(); r.limit > 0 && experiments.Seconds(follows) > r.limit {
		_, err := fmt.Fprintf(in.stdout,
			"-for %v is too short for what follows tuning: give more time, or lower playoff.games, validation.games or "+
				"ablation.games\n", r.limit)
		return err
	}
	if text := tooEarly(plan, seconds, r.limit); text != "" {
		fmt.Fprintln(in.stdout, text)
	}
	fmt.Fprintf(in.stdout, "next: %s\n", r.resume())
	return nil
}

// diskSpace returns about how large the database of a run gets, in bytes, if the run carries out
// this plan. The sizes of rows were measured on the quickstart.
func diskSpace(c *configs.Config, plan []experiments.PlannedPart) int64 {
	size, candidate := int64(100_000), int64(400+33*len(c.Family.Tunable())) // without a run, and with its evaluation
	for i, b := range plan {
		games := b.Games / int64(b.Candidates) // of a candidate
		if b.Phase == experiments.PhaseTuning {
			games = int64(c.Stages[i].Games)
		}
		size += b.Expected / max(1, games) * candidate
		if experiments.Keeps(c.StoreGames, b.Phase) {
			size += 95 * b.Expected
		}
	}
	return size
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

// printSearches warns where games are searched in another way than the held-out games.
func printSearches(w io.Writer, c *configs.Config) {
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
	if play := c.Play().String(); !slices.Contains(held, play) {
		fmt.Fprintf(w, "move, play and exports search at %s, which no held-out game does\n", play)
	}
}

// idle says that nothing depends on the only tunable weight.
func idle(c *configs.Config) string {
	return fmt.Sprintf("%s has nothing to tune: only the ratios of weights matter, and no other weight counts; fix it "+
		"and tune another number", c.Family.Tunable()[0].Name)
}

// outweighs is the ratio of two sizes beyond which the smaller feature hardly counts.
const outweighs = 100

// sized counts what a player has weights of.
func sized(c *configs.Config) string {
	if c.Family.Bot != nil {
		return "a bot with " + report.Count(len(c.Family.Features), "weight")
	}
	return report.Count(len(c.Family.Features), "feature")
}

// printSizes names the features that the largest one outweighs at the start, or whose range does
// not reach half of its size there.
func printSizes(w io.Writer, sizes []configs.Size) {
	if len(sizes) == 0 { // of a bot
		return
	}
	largest := slices.MaxFunc(sizes, func(a, b configs.Size) int { return cmp.Compare(a.Start, b.Start) })
	by := func(size float64) string {
		two := strconv.FormatFloat(largest.Start/size, 'g', 2, 64)
		if x, _ := strconv.ParseFloat(two, 64); x >= 100 {
			return report.Grouped(int64(x))
		}
		return two
	}
	hint := ""
	for _, s := range sizes {
		most, line := max(s.Min, s.Max), ""
		switch {
		case most == 0: // nothing depends on the weight, or the feature is the same on all boards
		case s.Tunable && most*outweighs < largest.Start:
			line = fmt.Sprintf("%s can never matter in its range: %s outweighs it by %s even where it is largest", s.Feature,
				largest.Feature, by(most))
		case s.Start > 0 && s.Tunable && most*2 < largest.Start:
			line = fmt.Sprintf("%s outweighs %s by %s at their starts, and by %s where %s is largest", largest.Feature,
				s.Feature, by(s.Start), by(most), s.Feature)
		case s.Start > 0 && s.Start*outweighs < largest.Start:
			line = fmt.Sprintf("%s outweighs %s by %s at their starts", largest.Feature, s.Feature, by(s.Start))
		}
		if line != "" {
			hint = "bring them closer, or let the program choose: weight: reward, or weight: penalty\n\n"
			fmt.Fprintln(w, line)
		}
	}
	io.WriteString(w, hint)
}

// fixedWeights lists the weights that are not tuned, on lines of 80 columns.
func fixedWeights(c *configs.Config) string {
	var list []string
	for _, w := range c.Family.Weights() {
		if matrix, _, isMatrix := strings.Cut(w.Name, "_matrix_"); !w.Tunable && isMatrix {
			list = append(list, "numbers of "+matrix+"_matrix")
		} else if !w.Tunable {
			list = append(list, w.Name+" "+exactNumber(w.Value))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return report.Wrap("fixed: "+strings.Join(slices.Compact(list), ", "), helpWidth)
}
