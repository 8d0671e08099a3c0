package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

// errDiffers: the games of a run or of a record, played again, are others.
var errDiffers = errors.New("stored games differ from the games that their weights and seeds give")

// verifiedShare is the share of the stored games that is played again unless a flag says otherwise.
const verifiedShare = 0.05

// maxDifferences is how many are printed without -json.
const maxDifferences = 20

// verify plays stored games again and reports those that differ.
func verify(ctx context.Context, in *invocation) error {
	f := in.flags()
	games, workers, share := 0, 0, verifiedShare
	in.databaseFlag(f)
	f.Var(&wholeNumber{&games, 1, math.MaxInt}, "games", "play this `NUMBER` of games again; if not given, 5% of the stored games, but at least 20")
	all := f.Bool("all", false, "play all stored games again")
	worker := f.String("worker", "", "play all games again that the worker of this `NAME` played")
	workersFlag(f, &workers, 1, "play this `NUMBER` of games at once")
	seed := f.Uint64("seed", rand.Uint64()>>11, "this `SEED` picks which games are played again; another choice is made each time if it is not given")
	f.Lookup("seed").DefValue = "0"
	asJSON := f.Bool("json", false, "print the findings as JSON")
	in.botFlag(f)
	name, err := in.parseRun(f)
	if err != nil {
		return err
	}
	if isFile(name) {
		if given(f, "seed") || given(f, "db") || given(f, "worker") {
			return usagef("verify: -seed, -worker and -db go with a RUN: of a record all games are played, or with -games the first ones of each search")
		}
		return in.verifyRecord(ctx, name, games, workers, *asJSON)
	}
	switch {
	case (*all || *worker != "") && games > 0:
		return usagef("verify: want one of -games and -all, or -worker without them")
	case *all || *worker != "":
		share = 1
	}
	reader, err := results.OpenReader(in.database)
	if err != nil {
		return err
	}
	defer reader.Close()
	if err := reader.CheckFile(ctx); err != nil {
		return err
	}
	run, err := reader.Find(ctx, name)
	if err != nil {
		return err
	}
	if run.Signature != simulator.Signature {
		return otherEngine(run.Name, run.Signature)
	}
	if run.Unrepeatable != "" {
		return unrepeatable(run.Name, run.Unrepeatable)
	}
	stored, err := run.Stored()
	if err != nil {
		return err
	}
	if *worker != "" {
		known, err := reader.Workers(ctx, run.ID)
		if err != nil {
			return err
		}
		if !slices.Contains(known, *worker) {
			return fmt.Errorf("no worker %q has played for run %s (%s query%s -sql \"SELECT name FROM workers WHERE run_id = %d\" lists them)",
				*worker, run.Name, program, in.databaseOption(), run.ID)
		}
	}
	pool := in.pool(workers)
	pool.Audit = true
	progress, observe := newVerifyProgress(in)
	found, err := experiments.Verification{
		Stored: stored, Run: run.ID, Archive: reader, Simulator: pool, Share: share, Games: int64(games), Seed: *seed, Worker: *worker,
		Observe: func(v experiments.Verified) { observe("", v.Played, v.Planned, len(v.Differences)) },
	}.Verify(ctx)
	progress.stop()
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return fmt.Errorf("verify run %s of %s: %w", run.Name, in.database, err)
	}
	for i := range found.Differences {
		found.Differences[i].Game = results.GameID(run.ID, found.Differences[i].Game)
	}
	result := verifyResult{Run: run.Name, Seed: *seed, Verified: found, Interrupted: interrupted}
	if !interrupted && run.Status == experiments.Finished {
		recorded, now, altered, err := reader.Altered(ctx, run)
		if err != nil {
			return err
		}
		result.Altered = altered
		if result.Fingerprint = fingerprintSame; now != recorded {
			result.Fingerprint = fingerprintChanged
		}
	}
	if *asJSON {
		err = errors.Join(err, writeJSON(in.stdout, result))
	} else {
		result.print(in.stdout)
	}
	if err == nil && (len(found.Differences) > 0 || len(result.Altered) > 0 || result.Fingerprint == fingerprintChanged) {
		err = fmt.Errorf("run %s of %s: %w: somebody changed the database, a worker was wrong, or the play is not what its signature says", run.Name, in.database, errDiffers)
	}
	return err
}

// otherEngine is the error for a run of another version, which plays otherwise.
func otherEngine(run, signature string) error {
	return fmt.Errorf("run %s was played by an engine with signature %s, this program's is %s: its games may end otherwise here, "+
		"so nothing was played; verify it with the version of tune that made it", run, signature, simulator.Signature)
}

// unrepeatable is the error for a run whose games end otherwise when they are played again.
func unrepeatable(run, why string) error {
	return fmt.Errorf("run %s cannot be verified: %s: played again, its games may end otherwise without anybody's fault", run, why)
}

// Verdicts on a run's fingerprint.
const (
	fingerprintSame    = "same"
	fingerprintChanged = "changed"
)

// verifyResult is the result of verify, as text or as JSON. Games go by their ids.
type verifyResult struct {
	Run  string `json:"run"`
	Seed uint64 `json:"seed"`
	experiments.Verified
	Fingerprint string   `json:"fingerprint"`       // empty: the run is not finished
	Altered     []string `json:"altered,omitempty"` // rows that do not follow from the evaluations
	Interrupted bool     `json:"interrupted"`
}

func (r verifyResult) print(w io.Writer) {
	rows := 0 // differences
	for _, d := range r.Differences {
		if d.Kind == experiments.DiffersRows {
			rows++
		}
	}
	outcome := "all the same"
	if len(r.Differences) > rows {
		outcome = "not all the same"
	}
	fmt.Fprintf(w, "run %s: %s of %s stored games were played again: %s (-seed %d picks the same games)\n", cell(r.Run), report.Grouped(r.Played),
		report.Grouped(r.Kept+r.Unkept), outcome, r.Seed)
	if r.Unkept > 0 {
		fmt.Fprintf(w, "%s of these games are stored only as a part of an evaluation; all games of %s were played again\n", report.Grouped(r.Unkept),
			plural(r.Evaluations, "such evaluation"))
	}
	printRepeated(w, r.Searches)
	if r.Kept > 0 && rows == 0 && !r.Interrupted {
		fmt.Fprintln(w, "every evaluation agrees with the rows of its games")
	}
	switch r.Fingerprint {
	case fingerprintSame:
		fmt.Fprintln(w, "the stored run has the fingerprint that it finished with")
	case fingerprintChanged:
		fmt.Fprintln(w, "the stored run has another fingerprint than it finished with")
	}
	if r.Interrupted {
		fmt.Fprintln(w, "interrupted: not everything was looked at; so far:")
	}
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, describe(d))
	}
	for _, row := range r.Altered {
		lines = append(lines, "row that does not follow from the evaluations: "+cell(row))
	}
	for i, line := range lines {
		if i == maxDifferences {
			fmt.Fprintf(w, "and %d more: -json prints all\n", len(lines)-i)
			break
		}
		fmt.Fprintln(w, line)
	}
	if len(lines) == 0 {
		fmt.Fprintln(w, "no difference")
	} else {
		fmt.Fprintln(w, plural(len(lines), "difference"))
	}
}

// printRepeated says how many searches for the best move were repeated, if any leaves nodes out.
func printRepeated(w io.Writer, searches int64) {
	if searches > 0 {
		fmt.Fprintf(w, "the full search repeated %s of their searches for the best move\n", report.Grouped(searches))
	}
}

// describe writes a difference on one line.
func describe(d experiments.Difference) string {
	place := fmt.Sprintf("candidate %d, %s", d.Candidate, d.Phase)
	if d.Stage != "" {
		place += fmt.Sprintf(" %s, generation %d", d.Stage, d.Generation)
	}
	place += fmt.Sprintf(", round %d at %s", d.Round, d.Search)
	var text string
	switch d.Kind {
	case experiments.DiffersGame:
		text = fmt.Sprintf("game %d (%s, seed %d) ends otherwise:", d.Game, place, *d.Seed)
	case experiments.DiffersSearch:
		text = fmt.Sprintf("game with seed %d (%s): the search for the best move alone differs from the full search:", *d.Seed, place)
	case experiments.DiffersSeed:
		text = fmt.Sprintf("game %d (%s) has a seed that the config does not give:", d.Game, place)
	case experiments.DiffersEvaluation:
		text = fmt.Sprintf("evaluation of %s: its %d games, played again, are others:", place, d.Games)
	default:
		text = fmt.Sprintf("evaluation of %s: the rows of its games say something else:", place)
		if d.Seed != nil {
			text += fmt.Sprintf(" game %d:", d.Game)
		}
	}
	return cell(text) + differing(d.Values...)
}

// differing writes the stored values and the values of the games, played again.
func differing(values ...experiments.Differing) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf(" %s stored %v, found %v", v.Name, v.Stored, v.Found))
	}
	return cell(strings.Join(texts, ","))
}

// newVerifyProgress shows how far a verification is. observe receives a search, or "" for all of
// them at once, and how many of its games have been played.
func newVerifyProgress(in *invocation) (p *progress, observe func(search string, played, planned int64, differences int)) {
	var status string
	p = newProgress(in.screen, func() string { return status })
	return p, func(search string, played, planned int64, differences int) {
		p.update(func() {
			status = strings.TrimSpace(fmt.Sprintf("verify: %d of %d games, %s %s", played, planned, plural(differences, "difference"), search))
		})
	}
}
