package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/tuner"
)

// Begin implements [experiments.Store]. Of several runs with the identity of the spec it takes the
// newest. A new run whose name was given before is called NAME.2, NAME.3 and so on, whichever is
// free first. If another process has the run, the error also names the lock file. A finished ending
// keeps its status until something is recorded.
func (s *Store) Begin(ctx context.Context, spec experiments.RunSpec) (experiments.Run, error) {
	const operation = "begin a run in"
	var run experiments.Run
	var lock *runLock
	h := &begunRun{objective: objectiveOf(spec.Objective), seed: spec.Seed}
	err := s.commit(ctx, operation, func(ctx context.Context, tx *sql.Tx) (err error) {
		run, err = findOrCreate(ctx, tx, spec)
		if err != nil {
			return err
		}
		err = h.take(ctx, tx, run.ID)
		if err != nil {
			return err
		}
		// The lock is taken within the transaction: nobody else sees a new run before its creator
		// has it.
		lock, err = acquire(lockPath(s.absolute, h.run()))
		if err != nil {
			if errors.Is(err, experiments.ErrBusy) && spec.Resume == 0 { // tune resume has no -new
				err = fmt.Errorf("%w; -new begins another run", err)
			}
			return fmt.Errorf("run %s: %w", run.Name, err)
		}
		return markBegun(ctx, tx, run.ID)
	})
	if err != nil {
		if lock != nil {
			err = errors.Join(err, lock.release())
		}
		return experiments.Run{}, err
	}
	s.show()
	h.lock, h.finished, h.counted = lock, run.Status == experiments.Finished, s.clock()
	s.begun[run.ID] = h
	return run, nil
}

// take makes an ending the one at hand.
func (h *begunRun) take(ctx context.Context, tx *sql.Tx, ending int64) (err error) {
	h.owned, err = readOwned(ctx, tx, ending)
	if err != nil {
		return err
	}
	own := false
	err = tx.QueryRowContext(ctx, `SELECT e.own_games_only <> 0, e.own_games_only <> 0
		OR coalesce(s.unrepeatable, e.unrepeatable) IS NOT NULL,
		e.seed, `+saltOfEnding+" FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id WHERE e.id = ?", ending).Scan(&own, &h.alone, &h.seed, &h.salt)
	owners := []int64{h.run()}
	if h.search != 0 {
		owners = append(owners, h.ending)
	}
	if !own {
		owners = append(owners, 0)
	}
	list, _ := json.Marshal(owners) // never fails
	h.serves = string(list)
	return err
}

// markBegun notes that a process works on an ending, and on no other one of its run.
func markBegun(ctx context.Context, tx *sql.Tx, ending int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE endings SET status = ?, expected_end = NULL WHERE id <> ?
			AND search_id = (SELECT search_id FROM endings WHERE id = ?2) AND status = ?;
		UPDATE endings SET status = ?, updated_at = ?, expected_end = NULL, error = NULL WHERE id = ? AND status <> ?`,
		experiments.Interrupted, ending, experiments.Running,
		experiments.Running, now(), ending, experiments.Finished)
	return err
}

// errOtherRun: the run to resume was deleted, or has another identity than the spec.
var errOtherRun = errors.New("it was deleted, or other files of its bot or another version of tune made it " +
	"(tune -config FILE begins a new run)")

// findOrCreate finds the run of a spec, with an ending of it, or creates what is not there.
func findOrCreate(ctx context.Context, tx *sql.Tx, spec experiments.RunSpec) (run experiments.Run, err error) {
	const identity = "base_name = ? AND kind = ? AND signature = ? AND tuner = ? AND coalesce(programs, '') = ?"
	of := []any{spec.Name, spec.Kind, spec.Signature, spec.Tuner, spec.Programs}
	var search, ending int64
	switch {
	case spec.New:
	case spec.Kind != experiments.KindTune:
		err = tx.QueryRowContext(ctx, "SELECT id FROM endings WHERE "+identity+
			" AND config_hash = ? AND search_id IS NULL ORDER BY id DESC LIMIT 1",
			append(of, spec.ConfigHash)...).Scan(&ending)
	default:
		err = tx.QueryRowContext(ctx, "SELECT search_id FROM endings WHERE "+identity+` AND tuning = ?
			AND search_id IS NOT NULL
			AND (?7 = 0 OR search_id = (SELECT search_id FROM endings WHERE id = ?7)) ORDER BY search_id DESC LIMIT 1`,
			append(of, spec.Tuning, spec.Resume)...).Scan(&search)
		if errors.Is(err, sql.ErrNoRows) && spec.Resume != 0 {
			return run, fmt.Errorf("run %s: %w", spec.Name, errOtherRun)
		}
		if err == nil { // first the one to resume, then one that is to be judged as asked, then the asked one, then one that is still tuned
			err = tx.QueryRowContext(ctx, `SELECT id FROM (SELECT id, generations, status = ?1 AS over, config_hash = ?2
				OR generations = nullif(?3, 0) AS same
					FROM endings WHERE search_id = ?4)
				WHERE same AND NOT (over AND ?5) OR NOT over AND (generations IS NULL OR id = ?6)
				ORDER BY id = ?6 AND NOT over DESC, same DESC, over, id = ?6 DESC, id DESC LIMIT 1`,
				experiments.Finished, spec.ConfigHash, spec.Generations, search, spec.GoOn, spec.Resume).Scan(&ending)
		}
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return run, err
	}
	old, another := ending != 0, search != 0 && ending == 0
	if !old {
		ending, err = createEnding(ctx, tx, search, spec)
		if err != nil {
			return run, err
		}
	} else if spec.Kind == experiments.KindTune { // as long as the command says now
		_, err = tx.ExecContext(ctx, "UPDATE endings SET config_yaml = ?, config_hash = ? "+
			"WHERE id = ? AND generations IS NULL AND config_hash <> ?2",
			spec.ConfigYAML, spec.ConfigHash, ending)
	}
	if err != nil {
		return run, err
	}
	run, err = readBegun(ctx, tx, ending)
	run.Resumed, run.Another, run.Renamed = old || another, another, run.Name != spec.Name
	return run, err
}

// readBegun reads the run of an ending as experiments know it.
func readBegun(ctx context.Context, q querier, ending int64) (run experiments.Run, err error) {
	var own, tuned string
	err = q.QueryRowContext(ctx, `SELECT e.id, coalesce(s.name, e.name), e.status, coalesce(e.generations, 0),
		coalesce(e.held_out_salt, ''),
		coalesce(s.sizes, 'null'), coalesce(e.sizes, 'null'),
		coalesce((SELECT max(o.generations) FROM endings AS o WHERE o.search_id = s.id AND o.status = ?), 0)
		FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id WHERE e.id = ?`, experiments.Finished, ending).Scan(
		&run.ID, &run.Name, &run.Status, &run.Generations, &run.HeldOutSalt, &tuned, &own, &run.Longest)
	if err != nil {
		return run, err
	}
	run.Sizes, err = readSizes(run.Name, tuned, own)
	return run, err
}

// createEnding creates an ending of a search, or with 0 a run.
func createEnding(ctx context.Context, tx *sql.Tx, search int64, spec experiments.RunSpec) (ending int64, err error) {
	tuned, own := spec.Kind == experiments.KindTune, spec.New
	var name, note any
	most := candidatesPerOwner
	switch {
	case search != 0:
		err = tx.QueryRowContext(ctx, "SELECT max(own_games_only) <> 0 FROM endings WHERE search_id = ?", search).Scan(&own)
	case tuned:
		free := ""
		free, err = freeName(ctx, tx, spec.Name)
		if err == nil {
			search, err = nextID(ctx, tx)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO searches (id, name, note, ranges) VALUES (?, ?, ?, ?)", search, free,
				orNull(spec.Note, ""), rangesOf(spec.ConfigYAML))
		}
	default:
		note, most = orNull(spec.Note, ""), 0
		name, err = freeName(ctx, tx, spec.Name)
	}
	if err == nil {
		ending, err = nextID(ctx, tx)
	}
	if err != nil {
		return 0, err
	}
	at := now()
	_, err = tx.ExecContext(ctx, `INSERT INTO endings (id, search_id, name, base_name, kind, config_yaml, config_hash,
		tuning, seed, status,
		signature, tuner, objective, own_games_only, go_version, goarch, started_at, updated_at, programs, note, candidates,
		questions, played_games)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
		ending, orNull(search, 0), name, spec.Name, spec.Kind, spec.ConfigYAML, spec.ConfigHash, spec.Tuning,
		int64(spec.Seed), experiments.Running,
		spec.Signature, spec.Tuner, spec.Objective, own, runtime.Version(), runtime.GOARCH, at, at, orNull(spec.Programs, ""),
		note, most, most)
	if err == nil && tuned {
		err = showLongest(ctx, tx, search)
	}
	for _, owner := range []int64{search, ending} { // somebody may have put games there, for the run to take
		if err == nil && (owner == ending || owner == ending-1) {
			err = emptyOwner(ctx, tx, owner, 0)
		}
	}
	return ending, err
}

// rangesOf returns the ranges of a config's weights in genome order, as a JSON list, or NULL for a
// config that cannot be read.
func rangesOf(yaml string) any {
	c, err := config.Parse([]byte(yaml), "")
	if err != nil {
		return nil
	}
	type row struct {
		Name  string  `json:"name"`
		Min   float64 `json:"min"`
		Max   float64 `json:"max"`
		Start float64 `json:"start"`
		Scale string  `json:"scale"`
		Whole int     `json:"whole"`
	}
	list := []row{}
	for _, w := range c.Tunable() {
		one := row{w.Name, w.Min, w.Max, w.Value, cmp.Or(w.Scale, tuner.LinearScale), 0}
		if w.Whole {
			one.Whole = 1
		}
		list = append(list, one)
	}
	text, _ := json.Marshal(list) // never fails: a config's numbers are finite
	return string(text)
}

// nextID returns the next id of a search or an ending.
func nextID(ctx context.Context, tx *sql.Tx) (id int64, err error) {
	return id, tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence "+
		"WHERE name IN ('searches', 'endings')").Scan(&id)
}

// showLongest makes the longest ending of a search the one that its run shows.
func showLongest(ctx context.Context, tx *sql.Tx, search int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE searches SET ending_id = (SELECT e.id FROM endings AS e
		WHERE e.search_id = searches.id
		ORDER BY e.status = ? DESC, iif(e.status = ?1, e.generations, 0) DESC, e.id DESC LIMIT 1)
		WHERE id = ?`, experiments.Finished, search)
	return err
}

// freeName returns the name, or the first of name.2, name.3, ... that no run has.
func freeName(ctx context.Context, tx *sql.Tx, base string) (string, error) {
	name := base
	for n := 2; ; n++ {
		var taken bool
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM searches WHERE name = ?1 UNION ALL SELECT 1 "+
			"FROM endings WHERE name = ?1)", name).Scan(&taken)
		if err != nil || !taken {
			return name, err
		}
		name = fmt.Sprintf("%s.%d", base, n)
	}
}

// SetChampion implements [experiments.Store]. Doing so again replaces both.
func (s *Store) SetChampion(ctx context.Context, run int64, candidate int, heldOutSalt string) error {
	err := s.record(ctx, run, fmt.Sprintf("record the champion, candidate %d, in", candidate),
		func(ctx context.Context, tx *sql.Tx) (bool, error) {
			return changes(tx.ExecContext(ctx, `UPDATE endings SET champion_id = ?2, held_out_salt = ?3
			WHERE id = ?1 AND (champion_id IS NOT ?2
			OR held_out_salt IS NOT ?3)`, run, s.begun[run].candidateID(candidate), heldOutSalt))
		})
	if err == nil {
		s.begun[run].salt = heldOutSalt
	}
	return err
}

// Judge implements [experiments.Store].
func (s *Store) Judge(ctx context.Context, run int64, tuned experiments.Length) (taken experiments.Run, err error) {
	const operation = "record the end of tuning in"
	h, err := s.ready(run, operation)
	if err != nil {
		return taken, err
	}
	ctx = context.WithoutCancel(ctx)
	at := run // the ending that is taken up
	err = s.record(ctx, run, operation, func(ctx context.Context, tx *sql.Tx) (changed bool, err error) {
		var other int64
		err = tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM endings "+
			"WHERE search_id = ? AND generations = ? AND id <> ?",
			h.search, tuned.Generations, run).Scan(&other)
		switch {
		case err != nil:
			return false, err
		case other != 0: // nothing belongs to the one at hand yet
			_, err = tx.ExecContext(ctx, `UPDATE endings
				SET worked_ms = min(worked_ms, 1 << 53) + (SELECT min(worked_ms, 1 << 53) FROM endings WHERE id = ?2),
				played_games = played_games + (SELECT played_games FROM endings WHERE id = ?2)
				WHERE id = ?1 AND status <> ?; DELETE FROM endings WHERE id = ?`, other, run, experiments.Finished, run)
			if err == nil {
				err = markBegun(ctx, tx, other)
			}
			if err == nil {
				err = showLongest(ctx, tx, h.search)
			}
			at = other
		case h.candidates < candidatesPerOwner && (h.candidates != tuned.Candidates || h.questions != tuned.Questions):
			return false, fmt.Errorf("the tuning asks for %d candidates and %d evaluations up to generation %d, %d and %d are "+
				"recorded: "+
				"another version made the run, or it was changed by hand (start afresh with -new)", tuned.Candidates,
				tuned.Questions, tuned.Generations, h.candidates, h.questions)
		default:
			changed, err = changes(tx.ExecContext(ctx, `UPDATE endings
				SET generations = ?2, candidates = ?3, questions = ?4, stopped_after = iif(?5, ?2, NULL)
				WHERE id = ?1 AND generations IS NULL`, run, tuned.Generations, tuned.Candidates, tuned.Questions, tuned.Stopped))
		}
		if err == nil {
			err = h.take(ctx, tx, at)
		}
		return changed, err
	})
	if err == nil && at != run {
		delete(s.begun, run)
		s.begun[at], h.changed, h.tuned = h, false, false
	}
	if err == nil {
		taken, err = readBegun(ctx, s.reader.db, at)
	}
	taken.Resumed = true
	h.finished = taken.Status == experiments.Finished
	return taken, explain(operation, s.path, err)
}

// saltOfEnding is the salt of the held-out games of an ending e.
const saltOfEnding = "coalesce(e.held_out_salt, iif(e.kind = 'compare', e.tuning, NULL), '')"

// SetSize implements [experiments.Store].
func (s *Store) SetSize(ctx context.Context, run int64, at experiments.Place, size experiments.Size,
	left map[int]int) error {
	text, err := json.Marshal(size)
	if err != nil {
		return err
	}
	return s.record(ctx, run, "record the size of a part of", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		h := s.begun[run]
		table, id := "endings", h.ending
		if at.Tuned() {
			table, id = "searches", h.search
		}
		const path = `'$."' || ?2 || '"'`
		changed, err := changes(tx.ExecContext(ctx, "UPDATE "+table+" SET sizes = json_set(coalesce(sizes, '{}'), "+path+
			", json(?3)) WHERE id = ?1 AND json_extract(coalesce(sizes, '{}'), "+path+") IS NOT json(?3)", id, at.Part(),
			string(text)))
		for number, place := range left {
			if err == nil {
				_, err = tx.ExecContext(ctx, "DELETE FROM playing WHERE id BETWEEN ? AND ?", h.gameID(number, place),
					h.gameID(number, sliceGames-1))
			}
		}
		return changed, err
	})
}

// longestSizes is far more bytes than the sizes of a run take: it has a few parts.
const longestSizes = 64 << 10

// readSizes reads the columns of SetSize: of a search, and of its ending.
func readSizes(run string, texts ...string) (sizes map[string]experiments.Size, err error) {
	for _, text := range texts { // null of one that has none
		if len(text) > longestSizes {
			return nil, fmt.Errorf("%w: run %s: the sizes of its parts have %d bytes, and %d are the most (start afresh with "+
				"-new)",
				ErrDamaged, run, len(text), longestSizes)
		}
		var some map[string]experiments.Size
		err = json.Unmarshal([]byte(text), &some)
		if err != nil {
			return sizes, fmt.Errorf("run %s: the sizes of its parts cannot be read: %w (the database was changed by hand: "+
				"start afresh with -new)", run, err)
		}
		if sizes == nil {
			sizes = some
		}
		maps.Copy(sizes, some)
	}
	return sizes, nil
}

// SetUnrepeatable implements [experiments.Store].
func (s *Store) SetUnrepeatable(ctx context.Context, run int64, why string) error {
	return s.record(ctx, run, "record what a bot does in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		h := s.begun[run]
		table := "endings"
		if h.search != 0 {
			table = "searches"
		}
		changed, err := changes(tx.ExecContext(ctx, "UPDATE "+table+" SET unrepeatable = ? "+
			"WHERE id = ? AND unrepeatable IS NULL", why, h.run()))
		if err == nil && changed { // its games serve nobody else
			h.alone = true
			_, err = tx.ExecContext(ctx, "UPDATE OR IGNORE memo SET only_run = ?1 "+
				"WHERE only_run = 0 AND id IN (SELECT memo_id FROM asked WHERE owner_id IN (?1, ?2))", h.run(), h.ending)
		}
		return changed, err
	})
}

// Finish implements [experiments.Store]. A finished run that was only looked at again stays
// finished, whatever the status: an interrupted replay takes nothing away.
func (s *Store) Finish(ctx context.Context, run int64, status string) error {
	const operation = "finish the run in"
	ctx = context.WithoutCancel(ctx)
	h, err := s.ready(run, operation)
	if err != nil {
		return err
	}
	changed, figured := !h.finished || h.changed, false
	err = explain(operation, s.path, s.writer.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM standings WHERE run_id = ? AND owner_id = ?)", h.run(), run).Scan(&figured))
	long := false
	if err == nil && status != experiments.Finished {
		long, err = s.isLong(ctx, run)
	}
	if err == nil && (changed || !figured) { // before the status: the figures of a finished run are whole
		err = s.writeFigures(ctx, run, !long)
	}
	if err == nil && changed {
		err = s.commit(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
			if err := setStatus(ctx, tx, run, status); err != nil || h.search == 0 {
				return err
			}
			return showLongest(ctx, tx, h.search)
		})
	}
	if err != nil {
		return err
	}
	delete(s.begun, run)
	if status == experiments.Finished {
		s.unshown = append(s.unshown, h.lock.file.Path())
		return explain(operation, s.path, h.lock.file.Unlock())
	}
	return explain(operation, s.path, h.lock.release())
}

func setStatus(ctx context.Context, tx *sql.Tx, run int64, status string) error {
	var print, finished, done any // NULL
	at := now()
	if status == experiments.Finished {
		done = 1
		sum, err := fingerprint(ctx, tx, run)
		if err != nil {
			return err
		}
		print, finished = sum, at
	}
	_, err := tx.ExecContext(ctx, `UPDATE endings SET status = ?, updated_at = ?, finished_at = ?,
		fingerprint = iif(coalesce(unrepeatable, (SELECT s.unrepeatable FROM searches AS s
		WHERE s.id = search_id)) IS NULL, ?, NULL),
		done = coalesce(?, done), expected_end = NULL WHERE id = ?`, status, at, finished, print, done, run)
	return err
}

// SetFailure writes why a failed run failed. Begin takes the failure away.
func (s *Store) SetFailure(ctx context.Context, run int64, why string) error {
	return s.commit(ctx, "write why a run failed in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE endings SET error = ? WHERE id = ? AND status = ?", why, run,
			experiments.Failed)
		return err
	})
}

// SetNote replaces the note of a run. An empty one takes it away. The error wraps ErrNotFound if
// there is no run of that name.
func (s *Store) SetNote(ctx context.Context, name, note string) error {
	run, err := s.reader.Find(ctx, name)
	if err != nil {
		return err
	}
	return s.commit(ctx, "write the note of a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE searches SET note = ? WHERE id = ?; UPDATE endings SET note = ? WHERE id = ?",
			orNull(note, ""), run.owned.run(), orNull(note, ""), run.owned.run())
		return err
	})
}

// Rename gives a run, with all its endings, another name. The error wraps ErrNotFound if there is
// none of the old name. Only the store's names change: the same command as before finds the run.
func (s *Store) Rename(ctx context.Context, old, name string) error {
	run, err := s.reader.Find(ctx, old)
	if err == nil && run.Root != old {
		err = notFound("%s is an ending: name its run, %s", old, run.Root)
	}
	if err != nil {
		return err
	}
	return s.commit(ctx, "rename a run in", func(ctx context.Context, tx *sql.Tx) error {
		if free, err := freeName(ctx, tx, name); err != nil || free != name {
			return errors.Join(err, fmt.Errorf("a run is called %s: choose another name", name))
		}
		_, err := tx.ExecContext(ctx, "UPDATE searches SET name = ? WHERE id = ?; UPDATE endings SET name = ? "+
			"WHERE id = ? AND search_id IS NULL",
			name, run.owned.run(), name, run.owned.run())
		if err == nil && run.owned.search != 0 {
			err = renamePlayers(ctx, tx, run, name)
		}
		return err
	})
}

// renamePlayers gives the players of comparisons that are champions or candidates of a run its
// other name. A player of another run that had the name before keeps it. Names identify nothing, so
// neither a comparison nor its fingerprint becomes another one.
func renamePlayers(ctx context.Context, tx *sql.Tx, run Run, name string) error {
	type player struct {
		id           int64
		called, text string // its name, and the config of the comparison
	}
	players, err := collect(ctx, tx, func(rows *sql.Rows) (p player, err error) {
		return p, rows.Scan(&p.id, &p.called, &p.text)
	}, `SELECT c.id, c.name, e.config_yaml FROM endings AS e JOIN candidates AS c ON c.id BETWEEN e.id * 1000000000
		AND e.id * 1000000000 + 999999999
		WHERE e.search_id IS NULL AND (c.name = ?1 OR substr(c.name, 1, length(?1) + 1) IN (?1 || '@', ?1 || ':'))
		AND EXISTS (
			SELECT 1 FROM endings AS o JOIN candidates AS p ON p.id IN (o.champion_id,
				iif(instr(c.name, ':') = 0, NULL, substr(c.name, instr(c.name, ':') + 1) + 1000000000 * iif(substr(c.name,
				instr(c.name, ':') + 1) < o.candidates, ?2, o.id)))
			WHERE o.search_id = ?2 AND p.play = c.play)
		ORDER BY c.id`, run.Root, run.owned.search)
	texts := map[int64]string{} // of comparisons that have several such players
	for _, p := range players {
		called, ending := name+p.called[len(run.Root):], p.id/candidatesPerOwner
		if text, changed := texts[ending]; changed {
			p.text = text
		}
		if contest, unreadable := config.ParseContest([]byte(p.text), run.Name); unreadable == nil {
			for i := range contest.Players {
				if contest.Players[i].Name == p.called {
					contest.Players[i].Name = called
				}
			}
			p.text = string(contest.YAML())
		}
		texts[ending] = p.text
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE candidates SET name = ? WHERE id = ?; UPDATE endings "+
				"SET config_yaml = ? WHERE id = ?", called, p.id, p.text, ending)
		}
	}
	return err
}
