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

	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// The table memo has what was ever played, by key. What a run asked of it stands in the table
// asked. This file writes both, and answers from them. evaluations.go reads the findings of a run.

// sliceGames is how many games a row of the memo has at most.
const sliceGames = experiments.SliceGames

const memoColumns = "m.id, m.only_run, m.games, m.scores, m.ranks, m.moves, m.nodes, m.boards, coalesce(m.times, " +
	"''), coalesce(m.workers, ''), coalesce(m.failure, '')"

// A question of a comparison that has grown replaces the smaller one.
var askedInsertion = newInsertion("asked", askedColumns,
	replacing("owner_id, number", "memo_id, games, mean_score, sd_score, fitness, moves, nodes, duration_us")+
		" WHERE excluded.games > asked.games")

const askedColumns = "owner_id, number, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, " +
	"moves, nodes, duration_us"

// insertMemo adds a row with the games of an evaluation. If there is a row of this key and owner,
// it does what conflict says. The error is sql.ErrNoRows if that is nothing.
func insertMemo(ctx context.Context, tx *sql.Tx, e *experiments.Evaluation, kept []keptGame, owner int64,
	conflict string) (id int64, err error) {
	values := []any{[]byte(e.Key), owner, len(e.Scores), orNull(e.Failure, "")}
	values = append(append(values, lists(e.Scores, e.Each)...), keptLists(kept)...)
	return id, tx.QueryRowContext(ctx, `INSERT INTO memo (key, only_run, games, failure, scores, ranks, moves, nodes,
		boards, times, workers)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key, only_run, failure IS NULL) DO `+conflict+" RETURNING id", values...).Scan(&id)
}

// replaceGames writes the games of a row anew.
const replaceGames = `UPDATE SET games = excluded.games, scores = excluded.scores, ranks = excluded.ranks,
	moves = excluded.moves,
	nodes = excluded.nodes, boards = excluded.boards, times = excluded.times, workers = excluded.workers,
	failure = excluded.failure`

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
	r := recording{run: run, h: s.begun[run], keep: keep, kept: map[int64]keptGame{},
		slices: map[experiments.Place]slice{}}
	held := s.takePending(r.h, evaluations)
	err := s.record(ctx, run, "record evaluations in", func(ctx context.Context, tx *sql.Tx) (changed bool, err error) {
		if err := r.readKept(ctx, tx, held, evaluations); err != nil {
			return false, err
		}
		for i := range evaluations {
			added, err := r.addEvaluation(ctx, tx, &evaluations[i])
			changed = changed || added
			if err != nil {
				return changed, err
			}
		}
		return changed, nil
	})
	if err != nil { // a later commit tries them again
		s.pending = append(s.pending, held...)
		return err
	}
	if len(evaluations) > 0 {
		err = s.refresh(ctx, run, evaluations[0])
	}
	return err
}

// takePending returns the pending games of evaluations. They are not pending any more: they go into
// the memo at once.
func (s *Store) takePending(h *begunRun, evaluations []experiments.Evaluation) (held []pendingGame) {
	recorded := map[int]bool{}
	for i := range evaluations {
		recorded[evaluations[i].Number] = true
	}
	s.pending = slices.DeleteFunc(s.pending, func(g pendingGame) bool {
		if g.by != h || !recorded[g.Number] {
			return false
		}
		held = append(held, g)
		return true
	})
	return held
}

// recording is the recording of some evaluations of a run, in one transaction.
type recording struct {
	run    int64
	h      *begunRun
	keep   bool                        // whether the config keeps the games
	kept   map[int64]keptGame          // by the ids of the games
	rows   int                         // of the table playing, of these evaluations
	slices map[experiments.Place]slice // by the place without candidate, of the first game at hand
}

// slice is a row of the table slices.
type slice struct{ number, first, games int }

// addEvaluation records an evaluation. It returns false if that is not new.
func (r *recording) addEvaluation(ctx context.Context, tx *sql.Tx, e *experiments.Evaluation) (bool, error) {
	memo, err := r.putGames(ctx, tx, e)
	if err != nil {
		return false, err
	}
	at, err := r.putSlice(ctx, tx, e)
	if err != nil {
		return false, err
	}
	sample := r.h.objective.Sample(e.Scores, e.Ranks)
	added, err := askedInsertion.insert(ctx, tx,
		[]any{r.h.ofEvaluation(e.Number), e.Number, at, orNull(e.Phase, experiments.PhaseTuning),
			r.h.candidateID(e.Candidate), memo, len(e.Scores),
			sample.Score.Mean, sample.Score.SD(), sample.Fitness.Mean,
			orNull(e.Moves, 0), orNull(e.Nodes, 0), orNull(e.Time.Microseconds(), 0)})
	first, last := r.h.gameID(e.Number, 0), r.h.gameID(e.Number, sliceGames-1)
	failed := e.Failure != "" && added > 0
	if failed { // other games of the candidate may have ended before
		last = GameID(r.h.ofEvaluation(e.Number)+1, 0, 0) - 1
	}
	if err == nil && (r.rows > 0 || failed) {
		_, err = tx.ExecContext(ctx, "DELETE FROM playing WHERE id BETWEEN ? AND ? AND candidate_id = ?", first, last,
			r.h.candidateID(e.Candidate))
	}
	return added > 0, err
}

// putSlice returns the row of the slice in which an evaluation stands. It adds the row, or the
// seeds of further games.
func (r *recording) putSlice(ctx context.Context, tx *sql.Tx, e *experiments.Evaluation) (number int, err error) {
	owner, place := r.h.ofEvaluation(e.Number), e.Place
	place.Candidate = 0
	at, known := r.slices[place]
	if !known || at.first != e.First {
		at = slice{e.Number, e.First, -1}
		err = tx.QueryRowContext(ctx, `SELECT number, length(seeds) / 16 FROM slices WHERE owner_id = ? AND phase = ?
			AND stage = ? AND search = ?
			AND generation = ? AND round = ? AND first_game = ?`, owner, e.Phase, e.Stage, e.Search, e.Generation, e.Round, e.First).Scan(&at.number, &at.games)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	}
	if games := len(e.Scores); at.games < games {
		at.games = games
		_, err = tx.ExecContext(ctx, `INSERT INTO slices (owner_id, number, phase, stage, search, generation, round,
			first_game, seeds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (owner_id, number) DO UPDATE
			SET seeds = excluded.seeds`, owner, at.number, e.Phase, e.Stage, e.Search, e.Generation, e.Round, e.First,
			seedDigits(e.Stream(r.h.seed, r.h.salt), e.First, games))
	}
	r.slices[place] = at
	return at.number, err
}

// seedDigits are seeds of a stream with 16 digits each: SQL finds one of them without reading a
// list.
func seedDigits(stream experiments.Stream, first, games int) string {
	var text []byte
	for i := range games {
		text = fmt.Appendf(text, "%016d", stream.At(first+i))
	}
	return string(text)
}

// putGames writes the games of an evaluation that the memo lacks, and returns their row. A row of
// its key may have other games: the bot does not repeat itself, or the database is false. Then the
// run keeps its own games for itself.
func (r *recording) putGames(ctx context.Context, tx *sql.Tx, e *experiments.Evaluation) (int64, error) {
	owner, own, serves, skip := int64(0), r.h.run(), r.h.serves, e.First%sliceGames
	if r.h.alone {
		owner = own
	}
	if e.Failure != "" { // each ending has its own ones after the tuning
		own = r.h.ofEvaluation(e.Number)
		owner, serves, skip = own, fmt.Sprintf("[%d]", own), 0
	}
	kept := make([]keptGame, len(e.Scores))
	for i := range kept {
		kept[i] = r.kept[r.h.gameID(e.Number, skip+i)]
	}
	if owner == 0 && skip == 0 { // mostly the games are new
		if id, err := insertMemo(ctx, tx, e, kept, owner, "NOTHING"); !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	rows, err := collect(ctx, tx, scanMemo(), "SELECT "+memoColumns+` FROM memo AS m WHERE m.key = ?
		AND (m.failure IS NULL) = ?
		AND m.only_run IN (SELECT value FROM json_each(?)) ORDER BY m.only_run`, []byte(e.Key), e.Failure == "", serves)
	if err != nil {
		return 0, err
	}
	whole, complete, begins := *e, skip == 0, []keptGame(nil)
	for _, row := range rows {
		there := min(len(row.Scores)-skip, len(e.Scores))
		if there < 0 {
			continue
		}
		same := row.Failure == e.Failure && slices.Equal(row.Scores[skip:skip+there], e.Scores[:there]) &&
			slices.Equal(row.Each[skip:skip+there], e.Each[:there])
		mine := row.onlyRun == owner || row.onlyRun == own
		more := false // boards that the row lacks
		for i := range there {
			if old := row.kept[skip+i]; same && old.kept {
				kept[i] = old
			}
			more = more || kept[i].kept && !row.kept[skip+i].kept
		}
		if same && there == len(e.Scores) && !(more && mine) {
			return row.id, nil
		}
		// The slice begins with games that the run asked for before.
		end := len(row.Scores)
		if same {
			end = skip + there
		}
		complete = true
		whole.Scores, whole.Each = slices.Concat(row.Scores[:skip], e.Scores, row.Scores[end:]),
			slices.Concat(row.Each[:skip], e.Each, row.Each[end:])
		of := slices.Concat(row.kept[:skip], kept, row.kept[end:])
		switch {
		case same && mine: // there are more now
			return insertMemo(ctx, tx, &whole, of, row.onlyRun, replaceGames)
		case row.onlyRun == owner: // other games
			owner = own
		}
		begins = row.kept[:skip]
	}
	if !complete {
		return 0, fmt.Errorf("%w: the memo lacks games of %s", ErrDamaged, e.Place)
	}
	return insertMemo(ctx, tx, &whole, slices.Concat(begins, kept), owner, replaceGames)
}

// memoRow is a row of the table memo, as the scores, details and failure of an evaluation.
type memoRow struct {
	id      int64
	onlyRun int64
	kept    []keptGame // for each game
	experiments.Evaluation
}

// scanMemo returns a function that reads rows of memoColumns, and the columns behind them.
func scanMemo(more ...any) func(*sql.Rows) (memoRow, error) {
	return func(rows *sql.Rows) (m memoRow, err error) {
		var games int
		var texts [4]string
		var boards []byte
		var times, workers string
		to := []any{&m.id, &m.onlyRun, &games, &texts[0], &texts[1], &texts[2], &texts[3], &boards, &times, &workers,
			&m.Failure}
		err = rows.Scan(append(to, more...)...)
		if err != nil {
			return m, err
		}
		m.Scores, m.Each, err = parseLists(0, games, texts[:]...)
		if err != nil {
			return m, fmt.Errorf("row %d of the memo: %w", m.id, err)
		}
		m.kept = parseKept(games, boards, times, workers)
		return m, nil
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
		recorded, err = recordedOf(ctx, s.reader.db, s.begun[run].owned, questions)
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
	if err == nil && len(open) > 0 {
		err = s.findGames(ctx, run, questions, open, all)
	}
	return all, explain(operation, s.path, err)
}

// findGames finds the games of questions that the run has not recorded.
func (s *Store) findGames(ctx context.Context, run int64, questions []experiments.Question, open []int,
	all []experiments.Known) error {
	h := s.begun[run]
	var keys bytes.Buffer
	for _, q := range questions {
		keys.WriteString(q.Key)
	}
	list, _ := json.Marshal(open)
	var i int
	for m, err := range each(ctx, s.reader.db, scanMemo(&i),
		"SELECT "+memoColumns+", k.value FROM json_each(?1) AS k "+
			"CROSS JOIN memo AS m ON m.key = substr(?2, 16 * k.value + 1, 16)"+
			" WHERE m.only_run IN (SELECT value FROM json_each(?3)) AND (m.failure IS NULL OR m.only_run <> 0)", string(list),
		keys.Bytes(), h.serves) {
		if err != nil {
			return err
		}
		all[i] = h.better(all[i], m, &questions[i])
	}
	for _, i := range open {
		q := &questions[i]
		games, err := playingRows(ctx, s.reader.db, h.gameID(q.Number, 0), h.gameID(q.Number, sliceGames-1))
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
			k.Outcomes[i] = m.outcome(skip + i)
		}
	}
	return k
}

// outcomeAt returns a game of an evaluation, without its time and its last board.
func outcomeAt(e experiments.Evaluation, i int) (o simulator.Outcome) {
	d := e.Each[i]
	o.Score, o.Moves, o.Nodes = e.Scores[i], d.Moves, d.Nodes
	if d.Rank > 0 {
		o.MaxTile = 1 << d.Rank
	}
	return o
}

// outcome returns a game of the row, with the time and the last board if these are kept.
func (m *memoRow) outcome(i int) simulator.Outcome {
	o, k := outcomeAt(m.Evaluation, i), m.kept[i]
	o.Final, o.Duration = k.board, duration(k.us)
	o.Capped = k.board != 0 && o.MaxTile == 1<<(engine.MaxRank+1)
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
		owner, run int64
		name       string
		first      int // number of the first evaluation that asked for such games
	}
	const forgotten = `(SELECT m.id FROM asked AS f JOIN memo AS m ON m.id = f.memo_id
		WHERE f.owner_id IN (?1, ?2) AND instr(?3, lower(hex(m.key))) > 0)`
	all, err := collect(ctx, s.reader.db, func(rows *sql.Rows) (a asking, err error) {
		return a, rows.Scan(&a.owner, &a.run, &a.name, &a.first)
	}, `SELECT a.owner_id, coalesce(s.id, e.search_id, e.id), coalesce(s.name, t.name, e.name), min(a.number)
		FROM asked AS a LEFT JOIN searches AS s ON s.id = a.owner_id LEFT JOIN endings AS e ON e.id = a.owner_id LEFT
		JOIN searches AS t ON t.id = e.search_id
		WHERE a.memo_id IN `+forgotten+" GROUP BY a.owner_id ORDER BY a.owner_id", of.owned.search, of.ID, strings.Join(keys, ","))
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	if len(all) == 0 {
		return nil, notFound("run %s asked for no games with key %s (the column key of evaluations has them)", name,
			strings.Join(keys, ", "))
	}
	for _, a := range all {
		if slices.Contains(names, a.name) {
			continue
		}
		names = append(names, a.name)
		lock, err := acquire(lockPath(s.absolute, a.run))
		if err != nil {
			return nil, fmt.Errorf("cannot forget games of run %s in %s: %w", a.name, s.path, err)
		}
		defer lock.release()
	}
	return names, s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM memo WHERE id IN "+forgotten, of.owned.search, of.ID,
			strings.Join(keys, ","))
		for _, a := range all {
			if err == nil {
				err = forget(ctx, tx, a.owner, a.first)
			}
		}
		return err
	})
}

// forget takes what a search or an ending asked for and found away. The endings of such a search
// begin anew.
func forget(ctx context.Context, tx *sql.Tx, owner int64, first int) error {
	endings, err := collect(ctx, tx, scanID, "SELECT id FROM endings WHERE search_id = ? ORDER BY id", owner)
	if err != nil {
		return err
	}
	for i, ending := range endings[:max(0, len(endings)-1)] { // the newest one goes on
		endings[i] = 0
		if err := deleteOwner(ctx, tx, ending, true); err != nil {
			return err
		}
	}
	if err := emptyOwner(ctx, tx, owner, first); err != nil {
		return err
	}
	for _, ending := range endings {
		if ending == 0 {
			continue
		}
		if err := emptyOwner(ctx, tx, ending, 0); err != nil {
			return err
		}
		// The hash is of the false games, and a clock's decisions were for this length.
		_, err = tx.ExecContext(ctx, `UPDATE endings
			SET generations = NULL, candidates = ?, questions = ?1, stopped_after = NULL, sizes = NULL WHERE id = ?;
			UPDATE searches SET hashed = NULL, sizes = NULL WHERE id = ?`, candidatesPerOwner, ending, owner)
		if err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE endings
		SET status = ?1, champion_id = NULL, held_out_salt = NULL, fingerprint = NULL,
		finished_at = NULL, done = NULL, figured_games = 0, figured = 0, ranked_games = 0, ranked = 0
		WHERE ?2 IN (id, search_id)`, experiments.Interrupted, owner)
	if err != nil {
		return err
	}
	searches, err := collect(ctx, tx, scanID, "SELECT coalesce(search_id, 0) FROM endings WHERE ? IN (id, search_id)",
		owner)
	for _, search := range searches { // the ending that it showed may be interrupted now
		err = errors.Join(err, showLongest(ctx, tx, search))
	}
	return err
}
