package results

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
)

// Run is what is known of a run.
type Run struct {
	ID         int64
	Name       string // of the run: BaseName, or with .2, .3 ... behind it
	BaseName   string // of the experiment
	Kind       string // tune, compare, eval, bench
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256, hexadecimal
	Seed       uint64
	Signature  string // of the engine's play
	GoVersion  string
	GoArch     string

	Status  string    // see experiments.Running
	Alive   bool      // a process is working on it now; a run that is Running but not Alive was killed
	Started time.Time // by the clock of the machine, like the next two: they may be in any order
	Updated time.Time // when something was last recorded
	// Finished is zero, Fingerprint empty until the run is finished.
	Finished    time.Time
	Fingerprint string

	Candidates int
	Games      int64     // of finished blocks
	Champion   int       // number; -1 before the playoff's end
	HeldOut    []HeldOut // what the champion is worth, one for each validated search
}

// Runs lists the runs, the newest first.
func (r *Reader) Runs(ctx context.Context) ([]Run, error) {
	runs, err := r.runs(ctx, "true")
	return runs, explain("list the runs", r.path, err)
}

// Find returns the run of that name, and for an empty name the newest that is no comparison. The error wraps ErrNotFound and names the
// run that was probably meant.
func (r *Reader) Find(ctx context.Context, name string) (Run, error) {
	const operation = "find the run"
	condition, args := "name = ?", []any{name}
	if name == "" {
		condition, args = "id = coalesce((SELECT max(id) FROM runs WHERE kind <> 'compare'), (SELECT max(id) FROM runs))", nil
	}
	runs, err := r.runs(ctx, condition, args...)
	if err != nil {
		return Run{}, explain(operation, r.path, err)
	}
	if len(runs) > 0 {
		return runs[0], nil
	}
	names, err := r.names(ctx)
	if err != nil {
		return Run{}, explain(operation, r.path, err)
	}
	if len(names) == 0 {
		return Run{}, notFound(operation, r.path, "there are no runs yet (tune -config FILE makes one)")
	}
	if near := configs.Nearest(name, names); near != "" {
		return Run{}, notFound(operation, r.path, "there is no run %s; did you mean %s? (tune runs lists them)", name, near)
	}
	return Run{}, notFound(operation, r.path, "there is no run %s (tune runs lists them)", name)
}

// notFound says in plain words what there is none of; the error wraps ErrNotFound.
func notFound(operation, path, format string, args ...any) error {
	return &missing{text: fmt.Sprintf("results: %s: %s: %s", operation, path, fmt.Sprintf(format, args...))}
}

type missing struct{ text string }

func (m *missing) Error() string { return m.text }
func (m *missing) Unwrap() error { return ErrNotFound }

func (r *Reader) names(ctx context.Context) ([]string, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT name FROM runs ORDER BY id DESC")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

func (r *Reader) runs(ctx context.Context, condition string, args ...any) ([]Run, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT id, name, base_name, kind, config_yaml, config_hash, seed, signature,
		go_version, goarch, status, started_at, updated_at, finished_at, coalesce(fingerprint, ''),
		(SELECT count(*) FROM candidates WHERE run_id = runs.id),
		(SELECT coalesce(sum(games), 0) FROM blocks WHERE run_id = runs.id),
		coalesce(champion_id % 1000000, -1)
		FROM runs WHERE `+condition+" ORDER BY id DESC", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var runs []Run
	for rows.Next() {
		var (
			run              Run
			seed             int64
			started, updated string
			finished         sql.NullString
		)
		if err := rows.Scan(&run.ID, &run.Name, &run.BaseName, &run.Kind, &run.ConfigYAML, &run.ConfigHash, &seed,
			&run.Signature, &run.GoVersion, &run.GoArch, &run.Status, &started, &updated, &finished, &run.Fingerprint,
			&run.Candidates, &run.Games, &run.Champion); err != nil {
			return nil, err
		}
		if run.ID < 1 || run.ID > largestRun || seed < 0 || seed > largestSeed {
			return nil, fmt.Errorf("%w: run %d: its id or its seed %d is none", ErrDamaged, run.ID, seed)
		}
		run.Seed = uint64(seed)
		for _, t := range []struct {
			text string
			to   *time.Time
		}{{started, &run.Started}, {updated, &run.Updated}, {finished.String, &run.Finished}} {
			if err := parseTime(t.text, t.to); err != nil {
				return nil, fmt.Errorf("run %s: %w", run.Name, err)
			}
		}
		run.Alive = run.Status == experiments.Running && alive(lockPath(r.absolute, run.ID))
		runs = append(runs, run)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return runs, r.addHeldOut(ctx, runs)
}

// addHeldOut reads the figures of the runs' champions.
func (r *Reader) addHeldOut(ctx context.Context, runs []Run) error {
	if len(runs) == 0 {
		return nil
	}
	byName := make(map[string]*Run, len(runs))
	names := make([]any, len(runs))
	for i := range runs {
		byName[runs[i].Name] = &runs[i]
		names[i] = runs[i].Name
	}
	for some := range slices.Chunk(names, 1000) { // SQLite's parameters are limited
		figures, err := r.heldOut(ctx, "run IN (?"+strings.Repeat(", ?", len(some)-1)+")", some...)
		if err != nil {
			return err
		}
		for name, f := range figures {
			if run := byName[name]; run != nil {
				run.HeldOut = f
			}
		}
	}
	return nil
}

// parseTime reads what now writes; nothing leaves the time zero.
func parseTime(text string, to *time.Time) error {
	if text == "" {
		return nil
	}
	t, err := time.Parse(timeLayout, text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	*to = t
	return nil
}
