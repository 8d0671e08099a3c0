package results

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// A verification carries a run out again into an empty database. The memo answers as it is stored,
// so a false score does not send the replay elsewhere: it is found when its game is played again.
// All that follows from the games is made again, written and compared, row by row.

// Redone is a run that was carried out again, see [Reader.Redo]. Close it.
type Redone struct {
	Verified
	run     Run
	config  *config.Config // of an experiment, or
	contest *config.Contest
	again   *Store
	folder  string
	games   *Reader // of the evaluations that are played again
	silent  int     // evaluations, played again, that a bot's timeout ended
	counted int     // games, played again, that differ in their nodes alone: see simulator.Costs
}

// Verified is the result of a verification.
type Verified struct {
	Decisions   bool     `json:"decisions"`       // whether they were made again
	Evaluations int      `json:"evaluations"`     // of the run
	Games       int64    `json:"games"`           // of these
	Unasked     int64    `json:"unasked"`         // games in the same rows of the memo that the run did not ask for
	Planned     int64    `json:"planned"`         // games that are played again
	Played      int64    `json:"played"`          // of those, so far
	Replayed    int      `json:"replayed"`        // evaluations that were played again as a whole
	Differences []string `json:"differences"`     // in words
	Unverified  []string `json:"unverified"`      // facts that were not checked, in words
	False       []string `json:"false,omitempty"` // keys of the games that are not as stored
}

func (v *Verified) differ(format string, args ...any) {
	v.Differences = append(v.Differences, fmt.Sprintf(format, args...))
}

// Redo carries a run out again, of an experiment by its config, or else of a comparison. It plays
// nothing. r should be a moment of the database: see [Reader.Moment].
func (r *Reader) Redo(ctx context.Context, run Run, c *config.Config, contest *config.Contest) (v *Redone, err error) {
	v = &Redone{run: run, config: c, contest: contest}
	v.Differences, v.Unverified = []string{}, []string{}
	if now, err := experiments.Programs(experiments.Players(c, contest)...); err != nil {
		return v, err
	} else if now != run.Programs {
		return v, fmt.Errorf("run %s: the files of its bot are not those that played: it has %s, here are %s", run.Name, run.Programs, now)
	}
	if c != nil && run.Tuner != experiments.Tuner {
		v.Unverified = append(v.Unverified, "its decisions, for another version of the tuner made them: only its games are played again")
		v.games = &Reader{r.path, r.absolute, r.db, r.db}
		for e, err := range evaluations(ctx, r.at, figuredColumns, run.ID, "") {
			if err != nil {
				return v, explain("read", r.path, err)
			}
			v.Evaluations, v.Games = v.Evaluations+1, v.Games+int64(len(e.Scores))
		}
		return v, nil
	}
	if v.folder, err = os.MkdirTemp("", "tune-verify-"); err != nil {
		return v, fmt.Errorf("make room for a verification: %w", err)
	}
	if v.again, err = Open(filepath.Join(v.folder, "run.db")); err != nil {
		return v, err
	}
	v.games, v.Decisions = v.again.reader, true
	if _, err := v.again.writer.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil { // nobody needs the file after a crash
		return v, explain("make room in", v.again.path, err)
	}
	replay := &replayed{Store: v.again, from: r, run: run}
	if c != nil {
		_, err = experiments.Experiment{Config: c, Store: replay, Simulator: replay}.Run(ctx)
	} else {
		err = v.repeat(ctx, r, replay)
	}
	ended := err == nil
	switch unfinished := errors.Is(err, errLacking) && run.Status != experiments.Finished; {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case unfinished:
		v.Unverified = append(v.Unverified, "the run has not ended: its decisions were checked up to "+replay.reached)
	case err != nil:
		v.differ("%s: %v", cmp.Or(replay.reached, "the beginning"), err)
	}
	if err := v.compare(ctx, r, ended); err != nil {
		return v, err
	}
	return v, v.addUnasked(ctx, r)
}

// addUnasked adds the games of the memo that no decision of the run needs. Later runs get them.
// Those in the run's rows can be played again, so the last evaluation of each row gets them. Of a
// row that no run asked for nobody knows who played.
func (v *Redone) addUnasked(ctx context.Context, r *Reader) error {
	tx, err := v.again.writer.BeginTx(ctx, nil)
	if err != nil {
		return explain("write", v.again.path, err)
	}
	defer tx.Rollback()
	var number, asked, games int
	var texts [4]string
	scan := func(rows *sql.Rows) (none struct{}, err error) {
		return none, rows.Scan(&number, &asked, &games, &texts[0], &texts[1], &texts[2], &texts[3])
	}
	for _, err := range each(ctx, r.at, scan, "SELECT a.number, max(s.first_game % 50 + a.games) AS asked, m.games, m.scores, m.ranks, m.moves, m.nodes FROM asked AS a"+withSlice+
		" WHERE (a.owner_id = ? AND a.number < ? OR a.owner_id = ?) AND m.failure IS NULL GROUP BY m.id HAVING m.games > asked",
		v.run.owned.search, v.run.owned.questions, v.run.ID) {
		if err != nil {
			return explain("read", r.path, err)
		}
		if _, _, wrong := parseLists(0, games, texts[:]...); wrong != nil {
			v.differ("evaluation %d: games behind it: %v", number, wrong)
			continue
		}
		changed, err := changes(tx.ExecContext(ctx, `UPDATE asked SET games = ?1 - (SELECT s.first_game % 50 FROM slices AS s WHERE s.owner_id = asked.owner_id AND s.number = asked.slice)
			WHERE number = ?2`, games, number)) // of one run
		if err == nil && changed {
			v.Unasked += int64(games - asked)
			_, err = tx.ExecContext(ctx, `UPDATE memo SET games = ?, scores = ?, ranks = ?, moves = ?, nodes = ?
				WHERE id = (SELECT memo_id FROM asked WHERE number = ?)`, games, texts[0], texts[1], texts[2], texts[3], number)
		}
		if err != nil {
			return explain("write", v.again.path, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return explain("write", v.again.path, err)
	}
	var rows, nobodys int64
	err = r.at.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM playing WHERE id BETWEEN ?1 * 50000000000 AND ?1 * 50000000000 + 49999999999
			OR id BETWEEN ?2 * 50000000000 AND ?2 * 50000000000 + 49999999999),
		(SELECT CAST(total(games) AS INTEGER) FROM memo WHERE id NOT IN (SELECT memo_id FROM asked WHERE owner_id IN (SELECT id FROM searches UNION ALL SELECT id FROM endings)))`,
		v.run.owned.search, v.run.ID).Scan(&rows, &nobodys)
	if rows > 0 {
		v.Unverified = append(v.Unverified,
			fmt.Sprintf("%d games of evaluations that have not ended, which the run takes as they are when it goes on", rows))
	}
	if nobodys > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d games of the file that no run asked for, which later runs take as "+
			"they are (tune import FILE leaves them behind)", nobodys))
	}
	return explain("read", r.path, err)
}

// Close removes what the verification has written.
func (v *Redone) Close() error {
	var err error
	if v.again != nil {
		err = v.again.Close()
	}
	return errors.Join(err, os.RemoveAll(v.folder))
}

// repeat makes the figures of a comparison again.
func (v *Redone) repeat(ctx context.Context, r *Reader, replay *replayed) error {
	made, err := comparisons(ctx, r.at, v.run.ID)
	if err != nil {
		return err
	}
	games := map[experiments.Place]int{}
	_, err = readAll(ctx, r, "evaluations", func(rows *sql.Rows) (at experiments.Place, err error) {
		n := 0
		if err = rows.Scan(&at.Search, &at.Candidate, &n); err == nil {
			games[at] = n
		}
		return at, err
	}, `SELECT s.search, a.candidate_id % 1000000000, sum(a.games) FROM asked AS a JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice
		WHERE a.owner_id = ? GROUP BY 1, 2`, v.run.ID)
	if err != nil {
		return err
	}
	return experiments.Contest{Store: replay, Simulator: replay, Config: v.contest}.Repeat(ctx, games, made)
}

// replayed is the store of a run that is carried out again: it knows what the run has recorded, and
// writes into an empty database. As a simulator it plays nothing.
type replayed struct {
	*Store
	from    *Reader
	run     Run
	reached string // where the last questions stood
	lacking string // the first of them that is not recorded
}

// errLacking: the run has not recorded what its decisions ask for.
var errLacking = errors.New("its games are missing")

// Play implements [experiments.Simulator].
func (s *replayed) Play(context.Context, simulator.Batch, func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return nil, fmt.Errorf("%s: %w", s.lacking, errLacking)
}

// Begin implements [experiments.Store].
func (s *replayed) Begin(ctx context.Context, spec experiments.RunSpec) (experiments.Run, error) {
	if c, _, err := s.run.Configs(); err != nil {
		return experiments.Run{}, err
	} else if c != nil { // with the bot's timeout of the run, not with one of -config
		spec.ConfigYAML = string(c.YAML())
	}
	run, err := s.Store.Begin(ctx, spec)
	if err == nil {
		run.ID, err = s.run.ID, s.Store.renumber(ctx, run.ID, s.run.owned)
	}
	if run.Sizes = s.run.Sizes; s.run.Judged {
		run.Generations = s.run.Generations
	}
	return run, err
}

// renumber gives a run that has nothing yet the ids of another one.
func (s *Store) renumber(ctx context.Context, run int64, to owned) error {
	h := s.begun[run]
	delete(s.begun, run)
	s.begun[to.ending] = h
	return s.commit(ctx, "number a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON; UPDATE endings SET id = ?, search_id = nullif(?, 0) WHERE id = ?;
			UPDATE searches SET id = ?, ending_id = ?`, to.ending, to.search, run, to.search, to.ending)
		if err != nil {
			return err
		}
		return h.take(ctx, tx, to.ending)
	})
}

// Judge implements [experiments.Store].
func (s *replayed) Judge(ctx context.Context, run int64, tuned experiments.Length) (experiments.Run, error) {
	if tuned.Stopped = s.run.StoppedAfter > 0; !s.run.Judged {
		return experiments.Run{}, fmt.Errorf("the end of its tuning: %w", errLacking)
	}
	taken, err := s.Store.Judge(ctx, run, tuned)
	taken.Sizes = s.run.Sizes
	return taken, err
}

// Known implements [experiments.Store].
func (s *replayed) Known(ctx context.Context, run int64, questions []experiments.Question) ([]experiments.Known, error) {
	first := questions[0].Place
	if s.reached = first.Phase; first.Stage != "" {
		s.reached += fmt.Sprintf(" %s, generation %d", first.Stage, first.Generation)
	}
	all := make([]experiments.Known, len(questions))
	recorded, err := recordedOf(ctx, s.from.at, s.run.owned, questions)
	if err != nil {
		return nil, err
	}
	lost := map[int]bool{} // candidates
	s.lacking = ""
	for i, q := range questions {
		e, known := recorded[q.Number]
		switch {
		case lost[q.Candidate]: // it has no evaluation behind its failure
			continue
		case !known:
			// A run records a block in parts: those before this one are carried out.
			s.lacking = cmp.Or(s.lacking, fmt.Sprintf("evaluation %d, %s", q.Number, q.Place))
			continue
		case e.Place != q.Place || e.Key != q.Key || e.First != q.First ||
			len(e.Scores) != q.Games && e.Failure == "" && !(q.Phase == experiments.PhaseComparison && len(e.Scores) > q.Games): // by another question
			return nil, fmt.Errorf("evaluation %d: it is recorded as %d games from %d on, of %s, key %x; its decisions ask for %d from %d on, of %s, key %x",
				q.Number, len(e.Scores), e.First, e.Place, e.Key, q.Games, q.First, q.Place, q.Key)
		}
		all[i].Failure, all[i].Outcomes = e.Failure, map[int]simulator.Outcome{}
		lost[q.Candidate] = e.Failure != ""
		for game := range min(q.Games, len(e.Scores)) {
			all[i].Outcomes[game] = outcomeAt(e, game)
		}
	}
	return all, nil
}

// recordedOf reads what a run has recorded for questions, by number.
func recordedOf(ctx context.Context, q querier, o owned, questions []experiments.Question) (map[int]experiments.Evaluation, error) {
	numbers := make([]int, len(questions))
	for i := range questions {
		numbers[i] = questions[i].Number
	}
	slices.Sort(numbers)
	list, _ := json.Marshal(numbers)
	found := map[int]experiments.Evaluation{}
	for e, err := range each(ctx, q, scanEvaluations(detailedColumns), "SELECT "+detailedColumns+" FROM json_each(?1) AS k CROSS JOIN asked AS a"+
		" ON a.owner_id = iif(k.value < ?2, ?3, ?4) AND a.number = k.value"+withSlice, string(list), o.questions, o.search, o.ending) {
		if err != nil {
			return nil, err
		}
		found[e.Number] = e
	}
	return found, nil
}

// madeRows are rows of an owner that follow from its games: the first columns name a row.
type madeRows struct {
	table string
	key   int // columns
	query string
	of    func(o owned) (search int) // the limit of numbers of a search's rows; nil: an ending has them
}

func candidatesOfSearch(o owned) int { return o.candidates }
func questionsOfSearch(o owned) int  { return o.questions }

// verified are the rows that a verification makes again, sorted by their keys. Times, and who
// played, are not among them.
var verified = []madeRows{
	{"endings", 1, `SELECT id, search_id, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature, tuner, programs,
		coalesce(unrepeatable, (SELECT s.unrepeatable FROM searches AS s WHERE s.id = search_id)) AS unrepeatable, generations, candidates, questions
		, error, figured_games, figured, sizes, champion_id, held_out_salt FROM endings WHERE id = ?`, nil},
	{"searches", 1, "SELECT k.key AS part, k.value AS sizes FROM searches AS s, json_each(s.sizes) AS k WHERE s.id = ?1 ORDER BY k.key", questionsOfSearch},
	{"candidates", 1, "SELECT number, id, run_id, generation, stage, origin, name, dead, play, weights, coalesce(names, " + fmt.Sprintf(namesOfFirst, "c.run_id") +
		") AS names FROM candidates AS c WHERE id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + ?2 - 1 ORDER BY id", candidatesOfSearch},
	{"slices", 6, "SELECT phase, stage, search, generation, round, first_game, seeds FROM slices WHERE owner_id = ?1 AND number < ?2 ORDER BY phase, stage, search, generation, round, first_game", questionsOfSearch},
	{"evaluations", 1, `SELECT a.number, s.phase, s.stage, s.search, s.generation, s.round, a.candidate_id, s.first_game, a.games, a.mean_score, a.sd_score,
		a.fitness, a.moves, a.nodes, hex(m.key) AS key, substr(m.failure, 1, instr(m.failure || char(10), char(10)) - 1) AS failure,
		json_array_length(m.scores) = m.games AND json_array_length(m.ranks) = m.games AND json_array_length(m.moves) = m.games AND json_array_length(m.nodes) = m.games AS whole,
		coalesce(a.phase, 'tuning') AS asked_phase
		FROM asked AS a LEFT JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice LEFT JOIN memo AS m ON m.id = a.memo_id
		WHERE a.owner_id = ?1 AND a.number < ?2 ORDER BY a.number`, questionsOfSearch},
	{"comparisons", 5, "SELECT phase, search, candidate_id, baseline_id, look, run_id, " + comparisonColumns + " FROM comparisons WHERE ending_id = ? ORDER BY phase, search, candidate_id, baseline_id, look", nil},
}

// compare compares what was made again with what is stored.
func (v *Redone) compare(ctx context.Context, r *Reader, ended bool) error {
	err := v.again.writer.QueryRowContext(ctx, "SELECT count(*), total(games) FROM asked").Scan(&v.Evaluations, &v.Games)
	if err != nil {
		return explain("read", v.again.path, err)
	}
	lists := verified
	finished := v.run.Status == experiments.Finished
	longer := 0 // generations that the search has beyond this ending
	if finished && ended {
		err := r.at.QueryRowContext(ctx, "SELECT count(*) FROM generations WHERE run_id = ? AND position >= ?", v.run.owned.search, v.run.Generations).Scan(&longer)
		if err != nil {
			return explain("read", r.path, err)
		}
		for _, f := range figureTables {
			list := madeRows{f.name, 1, "SELECT position, " + f.columns + " FROM " + f.name + " WHERE run_id = RUN AND owner_id = ?1 ORDER BY position", questionsOfSearch}
			list.query = strings.Replace(list.query, "RUN", fmt.Sprint(v.run.owned.run()), 1)
			if f.name == "generations" {
				list.query = strings.Replace(list.query, " ORDER", fmt.Sprintf(" AND position < %d ORDER", v.run.Generations), 1)
			} else if longer > 0 {
				list.of = nil
			}
			lists = append(slices.Clip(lists), list)
		}
		if longer > 0 {
			v.Unverified = append(v.Unverified, fmt.Sprintf("the figures of the %d generations that the search has beyond this ending", longer))
		}
	} else if !finished {
		v.Unverified = append(v.Unverified, "the tables standings, generations and tiles, which may be older than the run's games until it is finished")
	}
	var candidates, evaluations int64 // of the search, of no decision of this ending
	err = r.at.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM candidates WHERE id >= ?1 * 1000000000 + ?2 AND id < (?1 + 1) * 1000000000),
		(SELECT count(*) FROM asked WHERE owner_id = ?1 AND number >= ?3)`, v.run.owned.search, v.run.owned.candidates, v.run.owned.questions).Scan(&candidates, &evaluations)
	if err != nil {
		return explain("read", r.path, err)
	}
	if candidates > 0 || evaluations > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d candidates and %d evaluations that the search has beyond this ending", candidates, evaluations))
	}
	var lastPhase string
	var lastCandidate int64 // that is recorded, or played
	owners := "(?1, ?2)"
	if v.run.Judged {
		owners = "(?1)"
	}
	err = r.at.QueryRowContext(ctx, strings.ReplaceAll(`SELECT coalesce((SELECT coalesce(phase, 'tuning') FROM asked WHERE owner_id IN OWNERS ORDER BY number DESC LIMIT 1), ''),
		max((SELECT coalesce(max(number), -1) FROM candidates WHERE id / 1000000000 IN OWNERS),
			(SELECT coalesce(max(g.candidate_id % 1000000000), -1) FROM playing AS g WHERE g.id / 50000000000 IN OWNERS AND EXISTS (SELECT 1 FROM asked WHERE owner_id IN OWNERS)),
			(SELECT coalesce(max(candidate_id % 1000000000), -1) FROM asked WHERE owner_id IN OWNERS))`, "OWNERS", owners), v.run.ID, v.run.owned.search).Scan(&lastPhase, &lastCandidate)
	if err != nil {
		return explain("read", r.path, err)
	}
	unsized := !finished // a run of a file of version 4 has none
	if finished {
		err := r.at.QueryRowContext(ctx, "SELECT sizes IS NULL AND kind = ? FROM endings WHERE id = ?", experiments.KindTune, v.run.ID).Scan(&unsized)
		if err != nil {
			return explain("read", r.path, err)
		}
	}
	if unsized {
		v.Unverified = append(v.Unverified, "the games that -for left each part of the run")
	}
	v.addClock()
	if !finished && v.run.Fingerprint != "" { // else false figures would hide behind it
		v.differ("endings %d: it is %s, and has the fingerprint of a finished one", v.run.ID, v.run.Status)
	}
	// A process may have ended between the last games of a phase and the decision by them, or
	// before it recorded the next candidates.
	mayLack := func(table string, row []any) bool {
		switch table {
		case "comparisons":
			return !finished && row[0] == lastPhase
		case "candidates":
			return !finished && row[0].(int64) > lastCandidate
		}
		return false
	}
	for _, list := range lists {
		if !finished || !ended { // why it stopped, and how new its figures are, follows from nothing
			list.query = strings.Replace(list.query, ", error, figured_games, figured", "", 1)
		}
		if !finished && v.run.Champion < 0 && lastPhase == experiments.PhasePlayoff {
			list.query = strings.Replace(list.query, ", champion_id, held_out_salt", "", 1)
		}
		if unsized {
			list.query = strings.Replace(list.query, ", sizes", "", 1)
		}
		if v.run.owned.search != 0 && list.of != nil {
			if err := v.compareRows(ctx, r.at, list, mayLack, v.run.owned.search, list.of(v.run.owned), longer > 0); err != nil {
				return err
			}
		}
		if list.of == nil || v.run.Judged || v.run.owned.search == 0 {
			most := 0
			if list.of != nil {
				most = list.of(owned{candidates: candidatesPerOwner, questions: math.MaxInt})
			}
			if err := v.compareRows(ctx, r.at, list, mayLack, v.run.ID, most, longer > 0); err != nil {
				return err
			}
		}
	}
	if v.run.StoppedAfter != 0 { // the tuning was carried out again so far
		generations := 0
		if err := v.again.writer.QueryRowContext(ctx, "SELECT count(*) FROM generations").Scan(&generations); err != nil {
			return explain("read", v.again.path, err)
		}
		if generations != v.run.StoppedAfter {
			v.differ("endings %d: stopped_after is stored as %d, found %d", v.run.ID, v.run.StoppedAfter, generations)
		}
	}
	if print := ""; finished && ended && v.run.Unrepeatable == "" {
		if print, err = fingerprint(ctx, v.again.reader.db, v.run.ID); err == nil && print != v.run.Fingerprint {
			v.differ("fingerprint: the run finished with %.12s, its content has %.12s", v.run.Fingerprint, print)
		}
	}
	return err
}

// addClock names what a clock decided, or another version's counts of nodes: nobody can check it
// here.
func (v *Redone) addClock() {
	if n := v.run.StoppedAfter; n != 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("that -for had to end the tuning after %d generations: a clock decided it", n))
	}
	sizes := slices.Collect(maps.Values(v.run.Sizes))
	if slices.ContainsFunc(sizes, func(s experiments.Size) bool { return s.Costs != "" && s.Costs != simulator.Costs }) {
		v.Unverified = append(v.Unverified, "how many games followed the tuning: another version of tune, which counts other nodes, decided it")
	}
	if slices.ContainsFunc(sizes, func(s experiments.Size) bool { return s.Played < s.Planned }) {
		v.Unverified = append(v.Unverified, "how many games -for left each part: a clock decided it")
	}
}

// mostDifferences is how many differences of a table are told.
const mostDifferences = 20

// compareRows compares the rows of a table.
func (v *Redone) compareRows(ctx context.Context, stored querier, list madeRows, mayLack func(table string, row []any) bool, owner int64, last int, longer bool) error {
	var columns []string
	scan := func(rows *sql.Rows) ([]any, error) {
		columns, _ = rows.Columns()
		return scanRow(rows)
	}
	told := 0
	tell := func(row []any, text string) {
		if told++; told <= mostDifferences {
			var key []string
			for _, value := range row[:list.key] {
				key = append(key, shown(value))
			}
			v.differ("%s %s: %s", list.table, strings.Join(key, " "), text)
		}
	}
	nextStored, stop := iter.Pull2(each(ctx, stored, scan, list.query, owner, last))
	defer stop()
	nextMade, stop := iter.Pull2(each(ctx, v.again.reader.db, scan, list.query, owner, last))
	defer stop()
	was, err, moreStored := nextStored()
	made, wrong, moreMade := nextMade()
	for moreStored || moreMade {
		if err = cmp.Or(err, wrong); err != nil {
			return explain("verify", v.run.Name+": the table "+list.table, err)
		}
		order := 0
		switch { // both come in the order of their keys
		case !moreMade:
			order = -1
		case !moreStored:
			order = 1
		default:
			order = slices.CompareFunc(was[:list.key], made[:list.key], compareValues)
		}
		switch {
		case order < 0 && list.table == "searches" && longer: // of generations beyond this ending
		case order < 0:
			tell(was, "no decision of the run makes this row")
		case order > 0 && !mayLack(list.table, made):
			tell(made, "it is missing")
		case order == 0:
			for i := range columns {
				if !reflect.DeepEqual(was[i], made[i]) {
					tell(was, fmt.Sprintf("%s is stored as %s, found %s", columns[i], shown(was[i]), shown(made[i])))
					break
				}
			}
		}
		if order <= 0 {
			was, err, moreStored = nextStored()
		}
		if order >= 0 {
			made, wrong, moreMade = nextMade()
		}
	}
	if told > mostDifferences {
		v.differ("%s: %d other rows differ", list.table, told-mostDifferences)
	}
	return nil
}

// shown is a value for a message.
func shown(v any) string {
	if text, isText := v.(string); isText {
		v = text[:min(len(text), 200)]
	}
	return fmt.Sprintf("%.200s", fmt.Sprint(v))
}

// compareValues compares two values of a column as SQLite sorts them: NULL, numbers, texts, blobs.
func compareValues(a, b any) int {
	class := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case int64, float64:
			return 1
		case string:
			return 2
		}
		return 3
	}
	number := func(v any) float64 {
		if n, whole := v.(int64); whole {
			return float64(n)
		}
		return v.(float64)
	}
	if order := cmp.Compare(class(a), class(b)); order != 0 {
		return order
	}
	switch a := a.(type) {
	case nil:
		return 0
	case string:
		return cmp.Compare(a, b.(string))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	case int64:
		if b, whole := b.(int64); whole {
			return cmp.Compare(a, b)
		}
	}
	return cmp.Compare(number(a), number(b))
}

// together is how many evaluations are played again at once.
const together = 100

// Play plays evaluations again, chosen by a seed, until there are as many games as wanted, and
// compares them. most below 0 means all. observe gets the result so far, for each game.
func (v *Redone) Play(ctx context.Context, play experiments.Simulator, most int64, seed uint64, observe func(Verified)) error {
	all := v.Games + v.Unasked
	if v.Planned = all; most >= 0 {
		v.Planned = min(most, all)
	}
	failed := map[int]bool{} // evaluations, by number: their games do not count
	lab := experiments.Lab{Simulator: play, Objective: v.run.Objective, Played: func(_ context.Context, g experiments.Game) error {
		if !failed[g.Number] {
			v.Played++
		}
		observe(v.Verified)
		return nil
	}}
	var chosen []experiments.Evaluation
	var asked []experiments.Question
	flush := func() error {
		found, err := lab.Ask(ctx, asked, nil)
		for i, e := range found {
			v.noteGames(chosen[i], e)
		}
		chosen, asked = chosen[:0], asked[:0]
		clear(failed)
		return err
	}
	random := rand.New(rand.NewPCG(seed, portable.Hash(seed, "verify")))
	left, wanted := all, v.Planned
	// Selection sampling (D. E. Knuth, The Art of Computer Programming 2, algorithm S).
	for e, err := range evaluations(ctx, v.games.db, detailedColumns, v.run.ID, "") {
		if err != nil {
			return explain("read", v.games.path, err)
		}
		n := int64(len(e.Scores))
		take := most < 0 || float64(random.Float64()*float64(max(left, 1))) < float64(wanted)
		if left -= n; !take && left >= wanted { // the rest is enough
			continue
		}
		wanted -= n
		q, err := v.question(ctx, e)
		if err != nil {
			return err
		}
		failed[e.Number] = e.Failure != ""
		chosen, asked = append(chosen, e), append(asked, q)
		if len(asked) == together {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if v.counted > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("the nodes of %d of the games played again: another version of tune counts others", v.counted))
	}
	if v.silent > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d evaluations that the bot's timeout ended: here the bot may be faster or slower", v.silent))
	}
	return nil
}

// question asks for the games of an evaluation again.
func (v *Redone) question(ctx context.Context, e experiments.Evaluation) (q experiments.Question, err error) {
	player, search, err := v.games.playerAt(ctx, v.run.ID, v.config, v.contest, e.Place)
	if err != nil {
		return q, err
	}
	games := len(e.Scores)
	if e.Failure != "" { // it was asked for no more
		games = sliceGames - e.First%sliceGames
	}
	q = experiments.NewQuestion(player, search, e.Stream(v.run.Seed, v.run.HeldOutSalt), e.First, games)
	q.Place, q.Number = e.Place, e.Number
	return q, nil
}

// noteGames notes where the games of an evaluation, played again, differ.
func (v *Redone) noteGames(stored, found experiments.Evaluation) {
	v.Replayed++
	var texts []string
	for i := range min(len(stored.Scores), len(found.Scores)) {
		was, is := stored.Each[i], found.Each[i]
		if stored.Scores[i] != found.Scores[i] || was.Moves != is.Moves || was.Rank != is.Rank {
			texts = append(texts, fmt.Sprintf("game %d is stored with score %v, %d moves and the largest tile %d, found %v, %d, %d", stored.First+i,
				stored.Scores[i], was.Moves, 1<<was.Rank, found.Scores[i], is.Moves, 1<<is.Rank))
		} else if was.Nodes != is.Nodes {
			v.counted++
		}
	}
	if bot.Silent(stored.Fault()) || bot.Silent(found.Fault()) { // which is nobody's lie
		v.silent++
	} else if stored.Fault() != found.Fault() {
		texts = append(texts, fmt.Sprintf("failure stored %s, found %s", cmp.Or(stored.Fault(), "none"), cmp.Or(found.Fault(), "none")))
	}
	if texts == nil {
		return
	}
	v.differ("evaluation %d, %s: %s", stored.Number, stored.Place, strings.Join(texts, ", "))
	v.False = append(v.False, hex.EncodeToString([]byte(stored.Key)))
}
