package results

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// The table memo has what was ever played, by key. What a run asked of it stands in the table
// asked. This file writes both, and answers from them. evaluations.go reads the findings of a run.

// sliceGames is how many games a row of the memo has at most.
const sliceGames = experiments.SliceGames

const memoColumns = "m.id, m.only_run, m.games, m.scores, m.ranks, m.moves, m.nodes, coalesce(m.duration_us, 0), coalesce(m.failure, '')"

// A question of a comparison that has grown replaces the smaller one.
var askedInsertion = newInsertion("asked", askedColumns, replacing("run_id, number", "memo_id, games, mean_score, sd_score, fitness, moves, nodes, duration_us")+
	" WHERE excluded.games > asked.games")

const askedColumns = "run_id, number, phase, stage, search, generation, round, candidate_id, memo_id, first_game, games, " +
	"mean_score, sd_score, fitness, moves, nodes, duration_us"

// insertMemo adds a row with the games of an evaluation. If there is a row of this key and owner,
// it does what conflict says. The error is sql.ErrNoRows if that is nothing.
func insertMemo(ctx context.Context, tx *sql.Tx, e *experiments.Evaluation, owner int64, conflict string) (id int64, err error) {
	values := append([]any{[]byte(e.Key), owner, len(e.Scores), orNull(e.Time.Microseconds(), 0), orNull(e.Failure, "")}, lists(e.Scores, e.Each)...)
	return id, tx.QueryRowContext(ctx, `INSERT INTO memo (key, only_run, games, duration_us, failure, scores, ranks, moves, nodes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, only_run, failure IS NULL) DO `+conflict+" RETURNING id", values...).Scan(&id)
}

// replaceGames writes the games of a row anew.
const replaceGames = `UPDATE SET games = excluded.games, duration_us = excluded.duration_us, scores = excluded.scores,
	ranks = excluded.ranks, moves = excluded.moves, nodes = excluded.nodes, failure = excluded.failure`

// lists are the scores, ranks, moves and nodes of games as a row of the memo has them, as JSON.
func lists(scores []float64, each []experiments.Detail) (all []any) {
	var texts [4][]byte
	for i, d := range each {
		texts[0] = append(strconv.AppendFloat(texts[0], scores[i]+0, 'f', -1, 64), ',')
		for k, n := range []int64{int64(d.Rank), int64(d.Moves), d.Nodes} {
			texts[k+1] = append(strconv.AppendInt(texts[k+1], n, 10), ',')
		}
	}
	for _, text := range texts {
		all = append(all, "["+strings.TrimSuffix(string(text), ",")+"]")
	}
	return all
}

// AddEvaluations implements [experiments.Store].
func (s *Store) AddEvaluations(ctx context.Context, run int64, evaluations []experiments.Evaluation, keep bool) error {
	err := s.record(ctx, run, "record evaluations in", func(ctx context.Context, tx *sql.Tx) (changed bool, err error) {
		for i := range evaluations {
			added, err := s.addEvaluation(ctx, tx, run, &evaluations[i], keep)
			if changed = changed || added; err != nil {
				return changed, err
			}
		}
		return changed, nil
	})
	if err == nil && len(evaluations) > 0 {
		err = s.refresh(ctx, run, evaluations[0].Phase)
	}
	return err
}

// addEvaluation records an evaluation. It returns false if that is not new.
func (s *Store) addEvaluation(ctx context.Context, tx *sql.Tx, run int64, e *experiments.Evaluation, keep bool) (bool, error) {
	memo, err := s.putGames(ctx, tx, run, e)
	if err != nil {
		return false, err
	}
	sample := s.begun[run].objective.Sample(e.Scores, e.Ranks)
	added, err := askedInsertion.insert(ctx, tx, []any{run, e.Number, e.Phase, e.Stage, e.Search, e.Generation, e.Round,
		candidateID(run, e.Candidate), memo, e.First, len(e.Scores),
		sample.Score.Mean, sample.Score.SD(), sample.Fitness.Mean,
		orNull(e.Moves, 0), orNull(e.Nodes, 0), orNull(e.Time.Microseconds(), 0)})
	last := GameID(run, e.Number, sliceGames-1)
	if e.Failure != "" && added > 0 { // other games of the candidate may have ended before
		last = GameID(run+1, 0, 0) - 1
	}
	if err == nil && (!keep || e.Failure != "") {
		_, err = tx.ExecContext(ctx, "DELETE FROM games WHERE id BETWEEN ? AND ? AND candidate_id = ?",
			GameID(run, e.Number, 0), last, candidateID(run, e.Candidate))
	}
	return added > 0, err
}

// putGames writes the games of an evaluation that the memo lacks, and returns their row. A row of
// its key may have other games: the bot does not repeat itself, or the database is false. Then the
// run keeps its own games for itself.
func (s *Store) putGames(ctx context.Context, tx *sql.Tx, run int64, e *experiments.Evaluation) (int64, error) {
	owner, serves, skip := s.begun[run].owner, s.begun[run].serves, e.First%sliceGames
	if e.Failure != "" {
		owner, serves, skip = run, fmt.Sprintf("[%d]", run), 0
	}
	if owner == 0 && skip == 0 { // mostly the games are new
		if id, err := insertMemo(ctx, tx, e, owner, "NOTHING"); !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	rows, err := collect(ctx, tx, scanMemo(), "SELECT "+memoColumns+` FROM memo AS m WHERE m.key = ? AND (m.failure IS NULL) = ?
		AND m.only_run IN (SELECT value FROM json_each(?)) ORDER BY m.only_run`, []byte(e.Key), e.Failure == "", serves)
	if err != nil {
		return 0, err
	}
	whole, complete := *e, skip == 0
	for _, row := range rows {
		there := min(len(row.Scores)-skip, len(e.Scores))
		if there < 0 {
			continue
		}
		same := row.Failure == e.Failure && slices.Equal(row.Scores[skip:skip+there], e.Scores[:there]) && slices.Equal(row.Each[skip:skip+there], e.Each[:there])
		if same && there == len(e.Scores) {
			return row.id, nil
		}
		// The slice begins with games that the run asked for before.
		whole.Scores, whole.Each = slices.Concat(row.Scores[:skip], e.Scores), slices.Concat(row.Each[:skip], e.Each)
		whole.Time, complete = e.Time, true // with shares of what e has of the row's games, see outcomeAt
		if before := shareOf(row.Evaluation, skip); before > 0 && e.Time > 0 {
			whole.Time += before
		} else if skip > 0 { // not known of all of them
			whole.Time = 0
		}
		switch {
		case same && (row.onlyRun == owner || row.onlyRun == run): // there are more now
			return insertMemo(ctx, tx, &whole, row.onlyRun, replaceGames)
		case row.onlyRun == owner: // other games
			owner = run
		}
	}
	if !complete {
		return 0, fmt.Errorf("%w: the memo lacks games of %s", ErrDamaged, e.Place)
	}
	return insertMemo(ctx, tx, &whole, owner, replaceGames)
}

// memoRow is a row of the table memo, as the scores, details, time and failure of an evaluation.
type memoRow struct {
	id      int64 // 0: there is none
	onlyRun int64
	experiments.Evaluation
}

// scanMemo returns a function that reads rows of memoColumns, and the columns behind them.
func scanMemo(more ...any) func(*sql.Rows) (memoRow, error) {
	return func(rows *sql.Rows) (m memoRow, err error) {
		var games int
		var texts [4]string
		var us int64
		to := []any{&m.id, &m.onlyRun, &games, &texts[0], &texts[1], &texts[2], &texts[3], &us, &m.Failure}
		if err = rows.Scan(append(to, more...)...); err != nil {
			return m, err
		}
		m.Time = duration(us)
		if m.Scores, m.Each, err = parseLists(0, games, texts[:]...); err != nil {
			err = fmt.Errorf("row %d of the memo: %w", m.id, err)
		}
		return m, err
	}
}

// errOtherQuestion: the run has recorded another question with that number.
var errOtherQuestion = errors.New("the replay asks for another (start another run with -new)")

// Known implements [experiments.Store].
func (s *Store) Known(ctx context.Context, run int64, questions []experiments.Question) ([]experiments.Known, error) {
	operation := "read the games of " + questions[0].Phase + " from"
	_, err := s.ready(run, operation)
	if err == nil {
		err = s.flush()
	}
	var recorded map[int]experiments.Evaluation
	if err == nil {
		recorded, err = recordedOf(ctx, s.reader.db, run, questions)
	}
	all := make([]experiments.Known, len(questions))
	var open []int
	for i, q := range questions {
		e, known := recorded[q.Number]
		switch {
		case known && (e.Place != q.Place || e.Key != q.Key || e.First != q.First):
			err = fmt.Errorf("evaluation %d of the run was recorded as one of %s: %w", e.Number, e.Place, errOtherQuestion)
		case known && (len(e.Scores) == q.Games || e.Failure != ""):
			all[i].Evaluation = &e
		default:
			open = append(open, i)
		}
	}
	if err == nil {
		err = s.played(ctx, run, questions, open, all)
	}
	return all, explain(operation, s.path, err)
}

// played finds the games of questions that the run has not recorded.
func (s *Store) played(ctx context.Context, run int64, questions []experiments.Question, open []int,
	all []experiments.Known) error {
	h := s.begun[run]
	var keys bytes.Buffer
	for _, q := range questions {
		keys.WriteString(q.Key)
	}
	list, _ := json.Marshal(open)
	var i int
	for m, err := range each(ctx, s.reader.db, scanMemo(&i),
		"SELECT "+memoColumns+", k.value FROM json_each(?1) AS k CROSS JOIN memo AS m ON m.key = substr(?2, 16 * k.value + 1, 16)"+
			" WHERE m.only_run IN (SELECT value FROM json_each(?3)) AND (m.failure IS NULL OR m.only_run <> 0)", string(list), keys.Bytes(), h.serves) {
		if err != nil {
			return err
		}
		all[i] = h.better(all[i], m, &questions[i])
	}
	for _, i := range open {
		q := &questions[i]
		games, err := gameRows(ctx, s.reader.db, GameID(run, q.Number, 0), GameID(run, q.Number, sliceGames-1))
		if err != nil {
			return err
		}
		for _, g := range games {
			index := g.Index - q.First%sliceGames
			if g.Place != q.Place || g.Seed != q.Seeds.At(q.First+index) {
				return fmt.Errorf("game %d of evaluation %d was recorded as one of candidate %d, seed %d, %s, generation %d: %w",
					g.Index, q.Number, g.Candidate, g.Seed, g.Search, g.Generation, errOtherQuestion)
			}
			if index < 0 || index >= q.Games || all[i].Failure != "" {
				continue
			}
			if all[i].Outcomes == nil {
				all[i].Outcomes = map[int]simulator.Outcome{}
			}
			if _, have := all[i].Outcomes[index]; !have {
				all[i].Outcomes[index] = g.Outcome
			}
		}
	}
	return nil
}

// better adds a row of the memo to what is known of a question.
func (h *begunRun) better(k experiments.Known, m memoRow, q *experiments.Question) experiments.Known {
	skip := q.First % sliceGames
	covered := max(0, min(len(m.Scores)-skip, q.Games))
	switch {
	case len(k.Outcomes) == q.Games || covered < len(k.Outcomes):
	case m.Failure != "" && q.Phase == experiments.PhaseTuning: // each ending has its own failures
		k.Failure = m.Failure
	case m.Failure != "":
	default:
		if covered == q.Games {
			k.Failure = ""
		}
		k.Outcomes = map[int]simulator.Outcome{}
		for i := range covered {
			k.Outcomes[i] = outcomeAt(m.Evaluation, skip+i)
		}
	}
	return k
}

// shareOf is the time of some of an evaluation's games, by the mean of all, or 0 if it is not
// known.
func shareOf(e experiments.Evaluation, games int) time.Duration {
	return e.Time / time.Duration(max(1, len(e.Scores))) * time.Duration(games)
}

// outcomeAt returns a game of an evaluation, with a share of its time and without its last board.
func outcomeAt(e experiments.Evaluation, i int) (o simulator.Outcome) {
	d := e.Each[i]
	o.Score, o.Moves, o.Nodes, o.Duration = e.Scores[i], d.Moves, d.Nodes, shareOf(e, 1)
	if d.Rank > 0 {
		o.MaxTile = 1 << d.Rank
	}
	return o
}

// Forget takes rows out of the memo that a run asked for, by their keys in hexadecimal. It
// returns the names of the runs that asked for their games. Of these only what was played before
// stays: they are interrupted, and the same command carries them out again, with the other games
// of the memo. The error wraps ErrNotFound if the memo has no such key, experiments.ErrBusy if a
// process works on such a run.
func (s *Store) Forget(ctx context.Context, name string, keys []string) (names []string, err error) {
	const operation = "forget games in"
	of, err := s.reader.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	type asking struct {
		run   Run
		first int // number of the first evaluation that asked for such games
	}
	const forgotten = "(SELECT m.id FROM asked AS f JOIN memo AS m ON m.id = f.memo_id WHERE f.run_id = ?1 AND instr(?2, lower(hex(m.key))) > 0)"
	all, err := collect(ctx, s.reader.db, func(rows *sql.Rows) (a asking, err error) {
		return a, rows.Scan(&a.run.ID, &a.run.Name, &a.first)
	}, "SELECT r.id, r.name, min(a.number) FROM asked AS a JOIN runs AS r ON r.id = a.run_id WHERE a.memo_id IN "+forgotten+" GROUP BY r.id",
		of.ID, strings.Join(keys, ","))
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	if len(all) == 0 {
		return nil, notFound("run %s asked for no games with key %s (the column key of evaluations has them)", name, strings.Join(keys, ", "))
	}
	for _, a := range all {
		lock, err := acquire(lockPath(s.absolute, a.run.ID))
		if err != nil {
			return nil, fmt.Errorf("cannot forget games of run %s in %s: %w", a.run.Name, s.path, err)
		}
		defer lock.release()
	}
	return names, s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM memo WHERE id IN "+forgotten, of.ID, strings.Join(keys, ","))
		for _, a := range all {
			names = append(names, a.run.Name)
			if err == nil {
				err = emptyRun(ctx, tx, a.run.ID, a.first)
			}
			if err == nil {
				_, err = tx.ExecContext(ctx, `UPDATE runs SET status = ?, champion_id = NULL, held_out_salt = NULL, fingerprint = NULL,
					finished_at = NULL, done = NULL WHERE id = ?`, experiments.Interrupted, a.run.ID)
			}
		}
		return err
	})
}
