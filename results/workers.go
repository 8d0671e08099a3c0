package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tune2048/experiments"
)

// Who has played for a run beside the process that carries it out: for people, and to find a worker's games again. Part of no result.

// workerRow is a worker that has a row.
type workerRow struct {
	id    int64
	first int64 // game of the run that it told of; larger than any: none
}

// noGame is larger than the number of any game.
const noGame = gamesPerRun

// roster is who the workers are by what the process says that has them.
type roster struct {
	ask    func() []experiments.Worker // may be nil
	asked  time.Time
	before map[int64]map[string]experiments.Worker // what earlier processes recorded, by run and name
}

// rosterEvery is how often workers are recorded at most: pages that show when they were last seen ask as often.
const rosterEvery = 2 * time.Second

// Roster makes the store ask who the workers are and record that with what it commits anyway, every two seconds at most, and when a
// run ends. It asks in the middle of its own methods, so ask must not wait for anybody who calls the store meanwhile. Games, Repeated
// and Audited are those of this process: to them is added what earlier processes recorded of the run. FirstGame is the store's own.
// Who was cut off stays so.
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
			b := before[w.Name]
			if _, err := tx.ExecContext(ctx, `INSERT INTO workers (run_id, name, cores, version, signature, games, repeated, audited, games_per_second, first_seen, last_seen, cut_off)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, '')) ON CONFLICT (run_id, name) DO UPDATE SET cores = excluded.cores, version = excluded.version,
				signature = excluded.signature, games = excluded.games, repeated = excluded.repeated, audited = excluded.audited,
				games_per_second = excluded.games_per_second, first_seen = min(first_seen, excluded.first_seen),
				last_seen = max(last_seen, excluded.last_seen), cut_off = coalesce(cut_off, excluded.cut_off)`,
				run, w.Name, w.Cores, w.Version, w.Signature, b.Games+w.Games, b.Repeated+w.Repeated, b.Audited+w.Audited, w.Speed,
				timeText(w.FirstSeen), timeText(w.LastSeen), w.CutOff); err != nil {
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
		w, known := s.begun[g.run].workers[g.Worker]
		if !known {
			var err error
			if w, err = findWorker(ctx, tx, g.run, g.Worker); err != nil {
				return nil, fmt.Errorf("worker %q: %w", g.Worker, err)
			}
		}
		if !known || g.Game.Game < w.first {
			if g.Game.Game < w.first {
				w.first = g.Game.Game
				if _, err := tx.ExecContext(ctx, "UPDATE workers SET first_game = ? WHERE id = ?", w.first, w.id); err != nil {
					return nil, err
				}
			}
			h := s.begun[g.run]
			if h.workers == nil {
				h.workers = map[string]workerRow{}
			}
			h.workers[g.Worker] = w
		}
		ids[i] = sql.NullInt64{Int64: w.id, Valid: true}
	}
	return ids, nil
}

// findWorker returns a run's worker of that name, which it makes if there is none.
func findWorker(ctx context.Context, tx *sql.Tx, run int64, name string) (w workerRow, err error) {
	at := now()
	if _, err = tx.ExecContext(ctx, `INSERT INTO workers (run_id, name, cores, version, signature, games, repeated, audited, games_per_second, first_seen, last_seen)
		VALUES (?, ?, 0, '', '', 0, 0, 0, 0, ?, ?) ON CONFLICT (run_id, name) DO NOTHING`, run, name, at, at); err != nil {
		return w, err
	}
	err = tx.QueryRowContext(ctx, "SELECT id, coalesce(first_game, ?) FROM workers WHERE run_id = ? AND name = ?", int64(noGame), run, name).Scan(&w.id, &w.first)
	return w, err
}

// forgetWorkers forgets which workers have rows.
func (s *Store) forgetWorkers() {
	for _, h := range s.begun {
		h.workers = nil
	}
}

// CutOff records that a worker's games are not believed any more, and why; once more with checked, when all of them that are still
// recorded have been played again.
func (s *Store) CutOff(ctx context.Context, run int64, name, why string, checked bool) error {
	return s.record(ctx, run, "record that a worker is cut off in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		w, err := findWorker(ctx, tx, run, name)
		if err != nil {
			return false, err
		}
		defer s.forgetWorkers() // first_game changes
		return changes(tx.ExecContext(ctx, "UPDATE workers SET cut_off = ?, first_game = CASE WHEN ? THEN NULL ELSE first_game END WHERE id = ?", why, checked, w.id))
	})
}

// Workers returns who has played for a run beside the process that carried it out, by name.
func (r *Reader) Workers(ctx context.Context, run int64) ([]experiments.Worker, error) {
	all, err := workers(ctx, r.db, run)
	return all, explain("read workers of", r.path, err)
}

func workers(ctx context.Context, q querier, run int64) ([]experiments.Worker, error) {
	return collect(ctx, q, func(rows *sql.Rows) (w experiments.Worker, err error) {
		var first, last string
		if err := rows.Scan(&w.Name, &w.Cores, &w.Version, &w.Signature, &w.Games, &w.Repeated, &w.Audited, &w.Speed, &first, &last, &w.CutOff, &w.FirstGame); err != nil {
			return w, err
		}
		for i, to := range []*time.Time{&w.FirstSeen, &w.LastSeen} {
			if *to, err = time.Parse(timeLayout, [...]string{first, last}[i]); err != nil {
				return w, fmt.Errorf("worker %q: %w: %w", w.Name, ErrDamaged, err)
			}
		}
		return w, nil
	}, `SELECT name, cores, version, signature, games, repeated, audited, games_per_second, first_seen, last_seen, coalesce(cut_off, ''),
		coalesce(first_game, -1) FROM workers WHERE run_id = ? ORDER BY name`, run)
}
