package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"tune2048/experiments"
)

// The columns of an evaluation: those that figures need, and all.
const (
	figuredColumns = "a.owner_id, a.number, s.phase, s.stage, s.search, s.generation, s.round, a.candidate_id, " +
		"s.first_game, a.games, " +
		"coalesce(a.moves, 0), coalesce(a.nodes, 0), coalesce(a.duration_us, 0), m.scores, m.ranks, coalesce(m.failure, '')"
	detailedColumns = figuredColumns + ", m.key, m.moves, m.nodes"
)

// withSlice joins the slice and the row of the memo to a row a of the table asked.
const withSlice = " CROSS JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice " +
	"CROSS JOIN memo AS m ON m.id = a.memo_id"

// largestRank bounds the ranks of tiles, which bots reach on boards of any size.
const largestRank = 38

// scanEvaluations returns a function that reads rows of figuredColumns, or of detailedColumns.
// Times and counts that decide nothing make no evaluation unreadable: false ones are not known.
func scanEvaluations(columns string) func(*sql.Rows) (experiments.Evaluation, error) {
	row := make([]any, 16) // any: on the way to other types Scan makes texts of numbers
	if columns == detailedColumns {
		row = make([]any, 19)
	}
	var to []any
	for i := range row {
		to = append(to, &row[i])
	}
	return func(rows *sql.Rows) (e experiments.Evaluation, err error) {
		if err := rows.Scan(to...); err != nil {
			return e, err
		}
		number := func(i int) int64 { n, _ := row[i].(int64); return n } // the schema is strict
		text := func(i int) string { s, _ := row[i].(string); return s }
		run, games, us := number(0), int(number(9)), number(12)
		e.Number, e.Phase, e.Stage, e.Search = int(number(1)), text(2), text(3), text(4)
		e.Generation, e.Round, e.First = int(number(5)), int(number(6)), int(number(8))
		e.Candidate, e.Moves, e.Nodes = int(number(7)%candidatesPerOwner), number(10), number(11)
		e.Failure = text(15)
		texts := []string{text(13), text(14)}
		if columns == detailedColumns {
			key, _ := row[16].([]byte)
			e.Key, texts = string(key), append(texts, text(17), text(18))
		}
		e.Moves, e.Nodes, e.Time = max(0, e.Moves), max(0, e.Nodes), duration(us)
		if e.First < 0 || games < 0 || games > sliceGames || (games == 0) != (e.Failure != "") {
			return e, fmt.Errorf("%w: evaluation %d of run number %d: no slice has %d games from %d on", ErrDamaged, e.Number,
				run, games, e.First)
		}
		if games == 0 {
			return e, nil
		}
		scores, each, err := parseLists(e.First%sliceGames, games, texts...)
		if err != nil {
			return e, fmt.Errorf("evaluation %d of run number %d: %w", e.Number, run, err)
		}
		e.Scores = scores
		if len(texts) > 2 {
			e.Each = each
		}
		e.Ranks = make([]byte, 0, games)
		for _, d := range each {
			if d.Rank == 0 {
				e.Ranks = nil
				break
			}
			e.Ranks = append(e.Ranks, d.Rank)
		}
		return e, nil
	}
}

// parseLists reads a number of games, from one on, out of the lists of a row of the memo: scores
// and ranks, or these with moves and nodes.
func parseLists(from, games int, texts ...string) (scores []float64, each []experiments.Detail, err error) {
	if from < 0 || games < 0 || games > sliceGames {
		return nil, nil, fmt.Errorf("%w: no slice has %d games from %d on", ErrDamaged, games, from)
	}
	scores, each = make([]float64, 0, games), make([]experiments.Detail, games)
	sound := true
	for list, text := range texts {
		inside, opened := strings.CutPrefix(text, "[")
		inside, closed := strings.CutSuffix(inside, "]")
		more := true
		sound = sound && opened && closed
		for i := -from; sound && i < games; i++ { // by hand: a night has tens of millions of games
			var part string
			sound = more
			if i < 0 {
				_, inside, more = strings.Cut(inside, ",")
				continue
			}
			part, inside, more = strings.Cut(inside, ",")
			d := &each[i]
			n, whole := digits(part)
			if list == 0 {
				x := float64(n)
				if !whole {
					var err error
					x, err = strconv.ParseFloat(part, 64)
					whole = err == nil && finite("score", x) == nil
				}
				scores, sound = append(scores, x), sound && whole
				continue
			}
			if !whole {
				var err error
				n, err = strconv.ParseInt(part, 10, 64)
				whole = err == nil
			}
			sound = sound && whole
			switch list {
			case 1:
				d.Rank, sound = byte(n), sound && n >= 0 && n <= largestRank
			case 2:
				d.Moves = int(max(0, n)) // a false count is unknown
			default:
				d.Nodes = max(0, n)
			}
		}
	}
	if !sound {
		return nil, nil, fmt.Errorf("%w: want lists with games %d to %d, got %.200s", ErrDamaged, from, from+games-1,
			strings.Join(texts, " "))
	}
	return scores, each, nil
}

// digits returns the number that a text of 1 to 15 digits is. Larger ones may be no float64.
func digits(text string) (n int64, is bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
	}
	return n, len(text) >= 1 && len(text) <= 15
}

// Evaluations returns a run's evaluations by number.
func (r *Reader) Evaluations(ctx context.Context, run int64) (all []experiments.Evaluation, err error) {
	for e, err := range evaluations(ctx, r.at, detailedColumns, run, "") {
		if err != nil {
			return nil, explain("read evaluations of", r.path, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// evaluations yields a run's evaluations by number: of one phase outside tuning, or of all. An
// error is the last thing it yields.
func evaluations(ctx context.Context, q querier, columns string, run int64,
	phase string) iter.Seq2[experiments.Evaluation, error] {
	return func(yield func(experiments.Evaluation, error) bool) {
		o, err := readOwned(ctx, q, run)
		if err != nil {
			yield(experiments.Evaluation{}, err)
			return
		}
		for _, owner := range []int64{o.search, o.ending} { // which has the larger numbers
			for e, err := range evaluationsOf(ctx, q, columns, owner, 0, o.last(owner), phase) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// evaluationsBehind yields an ending's evaluations without those of tuning that have numbers below
// one, unless they failed. They come by number within tuning and within each other phase.
func evaluationsBehind(ctx context.Context, q querier, o owned, number int) iter.Seq2[experiments.Evaluation, error] {
	return func(yield func(experiments.Evaluation, error) bool) {
		for _, part := range []iter.Seq2[experiments.Evaluation, error]{
			each(ctx, q, scanEvaluations(figuredColumns), "SELECT "+figuredColumns+" FROM asked AS a INDEXED BY asked_failed"+
				withSlice+
				" WHERE a.games = 0 AND a.owner_id = ? AND a.number < ? AND a.phase IS NULL ORDER BY a.number", o.search,
				min(number, o.questions)),
			evaluationsOf(ctx, q, figuredColumns, o.search, 0, min(number, o.questions), experiments.PhaseCentre),
			evaluationsOf(ctx, q, figuredColumns, o.search, number, o.questions, ""),
			evaluationsOf(ctx, q, figuredColumns, o.ending, 0, candidatesPerOwner, ""),
		} {
			for e, err := range part {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// evaluationsOf yields the evaluations of a search or an ending that have numbers from one on and
// below another.
func evaluationsOf(ctx context.Context, q querier, columns string, owner int64, from, below int,
	phase string) iter.Seq2[experiments.Evaluation, error] {
	table, where := "asked AS a", ""
	if phase != "" { // without statistics SQLite would rather read the whole run
		table, where = "asked AS a INDEXED BY asked_after_tuning", "a.phase = ?4 AND "
	}
	return each(ctx, q, scanEvaluations(columns), "SELECT "+columns+" FROM "+table+withSlice+
		" WHERE "+where+"a.owner_id = ?1 AND a.number >= ?2 AND a.number < ?3 ORDER BY a.number", owner, from, below, phase)
}

// tuned is the [experiments.Store] method Tuned.
func tuned(ctx context.Context, q querier, run int64, at experiments.Place, numbers []int,
	from, below int) iter.Seq2[experiments.Evaluation, error] {
	return func(yield func(experiments.Evaluation, error) bool) {
		o, err := readOwned(ctx, q, run)
		if err != nil {
			yield(experiments.Evaluation{}, err)
			return
		}
		some, list := "BETWEEN ?6 AND ?7", ""
		if numbers != nil {
			all := []int64{}
			for _, number := range numbers {
				all = append(all, candidateID(o.search, number))
			}
			text, _ := json.Marshal(all) // never fails
			some, list = "IN (SELECT value FROM json_each(?8))", string(text)
		}
		// By the index, for a night has too many to sort.
		for e, err := range each(ctx, q, scanEvaluations(figuredColumns), "SELECT "+figuredColumns+
			" FROM asked AS a INDEXED BY asked_by_candidate"+withSlice+
			" WHERE a.owner_id = ?1 AND a.phase IS NULL AND s.stage = ?2 AND s.search = ?3 AND a.number >= ?4 "+
			"AND a.number < ?5 AND a.candidate_id "+some+
			" ORDER BY a.candidate_id, a.number", o.search, at.Stage, at.Search, from, min(below, o.questions),
			candidateID(o.search, 0), candidateID(o.search, candidatesPerOwner-1), list) {
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Tuned implements [experiments.Store].
func (s *Store) Tuned(ctx context.Context, run int64, at experiments.Place, numbers []int,
	from, below int) iter.Seq2[experiments.Evaluation, error] {
	return func(yield func(experiments.Evaluation, error) bool) {
		for e, err := range tuned(ctx, s.reader.db, run, at, numbers, from, below) {
			if !yield(e, explain("read the tuning of a run in", s.path, err)) {
				return
			}
		}
	}
}

// reread yields evaluations of a run's tuning until there is an error.
func (r *Reader) reread(ctx context.Context, run int64, err *error) experiments.Again {
	return func(at experiments.Place, numbers []int, from, below int) iter.Seq[experiments.Evaluation] {
		return sound(tuned(ctx, r.at, run, at, numbers, from, below), err)
	}
}
