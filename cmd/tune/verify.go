package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// errDiffers: what is stored is not what the run's config, weights and seeds give.
var errDiffers = errors.New("what is stored is not what its weights and seeds give")

// maxDifferences is how many are printed without -json.
const maxDifferences = 20

// verify plays stored games again and reports those that differ.
func verify(ctx context.Context, in *invocation) error {
	f := in.flags()
	var database string
	databaseFlag(f, &database)
	share := f.Float64("share", 0.05, "part of the stored games to play again, 0 to 1; at least 20 games")
	games := f.Int64("games", 0, "play this `NUMBER` of games again instead of a share")
	all := f.Bool("all", false, "play all games again")
	workers := f.Int("workers", runtime.NumCPU(), "games played at once")
	seed := f.Uint64("seed", 0, "`SEED` of the choice of games; default: another one each time")
	asJSON := f.Bool("json", false, "print what was found as JSON")
	arguments, err := in.parse(f)
	if err != nil {
		return err
	}
	if len(arguments) > 1 {
		return usagef("verify: want the name of one run, got %d; tune runs lists them", len(arguments))
	}
	name := "" // the newest
	if len(arguments) == 1 {
		name = arguments[0]
	}
	switch {
	case given(f, "share") && (!(*share > 0) || *share > 1):
		return usagef("verify: -share: want more than 0 and at most 1, got %v", *share)
	case given(f, "games") && *games < 1:
		return usagef("verify: -games: want at least 1, got %d", *games)
	case *workers < 1 || *workers > 1024:
		return usagef("verify: -workers: want 1 to 1024, got %d", *workers)
	case given(f, "share") && given(f, "games") || *all && (given(f, "share") || given(f, "games")):
		return usagef("verify: want one of -share, -games and -all")
	case *all:
		*share = 1
	}
	if !given(f, "seed") {
		*seed = rand.Uint64() >> 11
	}
	reader, err := results.OpenReader(database)
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
		return fmt.Errorf("run %s was played by an engine with signature %s, this program's is %s: its games end otherwise here, "+
			"so nothing was played; verify it with the version of tune that made it", run.Name, run.Signature, simulator.Signature)
	}
	cast, err := storedCast(run)
	if err != nil {
		return err
	}
	v := experiments.Verification{
		Cast: cast, Run: run.ID, Archive: reader, Simulator: simulator.NewPool(*workers), Share: *share, Games: *games, Seed: *seed,
		Observe: newVerifyProgress(in.stderr).observe,
	}
	found, err := v.Verify(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("verify run %s of %s: %w", run.Name, database, err)
	}
	print := report{Run: run.Name, Seed: *seed, Verified: found, id: run.ID}
	if err == nil {
		if print.Fingerprint, err = fingerprintVerdict(ctx, reader, run); err != nil {
			return err
		}
	}
	print.Interrupted = err != nil
	if *asJSON {
		err = errors.Join(err, print.json(in.stdout))
	} else {
		print.text(in.stdout)
	}
	if err == nil && (len(found.Differences) > 0 || print.Fingerprint == fingerprintChanged) {
		err = fmt.Errorf("run %s of %s: %w: somebody changed the database, or the play is not what its signature says", run.Name, database, errDiffers)
	}
	return err
}

// Verdicts on a run's fingerprint.
const (
	fingerprintSame    = "same"
	fingerprintChanged = "changed"
	fingerprintNone    = "" // the run is not finished
)

func fingerprintVerdict(ctx context.Context, reader *results.Reader, run results.Run) (string, error) {
	if run.Fingerprint == "" {
		return fingerprintNone, nil
	}
	now, err := reader.Fingerprint(ctx, run.ID)
	switch {
	case err != nil:
		return "", err
	case now != run.Fingerprint:
		return fingerprintChanged, nil
	}
	return fingerprintSame, nil
}

// storedConfig is the config that a run was made with.
func storedConfig(run results.Run) (*configs.Config, error) {
	c, err := configs.ParseStored([]byte(run.ConfigYAML), "run "+run.Name)
	if err != nil {
		return nil, fmt.Errorf("the stored config of run %s cannot be read: %w", run.Name, err)
	}
	return c, nil
}

// storedCast is who played in a run of any kind.
func storedCast(run results.Run) (experiments.Cast, error) {
	if run.Kind == "compare" {
		c, err := configs.ParseComparison([]byte(run.ConfigYAML), "run "+run.Name)
		if err != nil {
			return experiments.Cast{}, fmt.Errorf("the stored players of run %s cannot be read: %w", run.Name, err)
		}
		return experiments.CompareCast(c), nil
	}
	c, err := storedConfig(run)
	if err != nil {
		return experiments.Cast{}, err
	}
	return experiments.TuneCast(c), nil
}

// report is what verify prints.
type report struct {
	Run         string
	Seed        uint64
	Verified    experiments.Verified
	Fingerprint string
	Interrupted bool
	id          int64
}

func (r report) text(w io.Writer) {
	f := r.Verified
	fmt.Fprintf(w, "run %s: %s kept as rows, %s in evaluations only\n", cell(r.Run), plural(int(f.Kept), "game"), plural(int(f.Unkept), "game"))
	fmt.Fprintf(w, "played again: %s, among them %s as a whole (-seed %d chooses them)\n", plural(int(f.Played), "game"), plural(f.Evaluations, "evaluation"), r.Seed)
	if f.Kept > 0 {
		fmt.Fprintln(w, "all rows were held against their evaluations")
	}
	switch r.Fingerprint {
	case fingerprintSame:
		fmt.Fprintln(w, "the fingerprint is the one that the run finished with")
	case fingerprintChanged:
		fmt.Fprintln(w, "the fingerprint is not the one that the run finished with")
	}
	if r.Interrupted {
		fmt.Fprintln(w, "interrupted: not all was looked at")
	}
	for i, d := range f.Differences {
		if i == maxDifferences {
			fmt.Fprintf(w, "and %d more: -json prints all\n", len(f.Differences)-i)
			break
		}
		fmt.Fprintln(w, r.describe(d))
	}
	if len(f.Differences) == 0 && r.Interrupted {
		fmt.Fprintln(w, "no difference so far")
	} else if len(f.Differences) == 0 {
		fmt.Fprintln(w, "no difference")
	} else {
		fmt.Fprintln(w, plural(len(f.Differences), "difference"))
	}
}

// describe writes a difference on one line.
func (r report) describe(d experiments.Difference) string {
	var b strings.Builder
	d.Phase, d.Stage, d.Search = cell(d.Phase), cell(d.Stage), cell(d.Search)
	place := fmt.Sprintf("candidate %d, %s", d.Candidate, d.Phase)
	if d.Stage != "" {
		place += fmt.Sprintf(" %s, generation %d", d.Stage, d.Generation)
	}
	place += fmt.Sprintf(", round %d at %s", d.Round, d.Search)
	switch d.Kind {
	case experiments.DiffersGame:
		fmt.Fprintf(&b, "game %d (%s, seed %d) ends otherwise:", r.game(d), place, d.Seed)
	case experiments.DiffersSeed:
		fmt.Fprintf(&b, "game %d (%s) has a seed that the config does not give:", r.game(d), place)
	case experiments.DiffersEvaluation:
		fmt.Fprintf(&b, "evaluation of %s: its %d games, played again, are others:", place, d.Games)
	default:
		fmt.Fprintf(&b, "evaluation of %s: the rows of its games say something else:", place)
		if d.Games == 1 && d.Seed > 0 {
			fmt.Fprintf(&b, " game %d:", r.game(d))
		}
	}
	for i, v := range d.Values {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %s stored %s, found %s", v.Name, cell(fmt.Sprint(v.Stored)), cell(fmt.Sprint(v.Found)))
	}
	return b.String()
}

// game is the id of a difference's game, of an evaluation the first one's.
func (r report) game(d experiments.Difference) int64 { return results.GameID(r.id, d.Game) }

func (r report) json(w io.Writer) error {
	type value struct {
		Name   string `json:"name"`
		Stored any    `json:"stored"`
		Found  any    `json:"found"`
	}
	type difference struct {
		Kind       string  `json:"kind"`
		Game       int64   `json:"game"` // id; of an evaluation its first
		Games      int64   `json:"games"`
		Candidate  int     `json:"candidate"`
		Phase      string  `json:"phase"`
		Stage      string  `json:"stage"`
		Search     string  `json:"search"`
		Generation int     `json:"generation"`
		Round      int     `json:"round"`
		Seed       *uint64 `json:"seed"`
		Values     []value `json:"values"`
	}
	out := struct {
		Run         string       `json:"run"`
		Seed        uint64       `json:"seed"`
		Kept        int64        `json:"kept"`
		Unkept      int64        `json:"unkept"`
		Planned     int64        `json:"planned"`
		Played      int64        `json:"played"`
		Evaluations int          `json:"evaluations"`
		Fingerprint string       `json:"fingerprint"`
		Interrupted bool         `json:"interrupted"`
		Differences []difference `json:"differences"`
	}{r.Run, r.Seed, r.Verified.Kept, r.Verified.Unkept, r.Verified.Planned, r.Verified.Played, r.Verified.Evaluations, r.Fingerprint, r.Interrupted, []difference{}}
	for _, d := range r.Verified.Differences {
		entry := difference{
			d.Kind, r.game(d), d.Games, d.Candidate, d.Phase, d.Stage, d.Search, d.Generation, d.Round, nil, nil,
		}
		if d.Games == 1 {
			entry.Seed = &d.Seed
		}
		for _, v := range d.Values {
			entry.Values = append(entry.Values, value(v))
		}
		out.Differences = append(out.Differences, entry)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// verifyProgress says on stderr how far a verification is.
type verifyProgress struct {
	out   io.Writer
	began time.Time // when the first game ended
	next  time.Time
}

// verifyEvery is how often it does: seldom enough for a log.
const verifyEvery = 5 * time.Second

func newVerifyProgress(out io.Writer) *verifyProgress {
	return &verifyProgress{out: out, next: time.Now().Add(time.Second)}
}

func (p *verifyProgress) observe(v experiments.Verified) {
	now := time.Now()
	if p.began.IsZero() && v.Played > 0 {
		p.began = now
	}
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(verifyEvery)
	if v.Played < 2 {
		fmt.Fprintf(p.out, "verify: %s read\n", plural(int(v.Kept), "row"))
		return
	}
	left := time.Duration(float64(now.Sub(p.began)) * float64(v.Planned-v.Played) / float64(v.Played-1))
	fmt.Fprintf(p.out, "verify: %d of %d games, %s, %s left\n", v.Played, v.Planned, plural(len(v.Differences), "difference"), duration(left))
}
