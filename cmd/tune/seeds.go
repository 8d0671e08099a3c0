package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/export"
	"tune2048/results/report"
)

// Several seeds: -seeds runs the experiment with the seed of its config and with the next ones.
// Each run equals the run of a config with this name and seed, and resumes by itself. Then the
// champions play fresh games against each other, by the engine of tune compare.

// meetingTakes returns the seconds that a meeting takes at most.
func meetingTakes(clock *experiments.Clock, x experiments.Contest) (seconds float64) {
	for _, b := range x.Planned() {
		seconds += clock.Takes(b, b.Games)
	}
	return seconds
}

// gamesWithin returns how many games each player of a meeting has in the time that is left, or 0 if
// that holds all that the meeting may ask for.
func gamesWithin(clock *experiments.Clock, x experiments.Contest, left time.Duration) int {
	if meetingTakes(clock, x) <= left.Seconds() {
		return 0
	}
	x.Games = 1
	return int(max(2, left.Seconds()/meetingTakes(clock, x)))
}

// runSeeds carries out the runs of the searches, one after the other, lets the champions meet, and
// prints how far apart the searches ended. The same command reuses what is finished.
func (in *invocation) runSeeds(ctx context.Context, store *results.Store, c *config.Config, r *runFlags) error {
	var searches []*config.Config
	for n := range r.seeds {
		config, err := c.OfSeed(n)
		if err != nil {
			return usagef("run: -seeds: %w", err)
		}
		searches = append(searches, config)
	}
	contest := defaultCompareFlags()
	contest.workers, contest.again = r.workers, "resume with:\n  "+r.resume()
	contest.searches, contest.objective = searches[0].Validation.Searches(), searches[0].Objective
	clock := newClock(ctx, searches[0], r.workers, r.limit)
	meeting := experiments.Contest{Plan: contest.plan,
		Config: &config.Contest{Searches: contest.searches, Players: make([]config.Player, len(searches))}}
	var runs []report.Report
	var players []*player
	for i, c := range searches {
		one, told := *r, fmt.Sprintf("search %d of %d: seed %d", i+1, len(searches), c.Seed)
		if r.limit > 0 { // what is left of the time is shared
			end := r.began.Add(r.limit)
			end = end.Add(-min(experiments.Seconds(meetingTakes(clock, meeting)), max(0, time.Until(end))/2)) // a meeting seldom plays all its games
			one.share(end, len(searches)-i, i == 0)
			one.until = r.until // without this search there is no other
			told += ", within " + shortTime(one.limit)
		}
		if r.limit > 0 && i > 0 {
			var err error
			c, err = runs[0].Tuned(c)
			if err != nil {
				return err
			}
			one.tuned = true
		}
		fmt.Fprintln(in.stderr, told)
		run, played, err := in.carryOut(ctx, store, experiments.Experiment{Config: c}, &one)
		if err != nil {
			return err
		}
		if played.Measured() { // otherwise all was there before
			played.Limit, clock = r.limit, played
		}
		if first := runs; len(first) > 0 && run.Run.Generations < first[0].Run.Generations {
			fmt.Fprintf(in.stderr, "-for %s left run %s %s, and run %s had %d: a longer search may have found more\n",
				shortTime(r.limit),
				run.Name, report.Count(run.Run.Generations, "generation"), first[0].Name, first[0].Run.Generations)
		}
		fmt.Fprintf(in.stderr, "run %s: %s\n", run.Name, run.Headline.Text)
		record, err := export.New(context.WithoutCancel(ctx), store.Reader(), run.Run, run.Run.Champion)
		if err != nil {
			return err
		}
		champion := recordPlayer(run.Name, record)
		in.nameBot(&champion.Heuristic)
		runs, players = append(runs, run), append(players, champion)
	}
	if r.limit > 0 {
		contest.until, contest.games = r.until, gamesWithin(clock, meeting, time.Until(r.began.Add(r.limit)))
	}
	fresh, _, err := in.playersMeet(ctx, store, contest, players)
	var failure *bot.Failure
	if errors.As(err, &failure) {
		return fmt.Errorf("%w (all searches are finished: see them with %s runs%s)", err, program, in.databaseOption())
	} else if err != nil {
		return err
	}
	if r.asJSON {
		return writeJSON(in.stdout, fresh)
	}
	if fresh != nil {
		if err := in.printReports(false, *fresh); err != nil {
			return err
		}
	}
	best, apart := report.Apart(runs, fresh)
	db := in.databaseOption()
	fmt.Fprintf(in.stdout, "\n%s\nNext:\n", report.Wrap(apart, width(in.data)))
	in.printSteps(report.Step{What: "see the leader", Command: program + " report" + db + " " + quote(best)},
		report.Step{What: "use the leader", Command: program + " export" + db + " " + quote(best) + " -o " +
			quote(report.FileName(best)) + ".json"})
	if more := 2 * len(runs); more <= report.MostSearches {
		in.printSteps(report.Step{What: "more seeds",
			Command: fmt.Sprintf("%s -config %s%s%s -seeds %d", program, quote(r.config), db,
				typed(r.given, "generations", "for"), more)})
	}
	return nil
}
