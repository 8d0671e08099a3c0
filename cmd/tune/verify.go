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
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
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
	experiments.Verified
	Seed        uint64           `json:"seed"`
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
	seed := f.Uint64("seed", rand.Uint64()>>11,
		"this `SEED` picks what is played again; another choice is made each time if it is not given")
	f.Lookup("seed").DefValue = "0"
	asJSON := f.Bool("json", false, "print the findings as JSON")
	in.botFlag(f)
	name, err := in.parseName(f)
	switch {
	case err != nil:
		return err
	case *all && games > 0:
		return usagef("verify: want one of -games and -all")
	}
	v := verified{Seed: *seed}
	v.progress = newProgress(in.screen, func() string {
		if v.Planned == 0 {
			return ""
		}
		return fmt.Sprintf("verify: %d of %d games", v.Played, v.Planned)
	})
	pool := in.pool(workers)
	if isFile(name) {
		err = v.verifyRecord(ctx, name, games, pool)
	} else {
		x := experiments.Verification{Simulator: pool, Games: int64(cmp.Or(games, verifiedGames)),
			All: *all, Seed: *seed}
		err = in.verifyRun(ctx, &v, x, name)
	}
	v.progress.stop()
	if v.Interrupted = errors.Is(err, context.Canceled); err != nil && !v.Interrupted {
		return err
	}
	if *asJSON {
		err = errors.Join(err, writeJSON(in.stdout, v))
	} else {
		v.print(in.stdout)
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

// verifyRun verifies a run of the database, as it is at one moment.
func (in *invocation) verifyRun(ctx context.Context, v *verified, x experiments.Verification, name string) error {
	reader, err := in.reader()
	if err != nil {
		return err
	}
	if err := reader.CheckFile(ctx); err != nil {
		return err
	}
	var wrong, unverified []string
	err = reader.Moment(ctx, func(now *results.Reader) error {
		run, err := now.Find(ctx, name)
		if err != nil {
			return err
		}
		v.Run = run.Name
		if wrong, err = in.prepareVerification(&x, run); err != nil {
			return err
		}
		var failed [4]error
		var print, figure string
		var sums []string
		x.Records, failed[0] = now.Records(ctx, run.ID)
		print, failed[1] = now.Fingerprint(ctx, run.ID)
		sums, failed[2] = now.WrongSums(ctx, run)
		wrong = append(wrong, sums...)
		if run.Status != experiments.Finished {
			unverified = append(unverified, "the table figures, which may be older than the run's games until it is finished")
			return errors.Join(failed[:]...)
		}
		if figure, failed[3] = now.WrongFigures(ctx, run); figure != "" {
			wrong = append(wrong, figure)
		}
		if run.Fingerprint != print {
			wrong = append(wrong, fmt.Sprintf("fingerprint: the run finished with %.12s, its content has %.12s",
				run.Fingerprint, print))
		}
		return errors.Join(failed[:]...)
	})
	if err != nil {
		return err
	}
	x.Observe = func(found experiments.Verified) { v.progress.update(func() { v.Verified = found }) }
	found, err := x.Verify(ctx)
	v.progress.update(func() { v.Verified = found })
	v.Differences = append(v.Differences, wrong...)
	if int64(v.Games) > v.Played {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%s games were not played again (-all plays them)",
			report.Grouped(v.Games-v.Played)))
	}
	v.Unverified = append(append(v.Unverified, unverified...), "name, times, note, workers and the rows of the table games")
	return err
}

// prepareVerification sets the run of a verification. It returns facts of the run that do not
// follow from the run's config, and an error if the run cannot be verified here.
func (in *invocation) prepareVerification(x *experiments.Verification, run results.Run) (wrong []string, err error) {
	if err := playable(run.Name, run.Signature, run.Unrepeatable); err != nil {
		return nil, err
	}
	hash, seed, text := "", uint64(0), []byte(nil)
	if run.Kind.HasPlayers() {
		if x.Contest, err = config.ParseContest([]byte(run.ConfigYAML), "run "+run.Name); err == nil {
			experiments.SetPrograms(run.Programs, x.Players()...) // which the hash depends on
			hash, seed, text = x.Contest.Hash(), x.Contest.Seed, x.Contest.YAML()
		}
	} else if x.Config, err = run.Config(); err == nil {
		hash, seed, text = x.Config.Hash, x.Config.Seed, x.Config.YAML()
	}
	if err != nil {
		return nil, fmt.Errorf("verify run %s of %s: its config cannot be read: %w", run.Name, in.database, err)
	}
	if hash != run.ConfigHash && run.Older(text) {
		return nil, fmt.Errorf("run %s is of an older version of tune, which names its games in another way: verify it with that "+
			"version, or verify its record: %s export %s -o %s.json, then %s verify %s.json", run.Name, program, run.Name, run.Name, program, run.Name)
	}
	for _, heuristic := range x.Players() {
		if err := in.nameBot(heuristic); err != nil {
			return nil, err
		}
	}
	x.Champion, x.Programs = run.Champion, run.Programs
	x.Run = experiments.Run{ID: run.ID, Name: run.Name, Status: run.Status, StoppedAfter: run.StoppedAfter,
		HeldOutSalt: run.HeldOutSalt}
	if seed != run.Seed {
		wrong = append(wrong, fmt.Sprintf("config: its seed is stored as %d, found %d", run.Seed, seed))
	}
	if hash != run.ConfigHash {
		wrong = append(wrong, fmt.Sprintf("config: its hash is stored as %.12s, found %.12s", run.ConfigHash, hash))
	}
	return wrong, nil
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

// verifiedSearch is a player of a record at a search, with games that were played again.
type verifiedSearch struct {
	Search    string      `json:"search"`
	Player    string      `json:"player"`
	Games     int         `json:"games"` // that the record has
	Played    int         `json:"played"`
	MeanScore float64     `json:"mean_score"` // of the games played, as all below
	CI        *[2]float64 `json:"ci"`         // 95%, of the mean score
	Reach2048 *float64    `json:"reach_2048"`
	CPU       float64     `json:"cpu_us_per_move"` // microseconds, of a bot its own
}

// verifyRecord plays the held-out games of a record's champion and of its start weights again. It
// plays all, or with most above 0 the first games of each search.
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
	c := r.Experiment()
	for _, h := range r.HeldOut {
		games := h.Games
		if most > 0 {
			games = min(most, games)
		}
		settings, err := engine.ParseSettings(h.Search)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		play := func(name string, who eval.Player) (*experiments.Standing, []simulator.Outcome, error) {
			before := v.Played
			s, outcomes, err := experiments.PlayHeldOut(ctx, c, r.HeldOutSalt, pool, who, settings, games, func(played int) {
				v.progress.update(func() { v.Played, v.Planned = before+int64(played), before+int64(games) })
			})
			if err != nil {
				return nil, nil, err
			}
			one := verifiedSearch{Search: h.Search, Player: name, Games: h.Games, Played: games,
				MeanScore: s.Score.Mean,
				CI:        export.Bounded(s.Interval())}
			if !s.Untiled {
				one.Reach2048 = new(float64(s.Reached(2048)) / float64(games))
			}
			if s.TimedMoves > 0 {
				one.CPU = float64(s.Time.Microseconds()) / float64(s.TimedMoves)
			}
			v.Searches = append(v.Searches, one)
			return s, outcomes, nil
		}
		champion, outcomes, err := play("its player", r.Player())
		if err != nil {
			return err
		}
		v.compareHeldOut(h, champion, outcomes, c)
		if h.Gain == nil {
			v.Unverified = append(v.Unverified, "the gain at "+h.Search+": it has none")
			continue
		}
		other, _, err := play("start weights", c.Form().Player(c.Heuristic.Values()))
		if err != nil {
			return err
		}
		if games < h.Games {
			v.Unverified = append(v.Unverified,
				fmt.Sprintf("means, gain and verdict at %s: they are of %s games (leave out -games)", h.Search,
					report.Grouped(int64(h.Games))))
			continue
		}
		v.differ(h.Search, "start_mean", h.StartMean, other.Score.Mean)
		gain := experiments.Against(c.Objective, champion, other, true)
		if r.Candidate == experiments.StartNumber {
			gain.Difference.Value, gain.Difference.Interval.Low, gain.Difference.Interval.High = 0, 0, 0
		}
		v.differ(h.Search, "gain", *h.Gain, gain.Difference.Value)
		v.differ(h.Search, "gain_ci", h.GainCI, export.Bounded(gain.Difference.Interval))
		if len(r.HeldOut) == 1 && len(c.References) == 0 {
			alone := []experiments.Comparison{gain}
			experiments.JudgeTogether(alone, 1-experiments.Confidence)
			v.differ(h.Search, "verdict", h.Verdict, alone[0].Verdict)
		} else {
			v.Unverified = append(v.Unverified,
				"the verdict at "+h.Search+": it was judged together with other searches and references")
		}
	}
	return nil
}

// compareHeldOut compares a record's figures with games that were played again: all figures if all
// games were, otherwise the scores.
func (v *verified) compareHeldOut(h export.HeldOut, s *experiments.Standing, outcomes []simulator.Outcome,
	c *config.Config) {
	for i, score := range s.Scores[:min(len(s.Scores), len(h.Scores))] {
		v.differ(h.Search, fmt.Sprintf("score of game %d", i), h.Scores[i], score)
	}
	if len(outcomes) < h.Games {
		return
	}
	v.differ(h.Search, "mean_score", h.MeanScore, s.Score.Mean)
	v.differ(h.Search, "ci", h.CI, export.Bounded(s.Interval()))
	v.differ(h.Search, "fitness", h.Fitness, s.Fitness.Mean)
	v.differ(h.Search, "fitness_ci", h.FitnessCI, export.Bounded(c.Objective.Interval(s.Sample,
		experiments.Confidence)))
	v.differ(h.Search, "reach", h.Reach.Map(), export.ReachOf(s).Map())
	if h.GamesHash != "" {
		v.differ(h.Search, "games_hash", h.GamesHash, experiments.HashGames(outcomes))
	}
}

// differ notes a figure of a record that differs. Numbers may differ in their last digits: a run
// adds up its games in batches.
func (v *verified) differ(search, name string, stored, found any) {
	if a, b := digits(stored), digits(found); a != b {
		v.Differences = append(v.Differences, fmt.Sprintf("%s: %s stored %s, found %s", search, name, a, b))
	}
}

// digits writes a figure with the digits that count.
func digits(figure any) string {
	switch v := figure.(type) {
	case float64:
		return fmt.Sprintf("%.9g", v+0) // which is no -0
	case *[2]float64:
		if v != nil {
			return fmt.Sprintf("%.9g", [2]float64{v[0] + 0, v[1] + 0})
		}
	}
	return fmt.Sprint(figure)
}

func (v verified) print(w io.Writer) {
	if v.Searches == nil {
		fmt.Fprintf(w, "run %s: its decisions were made again from %s evaluations of %s games\n", cell(v.Run),
			report.Grouped(int64(v.Evaluations)), report.Grouped(v.Games))
		fmt.Fprintf(w, "%s games were played again, in %s evaluations (-seed %d picks the same ones)\n",
			report.Grouped(v.Played), report.Grouped(int64(v.Replayed)), v.Seed)
	}
	for i, s := range v.Searches {
		points := report.UnitOf(fitness.MeanScore).Of(s.MeanScore)
		if i == 0 {
			fmt.Fprintf(w, "record of run %s: games were played again from the file alone\n", cell(v.Run))
		}
		interval := "[unknown]"
		if s.CI != nil {
			interval = fmt.Sprintf("[%s, %s]", points.Figure(s.CI[0]), points.Figure(s.CI[1]))
		}
		text := fmt.Sprintf("%s, %s: %s of %s games, mean score %s %s", cell(s.Search), s.Player,
			report.Grouped(int64(s.Played)), report.Grouped(int64(s.Games)), points.Figure(s.MeanScore), interval)
		if s.Reach2048 != nil {
			text += fmt.Sprintf(", 2048 in %.1f%%", 100**s.Reach2048)
		}
		if s.CPU > 0 {
			text += ", " + report.PerMove(s.CPU/1000) + " a move"
		}
		fmt.Fprintln(w, text)
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
	text := "no difference"
	if n := len(v.Differences); n > 0 {
		text = report.Count(n, "difference")
	}
	fmt.Fprintln(w, text)
}
