package results

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Reader is the read model of a database: the findings of runs for people, reports and exports. It
// changes nothing. Its methods may be called from any goroutine, while a run is writing. Names of
// runs are the column runs.name.
type Reader struct {
	path     string // as given, for messages
	absolute string // without links
	mode     string // of SQLite, in which it is open
	version  int    // of the file's schema
	db       *sql.DB
}

var _ experiments.Archive = (*Reader)(nil)

// Close closes the database. A Store closes its own Reader.
func (r *Reader) Close() error { return explain("close", r.path, r.db.Close()) }

// Path is the path the database was opened with.
func (r *Reader) Path() string { return r.path }

// Run is a row of runs, with its counts and figures.
type Run struct {
	ID         int64
	Name       string // of the run: BaseName, or with .2, .3 ... behind it
	BaseName   string // of the experiment
	Kind       experiments.Kind
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256, hexadecimal
	Seed       uint64
	Signature  string // of the engine's play
	GoVersion  string
	GoArch     string

	GoesOnFrom   int64  // id of the run that this one goes on from, even if it was deleted; 0: none
	Chain        string // ConfigHash of the run with which its chain of -more and -for began
	OwnGamesOnly bool   // begun with -new
	StoppedAfter int    // generations after which -for ended the tuning; 0: it did not

	Status  string        // see experiments.Running
	Alive   bool          // a process works on it now; a run that is Running but not Alive was killed
	Started time.Time     // by the clock of the machine, like the next two: they may be in any order
	Updated time.Time     // when something was last recorded
	Worked  time.Duration // how long processes worked on it, without the time that it lay stopped
	Done    float64       // share of the run's plan that is done, by time, 0..1; -1: not known
	// ExpectedEnd is when a run that goes on will finish, by the games so far, or zero if that is
	// not known.
	ExpectedEnd time.Time
	// Finished is zero, Fingerprint empty until the run is finished.
	Finished    time.Time
	Fingerprint string
	// Unrepeatable says why the run's games cannot be played again, and why it has no fingerprint.
	// Empty: they can.
	Unrepeatable string
	Note         string // of its owner, on one line; mostly empty
	// HeldOutSalt makes the seeds of held-out games, together with Seed. It is empty before the
	// playoff's end.
	HeldOutSalt string

	Candidates int
	Games      int64     // of finished blocks, and the recorded ones of the unfinished block
	Champion   int       // number; -1 before the playoff's end
	HeldOut    []HeldOut // of the champion, one for each validated search
}

// Runs lists the runs, the newest first.
func (r *Reader) Runs(ctx context.Context) ([]Run, error) {
	runs, err := r.runs(ctx, "true")
	return runs, explain("list the runs of", r.path, err)
}

// Variants lists the finished runs of the experiment of a run that have its objective and held-out
// games, and the run itself, the oldest first.
func (r *Reader) Variants(ctx context.Context, run Run) ([]Run, error) {
	runs, err := r.runs(ctx, `base_name = ? AND kind = ? AND objective = (SELECT objective FROM runs WHERE id = ?)
		AND held_out_salt IS NOT NULL AND (status = ? OR id = ?)`, run.BaseName, run.Kind, run.ID, experiments.Finished, run.ID)
	slices.Reverse(runs)
	return runs, explain("list the variants of a run in", r.path, err)
}

// Contests lists the comparisons, the newest first.
func (r *Reader) Contests(ctx context.Context) ([]Run, error) {
	runs, err := r.runs(ctx, "kind = ?", experiments.KindCompare)
	return runs, explain("list the comparisons of", r.path, err)
}

// Find returns the run of that name. For an empty name it returns the newest of KindTune, or else
// the newest. The error wraps ErrNotFound and names the nearest run.
func (r *Reader) Find(ctx context.Context, name string) (Run, error) {
	condition, args := "name = ?", []any{name}
	if name == "" {
		condition, args = "id = coalesce((SELECT max(id) FROM runs WHERE kind = ?), (SELECT max(id) FROM runs))", []any{experiments.KindTune}
	}
	runs, err := r.runs(ctx, condition, args...)
	var names []string
	if err == nil && len(runs) == 0 {
		names, err = collect(ctx, r.db, scanText, "SELECT name FROM runs ORDER BY id DESC")
	}
	none := notFound("there is no run %s in %s%s (tune runs%s lists them)", name, r.path, configs.DidYouMean(name, names), DatabaseFlag(r.path))
	if len(names) == 0 {
		none = notFound("there are no runs in %s yet (tune -config FILE%s makes one)", r.path, DatabaseFlag(r.path))
	}
	return first(runs, explain("find the run in", r.path, err), none)
}

func (r *Reader) runs(ctx context.Context, condition string, args ...any) ([]Run, error) {
	own := "coalesce(unrepeatable, ''), coalesce(note, '')"
	if r.version == 1 {
		own = "'', ''"
	}
	runs, err := collect(ctx, r.db, r.scanRun, `SELECT id, name, base_name, kind, config_yaml, config_hash, seed, signature,
		go_version, goarch, status, started_at, updated_at, coalesce(finished_at, ''), coalesce(fingerprint, ''),
		(SELECT count(*) FROM candidates AS c WHERE c.id BETWEEN runs.id * 1000000 AND runs.id * 1000000 + 999999),
		(SELECT coalesce(sum(games), 0) FROM standings WHERE run_id = runs.id) + CASE status WHEN '`+experiments.Finished+`' THEN 0 ELSE
			-- Beside a tuning run, each candidate has a part of the games' numbers.
			(SELECT sum((SELECT count(*) FROM games AS g WHERE g.id BETWEEN runs.id * 1000000000 + own.first AND runs.id * 1000000000 + own.next - 1))
			FROM (SELECT max(until) AS first, lead(min(first_game), 1, 1000000000) OVER (ORDER BY min(first_game)) AS next
				FROM (SELECT CASE runs.kind WHEN '`+string(experiments.KindTune)+`' THEN 0 ELSE candidate_id END AS part, first_game, first_game + games AS until
					FROM evaluations WHERE run_id = runs.id UNION ALL SELECT 0, -1, 0)
				GROUP BY part) AS own) END,
		coalesce(champion_id % 1000000, -1), coalesce(goes_on_from, 0), coalesce(stopped_after, 0), coalesce(held_out_salt, ''), coalesce(done, -1),
		coalesce(expected_end, ''), worked_ms, chain, own_games_only, `+own+`
		FROM runs WHERE `+condition+" ORDER BY id DESC", args...)
	if err != nil {
		return nil, err
	}
	figures, err := r.heldOut(ctx, "run_id IN (SELECT id FROM runs WHERE "+condition+")", args...)
	for _, h := range figures {
		if i := slices.IndexFunc(runs, func(run Run) bool { return run.ID == h.run }); i >= 0 {
			runs[i].HeldOut = append(runs[i].HeldOut, h)
		}
	}
	return runs, err
}

func (r *Reader) scanRun(rows *sql.Rows) (run Run, err error) {
	var (
		seed, worked                         int64
		started, updated, finished, expected string
	)
	if err := rows.Scan(&run.ID, &run.Name, &run.BaseName, &run.Kind, &run.ConfigYAML, &run.ConfigHash, &seed, &run.Signature,
		&run.GoVersion, &run.GoArch, &run.Status, &started, &updated, &finished, &run.Fingerprint,
		&run.Candidates, &run.Games, &run.Champion, &run.GoesOnFrom, &run.StoppedAfter, &run.HeldOutSalt, &run.Done, &expected, &worked, &run.Chain,
		&run.OwnGamesOnly, &run.Unrepeatable, &run.Note); err != nil {
		return run, err
	}
	if run.ID < 1 || run.ID > largestRun || seed < 0 || seed > largestSeed {
		return run, fmt.Errorf("%w: run %d: its id or its seed %d is none", ErrDamaged, run.ID, seed)
	}
	run.Seed = uint64(seed)
	run.Worked = time.Duration(min(max(0, worked), int64(math.MaxInt64/time.Millisecond))) * time.Millisecond
	for i, to := range []*time.Time{&run.Started, &run.Updated, &run.Finished, &run.ExpectedEnd} {
		if text := [...]string{started, updated, finished, expected}[i]; text != "" {
			if *to, err = time.Parse(timeLayout, text); err != nil {
				return run, fmt.Errorf("run %s: %w: %w", run.Name, ErrDamaged, err)
			}
		}
	}
	if !(run.Done >= 0 && run.Done <= 1) {
		run.Done = -1
	}
	run.Alive = run.Status == experiments.Running && alive(lockPath(r.absolute, run.ID))
	if !run.Alive {
		run.ExpectedEnd = time.Time{} // a killed run has left one behind
	}
	return run, nil
}

// Run returns the run with that id. The error wraps ErrNotFound if there is none.
func (r *Reader) Run(ctx context.Context, id int64) (Run, error) {
	runs, err := r.runs(ctx, "id = ?", id)
	return first(runs, explain("find the run in", r.path, err), notFound("there is no run number %d in %s", id, r.path))
}

// Candidates returns a run's candidates by number, bit by bit as they were added.
func (r *Reader) Candidates(ctx context.Context, run int64) ([]experiments.Candidate, error) {
	all, err := candidates(ctx, r.db, run, 0, candidatesPerRun-1)
	return all, explain("read candidates of", r.path, err)
}

// Candidate returns one candidate of a run. The error wraps ErrNotFound if the run has none of that
// number.
func (r *Reader) Candidate(ctx context.Context, run int64, number int) (experiments.Candidate, error) {
	all, err := candidates(ctx, r.db, run, number, number)
	return first(all, explain("read a candidate of", r.path, err), notFound("run %d has no candidate %d", run, number))
}

// CandidateByID returns a candidate by the id it has in the database, and its run. The error wraps
// ErrNotFound if there is none.
func (r *Reader) CandidateByID(ctx context.Context, id int64) (Run, experiments.Candidate, error) {
	var c experiments.Candidate
	run, err := r.Run(ctx, id/candidatesPerRun)
	if err == nil {
		c, err = r.Candidate(ctx, run.ID, int(id%candidatesPerRun))
	}
	if err != nil {
		err = fmt.Errorf("candidate %d: %w (the column candidate_id of leaderboard lists them)", id, err)
	}
	return run, c, err
}

// Generations returns a run's generations of tuning in the order of play.
func (r *Reader) Generations(ctx context.Context, run int64) ([]experiments.Generation, error) {
	return readAll(ctx, r, "generations", func(rows *sql.Rows) (g experiments.Generation, err error) {
		i := &g.MeanFitness.Interval
		return g, rows.Scan(&g.Stage, &g.Search, &g.Number, &g.Candidates, &g.Games, &g.Best, &g.Mean, &g.Worst, &g.SD, &g.BestFitness,
			&g.MeanFitness.Value, &i.Low, &i.High)
	}, `SELECT stage, search, generation, candidates, games, best, mean, worst, sd, best_fitness, mean_fitness,
		mean_fitness_ci_low, mean_fitness_ci_high FROM generations WHERE run_id = ? ORDER BY position`, run)
}

// Courses returns the mean fitness of each generation, by run.
func (r *Reader) Courses(ctx context.Context) (map[int64][]float64, error) {
	type point struct {
		run  int64
		mean float64
	}
	points, err := readAll(ctx, r, "generations", func(rows *sql.Rows) (p point, err error) {
		return p, rows.Scan(&p.run, &p.mean)
	}, "SELECT run_id, mean_fitness FROM generations ORDER BY run_id, position")
	courses := map[int64][]float64{}
	for _, p := range points {
		courses[p.run] = append(courses[p.run], p.mean)
	}
	return courses, err
}

// Comparisons returns a run's comparisons by phase, search, candidate and baseline.
func (r *Reader) Comparisons(ctx context.Context, run int64) ([]experiments.Comparison, error) {
	all, err := comparisons(ctx, r.db, run)
	return all, explain("read comparisons of", r.path, err)
}

// Evaluations returns a run's evaluations in the order of their first games.
func (r *Reader) Evaluations(ctx context.Context, run int64) ([]experiments.Evaluation, error) {
	all, err := evaluations(ctx, r.db, "run_id = ? ORDER BY first_game", run)
	return all, explain("read evaluations of", r.path, err)
}

// Games yields the games that are kept of a run, in the order of their numbers. An error is the
// last thing it yields.
func (r *Reader) Games(ctx context.Context, run int64) iter.Seq2[experiments.Game, error] {
	return func(yield func(experiments.Game, error) bool) {
		for g, err := range each(ctx, r.db, scanGame, selectGames, GameID(run, 0), GameID(run+1, 0)-1) {
			if !yield(g, explain("read games of", r.path, err)) {
				return
			}
		}
	}
}

// Game returns a game of a run by its number. The error wraps ErrNotFound if there is none, or its
// row is not kept.
func (r *Reader) Game(ctx context.Context, run, number int64) (experiments.Game, error) {
	rows, err := gameRows(ctx, r.db, run, number, number)
	return first(rows, explain("read a game of", r.path, err), notFound("run number %d has no row of its game %d: it was not played, or its row "+
		"was not kept (store: games: in the config says which are; tune verify -all plays all games again)", run, number))
}

// Fingerprint computes the fingerprint of a run's content now. A finished run has it in
// Run.Fingerprint too, unless somebody changed the file.
func (r *Reader) Fingerprint(ctx context.Context, run int64) (string, error) {
	sum := ""
	err := r.moment(ctx, func(tx *sql.Tx) (err error) {
		sum, err = fingerprint(ctx, tx, run)
		return err
	})
	return sum, explain("compute a fingerprint in", r.path, err)
}

// moment lets do read one state of a run that may be going on.
func (r *Reader) moment(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}

// CheckFile reads the whole file through, indexes included. The error wraps ErrDamaged if something
// is wrong.
func (r *Reader) CheckFile(ctx context.Context) error {
	const operation = "check"
	var verdict string
	if err := r.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return explain(operation, r.path, err)
	}
	if verdict != "ok" {
		return damaged(operation, r.path, verdict)
	}
	return nil
}

// State is Status, or killed for a run whose process died. The same command resumes it.
func (r Run) State() string {
	if r.Status == experiments.Running && !r.Alive {
		return "killed"
	}
	return r.Status
}

// Config is the config that the run was made with. A comparison has none: see Stored.
func (r Run) Config() (*configs.Config, error) {
	c, err := configs.Parse([]byte(r.ConfigYAML), "run "+r.Name)
	if err != nil {
		return nil, fmt.Errorf("the stored config of run %s cannot be read: %w", r.Name, err)
	}
	return c, nil
}

// Stored returns the run, of whatever kind it is, as one whose games can be played again.
func (r Run) Stored() (experiments.Stored, error) {
	if r.Kind.HasPlayers() {
		c, err := configs.ParseContest([]byte(r.ConfigYAML), "run "+r.Name)
		if err != nil {
			return experiments.Stored{}, fmt.Errorf("the stored players of run %s cannot be read: %w", r.Name, err)
		}
		return experiments.StoredContest(c), nil
	}
	c, err := r.Config()
	if err != nil {
		return experiments.Stored{}, err
	}
	return experiments.StoredExperiment(c, r.HeldOutSalt), nil
}

// Replay is a stored game, ready to be played again: engine.Play(Rules, Game.Seed, Player, ...).
type Replay struct {
	ID     int64
	Run    Run
	Game   experiments.Game
	Rules  engine.Rules
	Player *engine.Expectimax

	database string // its path
}

// Replay returns a game by its id. The error wraps ErrNotFound if there is none.
func (r *Reader) Replay(ctx context.Context, id int64) (Replay, error) {
	var game experiments.Game
	run, err := r.Run(ctx, id/gamesPerRun)
	if err == nil {
		game, err = r.Game(ctx, run.ID, id%gamesPerRun)
	}
	if err != nil {
		return Replay{}, fmt.Errorf("game %d: %w (the column id of games lists them)", id, err)
	}
	stored, err := run.Stored()
	if err != nil {
		return Replay{}, err
	}
	candidate, err := r.Candidate(ctx, run.ID, game.Candidate)
	if err != nil {
		return Replay{}, err
	}
	who, err := stored.Player(candidate, game.Search)
	if err != nil {
		return Replay{}, fmt.Errorf("game %d of run %s: %w", id, run.Name, err)
	}
	tables, err := heuristic.NewCompiler(who.Family).Compile(who.Values, who.Dead)
	if err != nil {
		return Replay{}, fmt.Errorf("game %d of run %s: candidate %d: %w", id, run.Name, game.Candidate, err)
	}
	player := new(engine.Expectimax)
	player.Prepare(tables, who.Settings, stored.Rules)
	return Replay{ID: id, Run: run, Game: game, Rules: stored.Rules, Player: player, database: r.path}, nil
}

// Check returns an error unless the game that was played ended as it is stored.
func (r Replay) Check(played engine.Result) error {
	differing := experiments.DifferingOutcomes(r.Game.Outcome, simulator.Outcome{Result: played})
	if len(differing) == 0 {
		return nil
	}
	text := fmt.Sprintf("game %d does not end as stored", r.ID)
	for _, d := range differing {
		text += fmt.Sprintf("; %s stored %v, played %v", d.Name, d.Stored, d.Found)
	}
	if r.Run.Signature != simulator.Signature {
		return fmt.Errorf("%s: run %s was played by an engine with signature %s, this program's is %s (play it with the version of tune that made the run)",
			text, r.Run.Name, r.Run.Signature, simulator.Signature)
	}
	return fmt.Errorf("%s (tune verify -all %s%s looks at all games)", text, r.Run.Name, DatabaseFlag(r.database))
}
