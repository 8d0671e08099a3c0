package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/results/export"
	"tune2048/results/report"
)

// verifiedGames is how many games of a run are played again unless a flag says otherwise.
const verifiedGames = 1000

// verified is the result of a verification, as JSON. Of a record there are searches instead of
// evaluations.
type verified struct {
	Run string `json:"run,omitempty"`
	results.Verified
	Searches    []verifiedSearch `json:"searches,omitempty"`
	Interrupted bool             `json:"interrupted"`
	progress    *progress        // guards Planned and Played while games are played
}

// verify decides a run again from its stored evaluations, and plays games of it again.
func verify(ctx context.Context, in *invocation) error {
	f := in.flags()
	games, workers := 0, 0
	in.databaseFlag(f)
	f.Var(&wholeNumber{&games, 1, math.MaxInt}, "games",
		"play this `NUMBER` of games again at least, in whole evaluations; of a record the first ones of each search. If "+
			"not given: 1,000 of a run, all of a record")
	all := f.Bool("all", false, "play all games again")
	workersFlag(f, &workers, 1, "play this `NUMBER` of games at once")
	asJSON := f.Bool("json", false, "print the findings as JSON")
	in.botFlag(f)
	name, err := in.parseName(f)
	switch {
	case err != nil:
		return err
	case *all && games > 0:
		return usagef("verify: want one of -games and -all")
	}
	var v verified
	v.progress = newProgress(in.screen, func() string {
		if v.Planned == 0 {
			return ""
		}
		return fmt.Sprintf("verify: %d of %d games", v.Played, v.Planned)
	})
	in.warnBy(v.progress.warn)
	pool := in.pool(workers)
	if isFile(name) {
		err = v.verifyRecord(ctx, name, games, pool)
	} else {
		most := int64(cmp.Or(games, verifiedGames))
		if *all {
			most = -1
		}
		err = in.verifyRun(ctx, &v, name, pool, most)
	}
	v.progress.stop()
	v.Interrupted = errors.Is(err, context.Canceled)
	if err != nil && !v.Interrupted {
		return err
	}
	if *asJSON {
		err = errors.Join(err, writeJSON(in.stdout, v))
	} else {
		v.print(in.stdout, in.databaseOption())
	}
	if err == nil && len(v.Differences) > 0 {
		who := name
		if !isFile(name) {
			who = "run " + v.Run
		}
		err = fmt.Errorf("%s: it is not what its weights and seeds give: somebody changed it, a worker was wrong, or the "+
			"play is not what its signature says", who)
	}
	return err
}

// verifyRun verifies a run of the database, as it is at one moment. It plays as many games again at
// least, or all if most is below 0.
func (in *invocation) verifyRun(ctx context.Context, v *verified, name string, pool *simulator.Pool,
	most int64) (err error) {
	reader, err := in.reader()
	if err != nil {
		return err
	}
	if err := reader.CheckFile(ctx); err != nil {
		return err
	}
	var found *results.Redone
	defer func() {
		if found != nil {
			err = errors.Join(err, found.Close())
		}
	}()
	err = reader.Moment(ctx, func(now *results.Reader) error {
		run, err := now.Find(ctx, name)
		if err != nil {
			return notRun(err, name, "a record, whose name ends in .json")
		}
		v.Run = run.Name
		c, contest, err := in.verifiable(run)
		if err != nil {
			return err
		}
		found, err = now.Redo(ctx, run, c, contest)
		return err
	})
	if err == nil {
		err = found.Play(ctx, pool, most, rand.Uint64(),
			func(so results.Verified) { v.progress.update(func() { v.Verified = so }) })
	}
	if found == nil {
		return err
	}
	v.progress.update(func() { v.Verified = found.Verified })
	if left := v.Games + v.Unasked - v.Played; left > 0 {
		v.Unverified = append(v.Unverified,
			fmt.Sprintf("%s games were not played again (-all plays them)", report.Grouped(left)))
	}
	v.Unverified = append(v.Unverified, "what the run is called, its note, why it stopped, when, where and how fast it "+
		"was "+
		"played, whom its games serve, and the last boards of its games")
	return err
}

// verifiable returns the config of a run, of an experiment or of a comparison, and an error if the
// run cannot be verified here.
func (in *invocation) verifiable(run results.Run) (c *config.Config, contest *config.Contest, err error) {
	if err := playable(run.Name, run.Signature, run.Unrepeatable); err != nil {
		return nil, nil, err
	}
	c, contest, err = run.Configs()
	if err != nil {
		return nil, nil, fmt.Errorf("verify run %s of %s: %w", run.Name, in.database, err)
	}
	hash, text := "", []byte(nil)
	if contest != nil {
		hash, text = contest.Hash(), contest.YAML()
	} else {
		hash, text = c.Hash, c.YAML()
	}
	if hash != run.ConfigHash && run.Older(text) {
		return nil, nil, fmt.Errorf("run %s is of an older version of tune, which names its games in another way: verify "+
			"it with that "+
			"version, or verify its record: %s export %s -o %s.json, then %s verify %s.json", run.Name, program, run.Name,
			run.Name, program, run.Name)
	}
	for _, heuristic := range experiments.Players(c, contest) {
		if err := in.nameBot(heuristic); err != nil {
			return nil, nil, err
		}
	}
	return c, contest, nil
}

// playable is the error for games that may end otherwise here.
func playable(run, signature, unrepeatable string) error {
	switch {
	case signature != simulator.Signature:
		return fmt.Errorf("run %s was played by an engine with signature %s, this program's is %s: its games may end "+
			"otherwise here, so nothing was played; verify it with the version of tune that made it", run, signature,
			simulator.Signature)
	case unrepeatable != "":
		return fmt.Errorf("run %s cannot be verified: %s: played again, its games may end otherwise without anybody's fault",
			run, unrepeatable)
	}
	return nil
}

// verifiedSearch is the player of a record at a search, with games that were played again.
type verifiedSearch struct {
	Search    string      `json:"search"`
	Games     int         `json:"games"` // that the record has
	Played    int         `json:"played"`
	MeanScore float64     `json:"mean_score"` // of the games played
	CI        *[2]float64 `json:"ci"`         // 95%, of the mean score
	score     stats.Estimate
}

// verifyRecord plays the held-out games of a record's champion again, and compares their scores and
// their mean. It plays all, or with most above 0 the first games of each search.
func (v *verified) verifyRecord(ctx context.Context, path string, most int, pool *simulator.Pool) error {
	r, err := loadRecord(path)
	if err != nil {
		return err
	}
	v.Run, v.Differences, v.Unverified = r.Run, []string{}, []string{}
	if err := playable(path, r.Signature, r.Unrepeatable); err != nil {
		return err
	}
	if len(r.HeldOut) == 0 {
		return fmt.Errorf("%s: candidate %d of run %s has played no held-out games: there is nothing to verify", path,
			r.Candidate, r.Run)
	}
	for _, h := range r.HeldOut {
		games := h.Games
		if most > 0 {
			games = min(most, games)
		}
		settings, err := engine.ParseSettings(h.Search)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		before := v.Played
		s, err := experiments.PlayHeldOut(ctx, r.Experiment(), r.HeldOutSalt, pool, r.Player(), settings, games,
			func(played int) {
				v.progress.update(func() { v.Played, v.Planned = before+int64(played), before+int64(games) })
			})
		if err != nil {
			return err
		}
		mean := stats.Estimate{Value: s.Score.Mean,
			Interval: r.Experiment().Objective.ScoreInterval(s.Sample, experiments.Confidence)}
		v.Searches = append(v.Searches,
			verifiedSearch{h.Search, h.Games, games, mean.Value, export.Bounded(mean.Interval), mean})
		for i, score := range s.Scores[:min(len(s.Scores), len(h.Scores))] {
			v.differ(h.Search, fmt.Sprintf("score of game %d", i), h.Scores[i], score)
		}
		if games == h.Games {
			v.differ(h.Search, "mean_score", h.MeanScore, s.Score.Mean)
		} else {
			v.Unverified = append(v.Unverified,
				fmt.Sprintf("the mean at %s: it is of %s games (leave out -games)", h.Search, report.Grouped(int64(h.Games))))
		}
	}
	v.Unverified = append(v.Unverified, "what follows from the scores and the start weights' scores: intervals, shares, "+
		"gains, verdicts")
	return nil
}

// differ notes a figure of a record that differs. Numbers may differ in their last digits: a run
// adds up its games in batches.
func (v *verified) differ(search, name string, stored, found float64) {
	if a, b := digits(stored), digits(found); a != b {
		v.Differences = append(v.Differences, fmt.Sprintf("%s: %s stored %s, found %s", search, name, a, b))
	}
}

// digits writes a figure with the digits that count.
func digits(figure float64) string { return fmt.Sprintf("%.9g", figure+0) } // no -0

func (v verified) print(w io.Writer, db string) {
	if v.Searches == nil {
		made := "its decisions were made again from"
		if !v.Decisions {
			made = "it has"
		}
		fmt.Fprintf(w, "run %s: %s %s evaluations of %s games\n", cell(v.Run), made,
			report.Grouped(int64(v.Evaluations)), report.Grouped(v.Games))
		if v.Unasked > 0 {
			fmt.Fprintf(w, "%s more games lie in the same rows of the memo: the run did not ask for them, but later runs get "+
				"them\n",
				report.Grouped(v.Unasked))
		}
		fmt.Fprintf(w, "%s games were played again, in %s evaluations chosen at random\n",
			report.Grouped(v.Played), report.Grouped(int64(v.Replayed)))
	}
	for i, s := range v.Searches {
		if i == 0 {
			fmt.Fprintf(w, "record of run %s: games were played again from the file alone\n", cell(v.Run))
		}
		fmt.Fprintf(w, "%s: %s of %s games, mean score %s\n", cell(s.Search), report.Grouped(int64(s.Played)),
			report.Grouped(int64(s.Games)), report.UnitOf(fitness.MeanScore).Of(s.MeanScore).Estimate(s.score))
	}
	if v.Interrupted {
		fmt.Fprintln(w, "interrupted: not everything was looked at; so far:")
	}
	for _, text := range v.Unverified {
		fmt.Fprintln(w, "not verified: "+cell(text))
	}
	for _, text := range v.Differences {
		fmt.Fprintf(w, "%.1000s\n", cell(strings.TrimSpace(text)))
	}
	if len(v.False) > 0 {
		fmt.Fprintf(w, "to forget these games, so that the same command as before plays them again:\n  %s runs -forget "+
			"%s:%s%s\n", program,
			quote(v.Run), strings.Join(v.False, ","), db)
	}
	text := "no difference"
	if n := len(v.Differences); n > 0 {
		text = report.Count(n, "difference")
	}
	fmt.Fprintln(w, text)
}
