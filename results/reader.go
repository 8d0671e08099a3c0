package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/summary"
)

// Reader is the read model of a database: the findings of runs for people, reports and exports. It
// changes nothing. Its methods may be called from any goroutine, while a run is writing. Names of
// runs are the column runs.name.
type Reader struct {
	path     string // as given, for messages
	absolute string // without links
	db       *sql.DB
	at       querier // db, or the transaction of a Moment
}

// Close closes the database. A Store closes its own Reader.
func (r *Reader) Close() error { return explain("close", r.path, r.db.Close()) }

// Path is the path the database was opened with.
func (r *Reader) Path() string { return r.path }

// Run is a row of runs, with its counts and the figures of its headline.
type Run struct {
	summary.Run
	ID         int64  // of the ending
	Name       string // of the ending: Root for the one that the run shows, Root@30 for one after 30 generations, Root@open for one that is tuned
	Root       string // of the run: BaseName, or with .2, .3 ... behind it
	BaseName   string // of the experiment
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256, hexadecimal
	Seed       uint64 // of the config
	Signature  string // of the engine's play
	Tuner      string // see experiments.Tuner
	GoVersion  string
	GoArch     string

	Tuning       string                      // hash of the config without the length of its last stage
	Generations  int                         // of tuning, that at hand among them
	Stage        string                      // the last one of these
	InStage      int                         // generations of it
	Judged       bool                        // the tuning of the ending is over
	StoppedAfter int                         // generations after which -for ended the tuning; 0: it did not
	Sizes        map[string]experiments.Size // of its parts, see experiments.Run
	HeldOutSalt  string                      // makes the seeds of held-out games, together with Seed; empty before the playoff's end

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
	Programs     string // the hashes of its bots' files, see experiments.RunSpec; empty: it has none
	Note         string // of its owner, on one line; mostly empty
	Failure      string // the error that stopped a failed run, on several lines; otherwise empty

	Candidates int
	Games      int64 // of evaluations
	OwnGames   int64 // those that the ending asked for behind the tuning
	Reused     int64 // of Games those that no process played for the ending; -1: not known
	owned      owned
	Headline   summary.Summary // of the validation or the comparison alone; of an experiment without verdicts, of the looks
}

// Runs lists the runs, the newest first.
func (r *Reader) Runs(ctx context.Context) ([]Run, error) {
	return r.runs(ctx, "true")
}

// Endings lists the endings of a run, the newest first.
func (r *Reader) Endings(ctx context.Context, run Run) ([]Run, error) {
	return r.runs(ctx, "root = ?", run.Root)
}

// Asked lists the endings of the newest run of an experiment with this tuning and these hashes of
// its bot's files, the newest first.
func (r *Reader) Asked(ctx context.Context, baseName, tuning, programs string) ([]Run, error) {
	return r.runs(ctx, `search_id = (SELECT max(a.search_id) FROM endings AS a WHERE a.base_name = ? AND a.tuning = ?
		AND a.signature = ? AND a.tuner = ?
		AND coalesce(a.programs, '') = ?)`, baseName, tuning, simulator.Signature, experiments.Tuner, programs)
}

// Variants lists the longest endings of other runs of the experiment of a run that have its
// objective and held-out games, and the run itself, the oldest first.
func (r *Reader) Variants(ctx context.Context, run Run) ([]Run, error) {
	runs, err := r.runs(ctx, `base_name = ? AND kind = ? AND objective = (SELECT objective FROM endings WHERE id = ?)
		AND held_out_salt IS NOT NULL AND (status = ? AND name = root AND root <> ?
		OR id = ?)`, run.BaseName, run.Kind, run.ID, experiments.Finished, run.Root, run.ID)
	slices.Reverse(runs)
	return runs, err
}

// Find returns the run of that name, or its ending after the generations behind @. The name of an
// open ending stands for the ending that finished last, once none is open. For an empty name Find
// returns the newest of KindTune, or else the newest. The error wraps ErrNotFound and names the
// nearest run.
func (r *Reader) Find(ctx context.Context, name string) (Run, error) {
	condition, args := "name = ?", []any{name}
	if name == "" {
		condition, args = "id = (SELECT ending_id FROM runs ORDER BY kind = ? DESC, ending_id DESC LIMIT 1)",
			[]any{experiments.KindTune}
	}
	runs, err := r.runs(ctx, condition, args...)
	if at := strings.LastIndex(name, "@"); at > 0 && len(runs) == 0 && err == nil {
		if name[at:] == openEnding {
			runs, err = r.runs(ctx, "root = ? AND finished_at IS NOT NULL", name[:at])
			slices.SortStableFunc(runs, func(a, b Run) int { return b.Finished.Compare(a.Finished) })
		} else { // the longest one has the run's name, too
			runs, err = r.runs(ctx, "root = ? AND kind = ? AND ? = '@' || judged", name[:at], experiments.KindTune, name[at:])
		}
	}
	if err != nil || len(runs) > 0 {
		return first(runs, err, nil)
	}
	var texts held
	names, err := readAll(ctx, r, "the names", func(rows *sql.Rows) (string, error) {
		name, err := scanText(rows)
		return name, cmp.Or(err, texts.add(name))
	}, "SELECT "+endingName+" FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id ORDER BY e.id DESC")
	if err == nil && len(names) == 0 {
		err = notFound("there are no runs in %s yet (tune -config FILE%s makes one)", r.path, DatabaseFlag(r.path))
	}
	return Run{}, cmp.Or(err, notFound("there is no run %s in %s%s (tune runs%s lists them)", name, r.path,
		config.DidYouMean(name, names), DatabaseFlag(r.path)))
}

// openEnding is the end of the name of an ending that is tuned, where the run has a finished one.
const openEnding = "@open"

// endingName is the name of an ending e of a search s, or of a comparison.
const endingName = `CASE WHEN s.id IS NULL THEN e.name WHEN s.ending_id = e.id THEN s.name
	ELSE s.name || iif(e.generations IS NULL, '` + openEnding + `', '@' || e.generations) END`

// gamesOfEnding is the sum of the games of an ending: of its figures, and of the evaluations behind
// them. So it reads no more of asked than what a night's last minutes wrote. An evaluation of a
// comparison may grow behind its figures.
const gamesOfEnding = `CAST(iif(e.kind = 'compare', 0, e.figured_games)
	+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.search_id AND a.number >= e.figured
	AND a.number < e.questions)
	+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.id
	AND a.number >= iif(e.kind = 'compare', 0, e.figured)) AS INTEGER)`

// lastNumber is the largest number of a candidate of an owner below a limit, or NULL.
func lastNumber(owner, limit string) string {
	return "(SELECT max(c.id) % 1000000000 FROM candidates AS c WHERE c.id >= " + owner + " * 1000000000 AND c.id < " +
		owner + " * 1000000000 + " + limit + ")"
}

// endingsQuery reads endings, with the name and the search of each.
var endingsQuery = `SELECT * FROM (SELECT ` + endingName + ` AS name, coalesce(s.name, e.name) AS root, e.id,
	coalesce(e.search_id, 0) AS search_id,
	e.candidates, e.questions, coalesce(e.generations, 0) AS judged, e.base_name, e.kind, e.objective, e.config_yaml,
	e.config_hash, e.seed, e.signature, e.tuner,
	e.go_version, e.goarch, e.status, e.started_at, e.updated_at, coalesce(e.finished_at, '') AS finished_at,
	coalesce(e.fingerprint, ''),
	coalesce(` + lastNumber("e.id", "1000000000") + ", " + lastNumber("e.search_id", "e.candidates") + `, -1) + 1,
	` + gamesOfEnding + `, CAST((SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.id) AS INTEGER),
	coalesce(e.champion_id % 1000000000, -1), e.tuning,
	coalesce(e.generations, max((SELECT count(*) FROM generations AS g WHERE g.run_id = e.search_id), coalesce((
		SELECT p.generation + 1 + (SELECT count(*) FROM generations AS g WHERE g.run_id = e.search_id AND g.stage <> p.stage)
		FROM asked AS a JOIN slices AS p ON p.owner_id = a.owner_id AND p.number = a.slice
		WHERE a.owner_id = e.search_id AND a.phase IS NULL ORDER BY a.number DESC
		LIMIT 1), 0)), 0), -- figures follow the games
	coalesce(l.stage, ''), coalesce(l.generation + 1, 0),
	coalesce(e.stopped_after, 0), ` + saltOfEnding + ` AS salt, e.held_out_salt, coalesce(e.done, -1),
	coalesce(e.expected_end, ''), e.worked_ms, coalesce(s.unrepeatable, e.unrepeatable, ''), coalesce(s.note, e.note, ''),
	coalesce(e.error, ''),
	coalesce(e.programs, ''), coalesce(s.sizes, 'null'), coalesce(e.sizes, 'null'), e.played_games
	FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id
	LEFT JOIN generations AS l ON l.run_id = e.search_id -- by its key: a night has 100,000 generations
		AND l.position = (SELECT max(k.position) FROM generations AS k
			WHERE k.run_id = e.search_id AND k.position < coalesce(e.generations, 1000000000)))`

// runs returns the endings that satisfy a condition, the newest first.
func (r *Reader) runs(ctx context.Context, condition string, args ...any) ([]Run, error) {
	var texts held
	scan := func(rows *sql.Rows) (Run, error) {
		run, err := r.scanRun(rows)
		texts += held(100 * len(run.Sizes)) // a name and three numbers each
		return run, cmp.Or(err, texts.add(run.Name, run.Root, run.BaseName, run.ConfigYAML, run.Programs, run.Unrepeatable,
			run.Note, run.Failure))
	}
	runs, err := readAll(ctx, r, "the runs", scan, endingsQuery+" WHERE "+condition+" ORDER BY id DESC", args...)
	for i, run := range runs {
		if err == nil && (run.Champion >= 0 || run.Kind.HasPlayers()) {
			runs[i].Headline, err = r.phaseSummary(ctx, run, run.Kind.Figures(), run.players())
		}
		if err == nil && run.Judged {
			runs[i].Sizes, err = r.sizesWithin(ctx, run)
		}
		if err == nil && !run.Kind.HasPlayers() && !runs[i].Headline.Judged() {
			runs[i].Headline, err = r.soFar(ctx, run)
		}
	}
	return runs, err
}

// sizesWithin returns the sizes of an ending without those of generations, and of looks at their
// centre, that its search has beyond it. Few generations have a size.
func (r *Reader) sizesWithin(ctx context.Context, run Run) (map[string]experiments.Size, error) {
	within := maps.Clone(run.Sizes)
	for part := range run.Sizes {
		phase, _, _ := strings.Cut(part, " ")
		if phase != experiments.PhaseTuning && phase != experiments.PhaseCentre {
			continue
		}
		var beyond bool // by the beginning of its name, see experiments.Place.Part
		err := r.at.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT 1 FROM generations WHERE run_id = ?1 AND position < ?2
			AND (
			instr(?3, '`+experiments.PhaseTuning+` ' || stage || ' ' || generation || ' ') = 1 OR
			instr(?3, '`+experiments.PhaseCentre+` ' || stage || ' ' || generation || '.') = 1))`,
			run.owned.search, run.Generations, part).Scan(&beyond)
		if err != nil {
			return nil, explain("read", r.path, err)
		}
		if beyond {
			delete(within, part)
		}
	}
	return within, nil
}

// soFar is the figures of a run's looks at the centre, and where the run is.
func (r *Reader) soFar(ctx context.Context, run Run) (summary.Summary, error) {
	s, err := r.phaseSummary(ctx, run, experiments.PhaseCentre, nil)
	if err == nil && s.Centre != nil {
		s.Last.Place, _, err = r.Latest(ctx, run.ID)
	}
	return s, err
}

func (r *Reader) scanRun(rows *sql.Rows) (run Run, err error) {
	var (
		seed, worked                                    int64
		played                                          sql.NullInt64
		judged                                          int
		objective, started, updated, finished, expected string
		tuned, own                                      string // sizes
		salt                                            any
	)
	if err := rows.Scan(&run.Name, &run.Root, &run.ID, &run.owned.search, &run.owned.candidates, &run.owned.questions,
		&judged,
		&run.BaseName, &run.Kind, &objective, &run.ConfigYAML, &run.ConfigHash, &seed, &run.Signature, &run.Tuner,
		&run.GoVersion, &run.GoArch, &run.Status, &started, &updated, &finished, &run.Fingerprint,
		&run.Candidates, &run.Games, &run.OwnGames, &run.Champion, &run.Tuning, &run.Generations, &run.Stage, &run.InStage,
		&run.StoppedAfter, &run.HeldOutSalt, &salt, &run.Done,
		&expected, &worked,
		&run.Unrepeatable, &run.Note, &run.Failure, &run.Programs, &tuned, &own, &played); err != nil {
		return run, err
	}
	run.owned.ending, run.Judged = run.ID, judged > 0
	run.Reused = -1
	if played.Valid {
		run.Reused = max(0, run.Games-played.Int64)
	}
	run.Seed, run.Objective = uint64(seed), run.within(objectiveOf(objective))
	run.Sizes, _ = readSizes(run.Name, tuned, own) // else they are not known; a run that goes on says so
	run.Worked = time.Duration(min(max(0, worked), int64(math.MaxInt64/time.Millisecond))) * time.Millisecond
	for i, to := range []*time.Time{&run.Started, &run.Updated, &run.Finished, &run.ExpectedEnd} {
		*to, _ = time.Parse(timeLayout, [...]string{started, updated, finished, expected}[i]) // else it is not known
	}
	if !(run.Done >= 0 && run.Done <= 1) {
		run.Done = -1
	}
	run.Alive = run.Status == experiments.Running && alive(lockPath(r.absolute, run.owned.run()))
	if !run.Alive {
		run.ExpectedEnd = time.Time{} // a killed run has left one behind
	}
	return run, nil
}

// Run returns the run with that id. The error wraps ErrNotFound if there is none.
func (r *Reader) Run(ctx context.Context, id int64) (Run, error) {
	runs, err := r.runs(ctx, "id = ?", id)
	return first(runs, err, notFound("there is no run number %d in %s", id, r.path))
}

// Candidates returns a run's candidates with numbers from first to last by number, bit by bit as
// they were added.
func (r *Reader) Candidates(ctx context.Context, run int64, first, last int) ([]experiments.Candidate, error) {
	o, err := readOwned(ctx, r.at, run)
	var all []experiments.Candidate
	for _, part := range o.between(max(0, first), min(last, candidatesPerOwner-1)) {
		if err == nil {
			var found []experiments.Candidate
			found, err = candidatesOf(ctx, r.at, "c.id BETWEEN ? AND ?", part.first, part.last)
			all = append(all, found...)
		}
	}
	if err != nil {
		return nil, explain("read candidates of", r.path, err)
	}
	return all, nil
}

// Candidate returns one candidate of a run. The error wraps ErrNotFound if the run has none of that
// number.
func (r *Reader) Candidate(ctx context.Context, run int64, number int) (experiments.Candidate, error) {
	all, err := r.Candidates(ctx, run, number, number)
	return first(all, err, notFound("it has no candidate %d", number))
}

// Comparisons returns a run's comparisons by phase, search, candidate and baseline.
func (r *Reader) Comparisons(ctx context.Context, run int64) ([]experiments.Comparison, error) {
	all, err := comparisons(ctx, r.at, run)
	return all, explain("read comparisons of", r.path, err)
}

// Moment lets do read one state of the database, while runs go on. Meanwhile the log of changes
// grows, so do should not play games.
func (r *Reader) Moment(ctx context.Context, do func(now *Reader) error) error {
	if r.at != querier(r.db) { // it is one
		return do(r)
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return explain("read", r.path, err)
	}
	defer tx.Rollback()
	return do(&Reader{r.path, r.absolute, r.db, tx})
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

// Unshown reports whether a process finished a run and was killed before it had shown the result.
func (r *Reader) Unshown(run Run) bool {
	path := lockPath(r.absolute, run.owned.run())
	_, err := os.Lstat(path)
	return err == nil && run.Status == experiments.Finished && !alive(path)
}

// Configs returns the config that the run was made with: of an experiment, or of a comparison.
func (r Run) Configs() (c *config.Config, contest *config.Contest, err error) {
	text, path := []byte(r.ConfigYAML), "run "+r.Name
	if r.Kind.HasPlayers() {
		contest, err = config.ParseContest(text, path)
	} else {
		c, err = config.Parse(text, path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the stored config of run %s cannot be read: %w", r.Name, err)
	}
	experiments.SetPrograms(r.Programs, experiments.Players(c, contest)...)
	return c, contest, nil
}

// Config is the config of an experiment that the run was made with.
func (r Run) Config() (*config.Config, error) {
	r.Kind = experiments.KindTune
	c, _, err := r.Configs()
	return c, err
}

// Older reports whether an older program made the run. It wrote configs in another way than this
// program, which writes the run's as canonical. So the hash of its config and the keys of its games
// are unlike this program's.
func (r Run) Older(canonical []byte) bool { return r.ConfigYAML != string(canonical) }

// within returns the objective within the bounds of the scores, which a bot's config may have. Only
// such a config is read: reading takes time.
func (r Run) within(objective fitness.Objective) fitness.Objective {
	if !strings.Contains(r.ConfigYAML, "score: {") {
		return objective
	}
	switch c, contest, _ := r.Configs(); { // one that cannot be read has none
	case c != nil:
		return objective.Within(c.Objective.Bounds())
	case contest != nil:
		return objective.Within(contest.Objective.Bounds())
	}
	return objective
}

// players returns the players of a comparison with their names. One whose config cannot be read has
// none.
func (r Run) players() (all []experiments.Candidate) {
	if _, contest, _ := r.Configs(); contest != nil {
		for i, p := range contest.Players {
			all = append(all, experiments.Candidate{Number: i, Name: p.Name})
		}
	}
	return all
}

// playerAt returns who played at a place of a run with this config, and the search.
func (r *Reader) playerAt(ctx context.Context, run int64, c *config.Config, contest *config.Contest,
	at experiments.Place) (who eval.Player, search engine.Settings, err error) {
	candidate, err := r.Candidate(ctx, run, at.Candidate)
	if err != nil {
		return who, search, err
	}
	if c != nil {
		who, err = experiments.StoredPlayer(c.Form().Player(c.Start()), candidate)
	} else if at.Candidate >= len(contest.Players) {
		return who, search, fmt.Errorf("candidate %d: the run's config has no such player", at.Candidate)
	} else {
		who, err = experiments.StoredPlayer(contest.Players[at.Candidate].At(contest.Rules), candidate)
	}
	if err == nil {
		search, err = engine.ParseSettings(at.Search)
	}
	return who, search, err
}

// GameOf returns the id of a candidate's game in a phase outside tuning and a search, by its
// index in the stream of the seeds. The error wraps ErrNotFound if the run did not ask for it.
func (r *Reader) GameOf(ctx context.Context, run int64, phase, search string, candidate, index int) (int64, error) {
	ids, err := collect(ctx, r.at, func(rows *sql.Rows) (id int64, err error) {
		owner, number := int64(0), 0
		err = rows.Scan(&owner, &number)
		return GameID(owner, number, index%sliceGames), err
	}, `SELECT a.owner_id, a.number FROM endings AS e
		JOIN asked AS a INDEXED BY asked_after_tuning ON a.owner_id IN (e.id, e.search_id)
		JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice
		WHERE e.id = ? AND a.phase = ? AND s.search = ? AND a.number < iif(a.owner_id = e.id, 1000000000, e.questions)
		AND a.candidate_id % 1000000000 = ? AND s.first_game <= ?
		AND s.first_game + a.games > ?`, run, phase, search, candidate, index, index)
	return first(ids, explain("find a game in", r.path, err),
		notFound("candidate %d has no game %d of the %s", candidate, index, phase))
}

// Game returns a game of a run by its id. The last board, the time and the worker are not known
// where the config does not keep games. The error wraps ErrNotFound if the run did not ask for it.
func (r *Reader) Game(ctx context.Context, run Run, id int64) (g experiments.Game, err error) {
	rows, err := playingRows(ctx, r.at, id, id)
	if err != nil || len(rows) > 0 {
		g, err = first(rows, explain("read a game of", r.path, err), nil)
		g.Run = run.ID // which the table has of the search
		return g, err
	}
	number, place := int(id%gamesPerOwner/sliceGames), int(id%sliceGames)
	found, err := collect(ctx, r.at, scanEvaluations(detailedColumns), "SELECT "+detailedColumns+" FROM asked AS a"+
		withSlice+
		" WHERE a.owner_id = ? AND a.number = ?", id/gamesPerOwner, number)
	if err != nil || len(found) == 0 || place < found[0].First%sliceGames ||
		place >= found[0].First%sliceGames+len(found[0].Scores) {
		return g, cmp.Or(explain("read a game of", r.path, err), notFound("the run asked for no such game"))
	}
	g = experiments.Game{Place: found[0].Place, Run: run.ID, Number: number, Index: place}
	var seed int64
	var worker string
	memo, err := collect(ctx, r.at, scanMemo(&seed, &worker), "SELECT "+memoColumns+`,
		CAST(coalesce(nullif(substr(s.seeds, 16 * (?3 - s.first_game % 50) + 1, 16), ''), -1) AS INTEGER),
		coalesce((SELECT w.name FROM workers AS w WHERE w.id = iif(json_valid(m.workers), m.workers, NULL) ->> ?3), '')
		FROM asked AS a`+withSlice+" WHERE a.owner_id = ?1 AND a.number = ?2", id/gamesPerOwner, number, place)
	if err == nil && (len(memo) == 0 || place >= len(memo[0].kept) || seed < 0 || seed > largestSeed) {
		err = fmt.Errorf("%w: want a seed in [0, 2^53), got %d", ErrDamaged, seed)
	}
	if err == nil {
		g.Outcome, g.Seed, g.Worker = memo[0].outcome(place), uint64(seed), worker
	}
	return g, explain("read a game of", r.path, err)
}

// Replay is a stored game, ready to be played again: engine.Play(Rules, Game.Seed, Player, ...).
type Replay struct {
	ID     int64
	Run    Run
	Game   experiments.Game
	Rules  engine.Rules
	Player *engine.Searcher

	database string // its path
}

// Replay returns a game by its id. The error wraps ErrNotFound if there is none.
func (r *Reader) Replay(ctx context.Context, id int64) (p Replay, err error) {
	p = Replay{ID: id, database: r.path, Player: new(engine.Searcher)}
	p.Run, err = r.owner(ctx, id/gamesPerOwner)
	if err == nil {
		p.Game, err = r.Game(ctx, p.Run, id)
	}
	if err != nil {
		return p, fmt.Errorf("game %d: %w (the column id of games lists them)", id, err)
	}
	c, contest, err := p.Run.Configs()
	if err != nil {
		return p, err
	}
	who, search, err := r.playerAt(ctx, p.Run.ID, c, contest, p.Game.Place)
	if err != nil {
		return p, fmt.Errorf("game %d of run %s: %w", id, p.Run.Name, err)
	}
	tables, err := eval.NewCompiler(who.Heuristic).Compile(who.Values, who.Heuristic.Dead)
	if err != nil {
		return p, fmt.Errorf("game %d of run %s: candidate %d: %w", id, p.Run.Name, p.Game.Candidate, err)
	}
	p.Rules = who.Rules
	p.Player.Prepare(tables, search, who.Rules)
	return p, nil
}

// owner returns the ending of that id, or the one by which a search is shown.
func (r *Reader) owner(ctx context.Context, id int64) (Run, error) {
	runs, err := r.runs(ctx, "id = coalesce((SELECT s.ending_id FROM searches AS s WHERE s.id = ?1), ?1)", id)
	return first(runs, err, notFound("there is no run number %d in %s", id, r.path))
}

// Check returns an error unless the game that was played ended as it is stored.
func (r Replay) Check(played engine.Result) error {
	if r.Game.Final == 0 { // it is not known
		played.Final, played.Capped = 0, false
	}
	if r.Game.Result == played {
		return nil
	}
	text := fmt.Sprintf("game %d does not end as stored: stored %+v, played %+v", r.ID, r.Game.Result, played)
	if r.Run.Signature != simulator.Signature {
		return fmt.Errorf("%s: run %s was played by an engine with signature %s, this program's is %s (play it with the "+
			"version of tune that made the run)",
			text, r.Run.Name, r.Run.Signature, simulator.Signature)
	}
	return fmt.Errorf("%s (somebody changed the row, or the program; tune verify -all %s%s plays the run's evaluations "+
		"again)", text, r.Run.Name, DatabaseFlag(r.database))
}

// Champion returns the run of that name, and for an empty name the newest, if it has a champion.
// Otherwise the error wraps ErrNotFound. It names the centre of the search at the last look, as the
// query best does.
func (r *Reader) Champion(ctx context.Context, name string) (Run, error) {
	run, err := r.Find(ctx, name)
	db := DatabaseFlag(r.path)
	switch {
	case err != nil:
		return run, err
	case run.Kind.HasPlayers():
		return run, notFound("run %s is a comparison: it has no champion (tune query comparisons%s)", run.Name, db)
	case run.Champion >= 0:
		return run, nil
	}
	so, bot := "", ""
	if run.Programs != "" {
		bot = " -config FILE"
	}
	if c := run.Headline.Centre; c != nil {
		so = fmt.Sprintf("The centre of the search so far: tune export %s:%d%s. ", ShellWord(run.Name), c.Candidate, db)
	}
	text := fmt.Sprintf("run %s (%s) has no champion yet: its playoff has not ended. %sThe same command as before "+
		"resumes it; "+
		"to end it properly within an hour: tune resume %s -for 1h%s%s", run.Name, run.State(), so, ShellWord(run.Root), bot,
		db)
	return run, &plainly{text, errUndecided}
}

// Shown returns the candidates of a run that reports show, by number: those with given numbers,
// those that played outside tuning, and the first that a bot could not play. Of a comparison it
// returns all.
func (r *Reader) Shown(ctx context.Context, run Run, numbers []int, failed int) ([]experiments.Candidate, error) {
	if run.Kind.HasPlayers() {
		return r.Candidates(ctx, run.ID, 0, candidatesPerOwner-1)
	}
	shown, err := collect(ctx, r.at, scanID, `SELECT DISTINCT candidate_id FROM asked INDEXED BY asked_after_tuning
		WHERE owner_id IN (?1, ?2) AND phase IS NOT NULL
		UNION SELECT candidate_id FROM (SELECT candidate_id FROM asked INDEXED BY asked_failed WHERE owner_id = ?1
		AND games = 0 ORDER BY number LIMIT ?3)
		UNION SELECT candidate_id FROM (SELECT candidate_id FROM asked INDEXED BY asked_failed WHERE owner_id = ?2
		AND games = 0 ORDER BY number LIMIT ?3)`,
		run.owned.search, run.ID, failed)
	for _, number := range numbers {
		shown = append(shown, run.owned.candidateID(number))
	}
	shown = slices.DeleteFunc(shown, func(id int64) bool { // somebody's false row may name another run's
		return !slices.ContainsFunc(run.owned.between(0, candidatesPerOwner-1),
			func(part ids) bool { return part.first <= id && id <= part.last })
	})
	list, _ := json.Marshal(shown) // never fails
	var all []experiments.Candidate
	if err == nil {
		all, err = candidatesOf(ctx, r.at, "c.id IN (SELECT value FROM json_each(?))", string(list))
	}
	return all, explain("read candidates of", r.path, err)
}

// Latest returns where the run was when something was last recorded, and how many games are
// recorded that no evaluation has yet. Before the first one the place is empty.
func (r *Reader) Latest(ctx context.Context, run int64) (at experiments.Place, games int64, err error) {
	number := -1 // of the last evaluation
	scan := func(rows *sql.Rows) (none struct{}, err error) {
		return none, rows.Scan(&at.Phase, &at.Stage, &at.Search, &at.Generation, &number, &games)
	}
	o, err := readOwned(ctx, r.at, run)
	for _, owner := range []int64{o.search, o.ending} {
		if err == nil {
			_, err = collect(ctx, r.at, scan, `SELECT s.phase, s.stage, s.search, s.generation, a.number, 0
				FROM asked AS a JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice
				WHERE a.owner_id = ? AND a.number < ? ORDER BY a.number DESC LIMIT 1`, owner, o.last(owner))
		}
	}
	if err == nil {
		owner := o.ofEvaluation(number + 1)
		_, err = collect(ctx, r.at, scan, "SELECT phase, stage, search, generation, 0, count(*) OVER () FROM playing "+
			"WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
			GameID(owner, number+1, 0), GameID(owner+1, 0, 0)-1)
	}
	return at, games, explain("read the last game of", r.path, err)
}
