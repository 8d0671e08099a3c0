package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/results/report"
)

// ends reports whether a run with -for ends its tuning before the next generation. Nothing else
// depends on a clock. It does not foresee a machine that gets slower afterwards. tell is called
// with the decision and the warnings.
func ends(clock *experiments.Clock, c *config.Config, next experiments.PlannedPart,
	tell func(level slog.Level, text string)) bool {
	generation := clock.Takes(next, next.Expected)
	tuning, follows := clock.Ahead()
	over := clock.Ends(generation, follows)
	elapsed := clock.Now().Sub(clock.Began).Seconds()
	if text := fit(c, elapsed, tuning, follows, clock.Limit); !clock.Warned && text != "" {
		tell(slog.LevelWarn, text)
	}
	clock.Warned = true
	if !over {
		return false
	}
	tell(slog.LevelInfo, fmt.Sprintf("-for %s: tuning ends here after %s: what follows takes about %s",
		shortTime(clock.Limit), report.Count(clock.Last.Generations, "generation"),
		lasting(min(follows, max(0, clock.Limit.Seconds()-elapsed)))))
	at := slices.IndexFunc(c.Stages, func(s config.Stage) bool { return s.Name == clock.Last.Stage })
	if missed := c.Stages[at+1:]; len(missed) > 0 {
		tell(slog.LevelWarn, fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer "+
			"generations, or more time", missed[0].Name))
	}
	return true
}

// fit says how a run does not fit -for, or nothing. It gets how long the run has taken, and how
// long its tuning and what follows that will take, in seconds. Tuning has half of the time.
func fit(c *config.Config, elapsed, tuning, follows float64, limit time.Duration) string {
	switch all := limit.Seconds(); {
	case limit == 0:
	case follows > all/2*1.05:
		return fmt.Sprintf("what follows the tuning takes about %s, and -for %s leaves it half of its time: playoff, "+
			"validation and "+
			"ablation play fewer games than the config gives them", lasting(follows), shortTime(limit))
	case elapsed+tuning+follows < all/2 && c.IsEndless():
		return fmt.Sprintf("this ends after about %s: no stage has more than %s", lasting(elapsed+tuning+follows),
			report.Count(config.MaxGenerations, "generation"))
	case elapsed+tuning+follows < all/2:
		return fmt.Sprintf("this ends after about %s: leave out generations and max_games of the last stage to use the %s",
			lasting(elapsed+tuning+follows), shortTime(limit))
	}
	return ""
}

// lasting writes a time in seconds.
func lasting(s float64) string { return report.Duration(experiments.Seconds(s)) }

// shortTime writes a time as one would give it to -for: 8h, not 8h0m0s.
func shortTime(t time.Duration) string {
	return strings.Replace(strings.Replace(t.String(), "m0s", "m", 1), "h0m", "h", 1)
}

// newClock returns the clock of a process that begins now. After ctx ends its times are
// meaningless. The prices of the searches are timed before the first game, if anything may ask for
// them.
func newClock(ctx context.Context, c *config.Config, workers int, limit time.Duration) *experiments.Clock {
	most, searches := experiments.TimedMost, experiments.Searches(c)
	if limit > 0 {
		most = min(most, max(limit/50, 50*time.Millisecond))
	} else if len(searches) == 1 {
		searches = nil
	}
	return experiments.NewClock(workers, limit,
		experiments.Prices(ctx, startPlayer(c).At(c.Rules), c.Rules, most, searches...))
}
