package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

const evaluationColumns = "run_id, first_game, phase, stage, search, generation, round, candidate_id, key, games, scores, ranks, moves, nodes, games_hash, duration_us, failure"

// figuredColumns are evaluationColumns without the texts that no figure needs.
var figuredColumns = strings.NewReplacer("key", "''", "games_hash",
	"iif(phase = '"+experiments.PhaseTuning+"', '', games_hash)").Replace(evaluationColumns)

// A batch that has grown replaces the smaller one.
var evaluationInsertion = newInsertion("evaluations", evaluationColumns+", mean_score, sd_score, fitness",
	replacing("run_id, first_game", "key, games, scores, ranks, moves, nodes, games_hash, duration_us, failure, mean_score, sd_score, fitness")+" WHERE excluded.games > evaluations.games")

// AddEvaluations implements [experiments.Store].
func (s *Store) AddEvaluations(ctx context.Context, run int64, evaluations []experiments.Evaluation, keep bool) error {
	err := s.record(ctx, run, "record evaluations in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		added, err := s.putEvaluations(ctx, tx, run, evaluations)
		for _, e := range evaluations {
			last := GameID(run, e.Game+int64(len(e.Scores))-1)
			if e.Failure != "" && added > 0 { // other games of the candidate may have ended before
				last = GameID(run+1, 0) - 1
			}
			if err == nil && (!keep || e.Failure != "") {
				_, err = tx.ExecContext(ctx, "DELETE FROM games WHERE id BETWEEN ? AND ? AND candidate_id = ?",
					GameID(run, e.Game), last, candidateID(run, e.Candidate))
			}
		}
		return added > 0, err
	})
	if err == nil && len(evaluations) > 0 {
		err = s.refresh(ctx, run, evaluations[0].Phase)
	}
	return err
}

// putEvaluations records evaluations, and returns how many are new. It refuses one whose place has
// other games.
func (s *Store) putEvaluations(ctx context.Context, tx *sql.Tx, run int64,
	evaluations []experiments.Evaluation) (added int, err error) {
	objective := s.begun[run].objective
	var values []any
	for _, e := range evaluations {
		var ranks any // NULL for none
		if e.Ranks != nil {
			ranks = listOf(e.Ranks, func(text []byte, r byte) []byte { return strconv.AppendUint(text, uint64(r), 10) })
		}
		sample := objective.Sample(e.Scores, e.Ranks)
		scores := listOf(e.Scores, func(text []byte, x float64) []byte {
			return strconv.AppendFloat(text, x+0, 'f', -1, 64)
		})
		values = append(values, run, e.Game, e.Phase, e.Stage, e.Search, e.Generation, e.Round,
			candidateID(run, e.Candidate), e.Key, len(e.Scores),
			scores, ranks, orNull(e.Moves, 0), orNull(e.Nodes, 0), e.GamesHash, orNull(e.Time.Microseconds(), 0),
			orNull(e.Failure, ""),
			sample.Score.Mean, sample.Score.SD(), sample.Fitness.Mean)
	}
	added, err = evaluationInsertion.insert(ctx, tx, values)
	if err != nil || added == len(evaluations) {
		return added, err
	}
	for _, e := range evaluations {
		there, err := collect(ctx, tx, scanEvaluations(),
			"SELECT "+evaluationColumns+" FROM evaluations WHERE run_id = ? AND first_game = ?", run, e.Game)
		if err == nil && (len(there) == 0 || !sameGames(there[0], e)) {
			err = fmt.Errorf("%s: other games are recorded there: the database was changed by hand, or another version of the program made it (start another run with -new)", e.Place)
		}
		if err != nil {
			return added, err
		}
	}
	return added, nil
}

// sameGames reports whether a recorded evaluation begins with the games of another one.
func sameGames(recorded, e experiments.Evaluation) bool {
	n := len(e.Scores)
	return recorded.Place == e.Place && recorded.Fault() == e.Fault() && len(recorded.Scores) >= n &&
		slices.Equal(recorded.Scores[:n], e.Scores) &&
		(len(recorded.Scores) > n || recorded.GamesHash == e.GamesHash)
}

// listOf writes a JSON list of numbers.
func listOf[T any](all []T, write func([]byte, T) []byte) string {
	text := append(make([]byte, 0, 2+6*len(all)), '[')
	for i, x := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text = write(text, x)
	}
	return string(append(text, ']'))
}

// largestRank bounds the ranks of tiles, which bots reach on boards of any size.
const largestRank = 38

// numbers reads a list that listOf wrote.
func numbers(text string) iter.Seq2[string, bool] {
	inside, opened := strings.CutPrefix(text, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	return func(yield func(string, bool) bool) {
		for part := range strings.SplitSeq(inside, ",") {
			if !yield(part, opened && closed) {
				return
			}
		}
	}
}

// longestFailure is how many bytes of a failure are read.
const longestFailure = 1 << 16

// column returns a value of a row, and its type's zero for NULL.
func column[T any](value any) T {
	x, _ := value.(T)
	return x
}

// scanEvaluations returns a function that reads rows of evaluationColumns, and the columns behind
// them. It takes the values as the driver gives them: a run has millions of rows.
func scanEvaluations(more ...any) func(*sql.Rows) (experiments.Evaluation, error) {
	values := make([]any, strings.Count(evaluationColumns, ",")+1)
	var to []any
	for i := range values {
		to = append(to, &values[i])
	}
	to = append(to, more...)
	var last [3]string // texts that repeat are kept once
	return func(rows *sql.Rows) (experiments.Evaluation, error) {
		if err := rows.Scan(to...); err != nil {
			return experiments.Evaluation{}, err
		}
		for i := range last {
			if text := column[string](values[2+i]); text != last[i] {
				last[i] = text
			}
		}
		return evaluationOf(values, last)
	}
}

// evaluationOf makes an evaluation out of the values of evaluationColumns. place has its phase,
// stage and search. Times, counts and texts that decide nothing make no evaluation unreadable:
// false ones are not known, long ones are cut.
func evaluationOf(values []any, place [3]string) (e experiments.Evaluation, err error) {
	text := func(i int) string { return column[string](values[i]) }
	number := func(i int) int64 { return column[int64](values[i]) }
	run := number(0)
	e.Game, e.Phase, e.Stage, e.Search = number(1), place[0], place[1], place[2]
	e.Generation, e.Round, e.Key, e.Moves, e.Nodes, e.GamesHash = int(number(5)), int(number(6)), text(8),
		max(0, number(12)), max(0, number(13)), text(14)
	candidate, games, scores, ranks, failure := number(7), int(number(9)), text(10), text(11), text(16)
	ranked := values[11] != nil
	e.Candidate, e.Time = int(candidate-candidateID(run, 0)), duration(number(15))
	const longest = 4000 // of a text, bytes: whoever makes them longer wants to fill the memory
	if len(e.Phase)+len(e.Stage)+len(e.Search)+len(e.Key) > longest ||
		len(e.GamesHash) > longest+32*min(max(games, 0), experiments.MaxBatch) {
		return e, fmt.Errorf("%w: run number %d, evaluation %d: its texts are too long", ErrDamaged, run, e.Game)
	}
	e.Failure = strings.Clone(failure[:min(len(failure), longestFailure)]) // a part would keep the whole
	if games == 0 && e.Failure != "" && scores == "[]" && !ranked && e.Game >= 0 && e.Game < gamesPerRun {
		return e, nil
	}
	sound := e.Failure == "" && games >= 1 && games <= experiments.MaxBatch && e.Game >= 0 &&
		e.Game <= gamesPerRun-int64(games) && strings.Count(scores, ",") == games-1 &&
		(!ranked || strings.Count(ranks, ",") == games-1)
	if sound {
		e.Scores = make([]float64, 0, games)
		for text, list := range numbers(scores) {
			x, err := strconv.ParseFloat(text, 64)
			sound = sound && list && err == nil && finite("score", x) == nil
			e.Scores = append(e.Scores, x)
		}
		if ranked {
			e.Ranks = make([]byte, 0, games)
			for text, list := range numbers(ranks) {
				r, err := strconv.ParseUint(text, 10, 8)
				sound = sound && list && err == nil && r <= largestRank
				e.Ranks = append(e.Ranks, byte(r))
			}
		}
	}
	if !sound {
		return e, fmt.Errorf("%w: run number %d, %.300s: want 1 to %d games numbered in [0, %d), with a score each; got %d from %d on", ErrDamaged, run, e.Place, experiments.MaxBatch, gamesPerRun, games, e.Game)
	}
	return e, nil
}

// Evaluations returns a run's evaluations in the order of their first games.
func (r *Reader) Evaluations(ctx context.Context, run int64) ([]experiments.Evaluation, error) {
	var all []experiments.Evaluation
	err := evaluations(ctx, r.at, evaluationColumns, run, "",
		func(read iter.Seq[experiments.Evaluation]) { all = slices.Collect(read) })
	return all, explain("read evaluations of", r.path, err)
}

// evaluations lets use read a run's evaluations in the order of their first games, one at a time:
// of one phase, or of all. It returns the error that ended them early.
func evaluations(ctx context.Context, q querier, columns string, run int64, phase string,
	use func(iter.Seq[experiments.Evaluation])) (failed error) {
	from := "evaluations WHERE run_id = ?1"
	if phase != "" { // without statistics SQLite would rather read the whole run
		from = "evaluations INDEXED BY evaluations_by_phase WHERE run_id = ?1 AND phase = ?2"
	}
	use(func(yield func(experiments.Evaluation) bool) {
		for e, err := range each(ctx, q, scanEvaluations(), "SELECT "+columns+" FROM "+from+" ORDER BY first_game",
			run, phase) {
			if failed = err; err != nil || !yield(e) {
				return
			}
		}
	})
	return failed
}

// WrongSums names the evaluations of a run whose stored sums differ from their scores. SQL users
// read the sums.
func (r *Reader) WrongSums(ctx context.Context, run Run) (wrong []string, err error) {
	var mean, sd, fitness float64
	scan := scanEvaluations(&mean, &sd, &fitness)
	_, err = readAll(ctx, r, "evaluations", func(rows *sql.Rows) (none struct{}, err error) {
		e, err := scan(rows)
		if s := run.Objective.Sample(e.Scores, e.Ranks); err == nil &&
			(s.Score.Mean != mean || s.Score.SD() != sd || s.Fitness.Mean != fitness) {
			wrong = append(wrong, fmt.Sprintf("%s: mean_score, sd_score or fitness is not that of its scores", e.Place))
		}
		return none, err
	}, "SELECT "+evaluationColumns+", mean_score, sd_score, fitness FROM evaluations WHERE run_id = ? ORDER BY first_game", run.ID)
	return wrong, err
}

// errOtherBlock: the rows that have a block's numbers are not of the block.
var errOtherBlock = errors.New("the replay asks for another (start another run with -new)")

// Recall implements [experiments.Store].
func (s *Store) Recall(ctx context.Context, run int64,
	blocks ...experiments.Block) (all []experiments.Recalled, err error) {
	err = s.flush()
	for _, b := range blocks {
		var r experiments.Recalled
		if err == nil {
			r, err = s.known(ctx, run, b)
		}
		if err == nil && !r.Recorded {
			r.Games, err = s.playedOf(ctx, run, b)
		}
		if err != nil {
			return nil, explain("read "+blockName(b)+" from", s.path, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// known finds the evaluations of a block: the run's own in their places, the others by their keys,
// its own or another run's that it may take.
func (s *Store) known(ctx context.Context, run int64, b experiments.Block) (r experiments.Recalled, err error) {
	r.Evaluations = map[int]experiments.Evaluation{}
	n := int64(len(b.Seeds))
	complete := func(e experiments.Evaluation) bool { return int64(len(e.Scores)) == n || e.Failure != "" }
	missing := make([]any, len(b.Keys))
	for i, key := range b.Keys {
		missing[i] = key
	}
	for e, err := range each(ctx, s.reader.db, scanEvaluations(),
		"SELECT "+evaluationColumns+" FROM evaluations WHERE run_id = ? AND first_game BETWEEN ? AND ?",
		run, b.First, b.First+int64(b.Games())-1) {
		if err != nil {
			return r, err
		}
		i := (e.Game - b.First) / n
		if e.Game == b.First+i*n && e.Key == b.Keys[i] && complete(e) {
			r.Evaluations[b.Candidates[i]], missing[i] = e, nil
		}
	}
	if r.Recorded = len(r.Evaluations) == len(b.Candidates); r.Recorded {
		return r, nil
	}
	keys, _ := json.Marshal(missing)
	var i int // in the block: candidates that play alike have one key
	for e, err := range each(ctx, s.reader.db, scanEvaluations(&i), `SELECT e.`+strings.ReplaceAll(evaluationColumns, ", ", ", e.")+`, k.key
		FROM json_each(?2) AS k
		CROSS JOIN evaluations AS e ON e.key = k.value
		CROSS JOIN runs AS r ON r.id = e.run_id
		JOIN runs AS o ON o.id = ?1
		WHERE e.run_id = ?1 OR NOT o.own_games_only AND (r.unrepeatable IS NULL AND e.failure IS NULL OR e.run_id IN (
			WITH RECURSIVE chain (id) AS (SELECT o.goes_on_from UNION SELECT c.goes_on_from FROM chain JOIN runs AS c ON c.id = chain.id)
			SELECT id FROM chain WHERE id IS NOT NULL))
		ORDER BY k.key, e.run_id <> ?1`, run, string(keys)) {
		if err != nil {
			return r, err
		}
		if _, found := r.Evaluations[b.Candidates[i]]; !found && complete(e) {
			r.Evaluations[b.Candidates[i]] = e
		}
	}
	return r, nil
}

// playedOf returns the rows of a block's games, by their index in it.
func (s *Store) playedOf(ctx context.Context, run int64, block experiments.Block) (map[int]simulator.Outcome, error) {
	games, err := gameRows(ctx, s.reader.db, run, block.First, block.First+int64(block.Games())-1)
	found := map[int]simulator.Outcome{}
	for _, g := range games {
		index := int(g.Game - block.First)
		want := block.Game(index)
		if want.Outcome = g.Outcome; want != g {
			return nil, fmt.Errorf("it was recorded with game %d as one of candidate %d, seed %d, %s, generation %d: %w",
				index, g.Candidate, g.Seed, g.Search, g.Generation, errOtherBlock)
		}
		found[index] = g.Outcome
	}
	return found, err
}
