package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tune2048/experiments"
)

// Who has played for a run beside the process that carries it out: for people, and for
// tune verify -worker. Part of no result.

// roster is who the workers are by what the process says that has them.
type roster struct {
	ask    func() []experiments.Worker // may be nil
	asked  time.Time
	before map[int64]map[string]experiments.Worker // what earlier processes recorded, by run and name
}

// rosterEvery is how often workers are recorded at most: pages that show when they were last seen ask as often.
const rosterEvery = 2 * time.Second

// Roster makes the store ask who the workers are and record that with what it commits anyway,
// every two seconds at most, and when a run ends. It asks in the middle of its own methods, so ask
// must not wait for anybody who calls the store meanwhile. Games counts the games of this process.
// The store adds those that earlier processes recorded of the run.
func (s *Store) Roster(ask func() []experiments.Worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roster = roster{ask: ask, before: map[int64]map[string]experiments.Worker{}}
}

// storeRoster records the workers of the runs that are begun.
func (s *Store) storeRoster(ctx context.Context, tx *sql.Tx) error {
	if s.roster.ask == nil || len(s.begun) == 0 || time.Since(s.roster.asked) < rosterEvery {
		return nil
	}
	list := s.roster.ask()
	for run := range s.begun {
		before, known := s.roster.before[run]
		if !known {
			rows, err := workers(ctx, tx, run)
			if err != nil {
				return err
			}
			before = map[string]experiments.Worker{}
			for _, w := range rows {
				before[w.Name] = w
			}
			s.roster.before[run] = before
		}
		for _, w := range list {
			if err := finite("games per second", w.Speed); err != nil {
				return fmt.Errorf("worker %q: %w", w.Name, err)
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO workers
				(run_id, name, cores, version, signature, games, games_per_second, first_seen, last_seen)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id, name) DO UPDATE SET
				cores = excluded.cores, version = excluded.version, signature = excluded.signature,
				games = excluded.games, games_per_second = excluded.games_per_second,
				first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)`,
				run, w.Name, w.Cores, w.Version, w.Signature, before[w.Name].Games+w.Games, w.Speed,
				timeText(w.FirstSeen), timeText(w.LastSeen)); err != nil {
				return err
			}
		}
	}
	s.roster.asked = time.Now()
	return nil
}

// workersOf returns the ids of who played the games. A worker without a row gets one.
func (s *Store) workersOf(ctx context.Context, tx *sql.Tx, games []pendingGame) ([]sql.NullInt64, error) {
	ids := make([]sql.NullInt64, len(games))
	for i := range games {
		g := &games[i]
		if g.Worker == "" {
			continue
		}
		h := s.begun[g.run]
		id, known := h.workers[g.Worker]
		if !known {
			var err error
			if id, err = findWorker(ctx, tx, g.run, g.Worker); err != nil {
				return nil, fmt.Errorf("worker %q: %w", g.Worker, err)
			}
			if h.workers == nil {
				h.workers = map[string]int64{}
			}
			h.workers[g.Worker] = id
		}
		ids[i] = sql.NullInt64{Int64: id, Valid: true}
	}
	return ids, nil
}

// findWorker returns the id of a run's worker of that name. A worker without a row gets one.
func findWorker(ctx context.Context, tx *sql.Tx, run int64, name string) (id int64, err error) {
	at := now()
	if _, err = tx.ExecContext(ctx, `INSERT INTO workers
		(run_id, name, cores, version, signature, games, games_per_second, first_seen, last_seen)
		VALUES (?, ?, 0, '', '', 0, 0, ?, ?) ON CONFLICT (run_id, name) DO NOTHING`, run, name, at, at); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, "SELECT id FROM workers WHERE run_id = ? AND name = ?", run, name).Scan(&id)
	return id, err
}

// forgetWorkers forgets which workers have rows.
func (s *Store) forgetWorkers() {
	for _, h := range s.begun {
		h.workers = nil
	}
}

// Workers returns who has played for a run beside the process that carried it out, by name.
func (r *Reader) Workers(ctx context.Context, run int64) ([]experiments.Worker, error) {
	all, err := workers(ctx, r.db, run)
	return all, explain("read workers of", r.path, err)
}

func workers(ctx context.Context, q querier, run int64) ([]experiments.Worker, error) {
	return collect(ctx, q, func(rows *sql.Rows) (w experiments.Worker, err error) {
		var first, last string
		if err := rows.Scan(&w.Name, &w.Cores, &w.Version, &w.Signature, &w.Games, &w.Speed, &first, &last); err != nil {
			return w, err
		}
		for i, to := range []*time.Time{&w.FirstSeen, &w.LastSeen} {
			if *to, err = time.Parse(timeLayout, [...]string{first, last}[i]); err != nil {
				return w, fmt.Errorf("worker %q: %w: %w", w.Name, ErrDamaged, err)
			}
		}
		return w, nil
	}, `SELECT name, cores, version, signature, games, games_per_second, first_seen, last_seen
		FROM workers WHERE run_id = ? ORDER BY name`, run)
}
