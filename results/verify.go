package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		return v, fmt.Errorf("run %s: the files of its bot are not those that played: it has %s, here are %s", run.Name,
			run.Programs, now)
	}
	if c != nil && run.Tuner != experiments.Tuner {
		v.Unverified = append(v.Unverified, "its decisions, for another version of the tuner made them: only its games are "+
			"played again")
		v.games = &Reader{r.path, r.absolute, r.db, r.db}
		for e, err := range evaluations(ctx, r.at, figuredColumns, run.ID, "") {
			if err != nil {
				return v, explain("read", r.path, err)
			}
			v.Evaluations, v.Games = v.Evaluations+1, v.Games+int64(len(e.Scores))
		}
		return v, nil
	}
	v.folder, err = os.MkdirTemp("", "tune-verify-")
	if err != nil {
		return v, fmt.Errorf("make room for a verification: %w", err)
	}
	v.again, err = Open(filepath.Join(v.folder, "run.db"))
	if err != nil {
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
	for _, err := range each(ctx, r.at, scan, "SELECT a.number, max(s.first_game % 50 + a.games) AS asked, m.games, "+
		"m.scores, m.ranks, m.moves, m.nodes FROM asked AS a"+withSlice+
		" WHERE (a.owner_id = ? AND a.number < ? OR a.owner_id = ?) AND m.failure IS NULL "+
		"GROUP BY m.id HAVING m.games > asked",
		v.run.owned.search, v.run.owned.questions, v.run.ID) {
		if err != nil {
			return explain("read", r.path, err)
		}
		if _, _, wrong := parseLists(0, games, texts[:]...); wrong != nil {
			v.differ("evaluation %d: games behind it: %v", number, wrong)
			continue
		}
		changed, err := changes(tx.ExecContext(ctx, `UPDATE asked SET games = ?1 - (SELECT s.first_game % 50 FROM slices AS s
			WHERE s.owner_id = asked.owner_id AND s.number = asked.slice)
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
	err = r.at.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM playing WHERE id BETWEEN ?1 * 50000000000
		AND ?1 * 50000000000 + 49999999999
			OR id BETWEEN ?2 * 50000000000 AND ?2 * 50000000000 + 49999999999),
		(SELECT CAST(total(games) AS INTEGER) FROM memo WHERE id NOT IN (SELECT memo_id FROM asked
		WHERE owner_id IN (SELECT id FROM searches UNION ALL SELECT id FROM endings)))`,
		v.run.owned.search, v.run.ID).Scan(&rows, &nobodys)
	if rows > 0 {
		v.Unverified = append(v.Unverified,
			fmt.Sprintf("%d games of evaluations that have not ended, which the run takes as they are when it goes on", rows))
	}
	if nobodys > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d games of the file that no run asked for, which later runs take "+
			"as "+
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
		err = rows.Scan(&at.Search, &at.Candidate, &n)
		if err == nil {
			games[at] = n
		}
		return at, err
	}, `SELECT s.search, a.candidate_id % 1000000000, sum(a.games) FROM asked AS a
		JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice
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
func (s *replayed) Play(context.Context, simulator.Batch, func(int, simulator.Outcome) error) ([]simulator.Outcome,
	error) {
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
	run.Sizes = s.run.Sizes
	if s.run.Judged {
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
		_, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON; UPDATE endings SET id = ?, search_id = nullif(?, 0)
			WHERE id = ?;
			UPDATE searches SET id = ?, ending_id = ?`, to.ending, to.search, run, to.search, to.ending)
		if err != nil {
			return err
		}
		return h.take(ctx, tx, to.ending)
	})
}

// Judge implements [experiments.Store].
func (s *replayed) Judge(ctx context.Context, run int64, tuned experiments.Length) (experiments.Run, error) {
	tuned.Stopped = s.run.StoppedAfter > 0
	if !s.run.Judged {
		return experiments.Run{}, fmt.Errorf("the end of its tuning: %w", errLacking)
	}
	taken, err := s.Store.Judge(ctx, run, tuned)
	taken.Sizes = s.run.Sizes
	return taken, err
}

// Known implements [experiments.Store].
func (s *replayed) Known(ctx context.Context, run int64, questions []experiments.Question) ([]experiments.Known,
	error) {
	first := questions[0].Place
	s.reached = first.Phase
	if first.Stage != "" {
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
			return nil, fmt.Errorf("evaluation %d: it is recorded as %d games from %d on, of %s, key %x; its decisions ask "+
				"for %d from %d on, of %s, key %x",
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
func recordedOf(ctx context.Context, q querier, o owned,
	questions []experiments.Question) (map[int]experiments.Evaluation, error) {
	numbers := make([]int, len(questions))
	for i := range questions {
		numbers[i] = questions[i].Number
	}
	slices.Sort(numbers)
	list, _ := json.Marshal(numbers)
	found := map[int]experiments.Evaluation{}
	for e, err := range each(ctx, q, scanEvaluations(detailedColumns), "SELECT "+detailedColumns+
		" FROM json_each(?1) AS k CROSS JOIN asked AS a"+
		" ON a.owner_id = iif(k.value < ?2, ?3, ?4) AND a.number = k.value"+withSlice, string(list), o.questions, o.search,
		o.ending) {
		if err != nil {
			return nil, err
		}
		found[e.Number] = e
	}
	return found, nil
}

// together is how many evaluations are played again at once.
const together = 100

// Play plays evaluations again, chosen by a seed, until there are as many games as wanted, and
// compares them. most below 0 means all. observe gets the result so far, for each game.
func (v *Redone) Play(ctx context.Context, play experiments.Simulator, most int64, seed uint64,
	observe func(Verified)) error {
	all := v.Games + v.Unasked
	v.Planned = all
	if most >= 0 {
		v.Planned = min(most, all)
	}
	failed := map[int]bool{} // evaluations, by number: their games do not count
	lab := experiments.Lab{Simulator: play, Objective: v.run.Objective,
		Played: func(_ context.Context, g experiments.Game) error {
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
		left -= n
		if !take && left >= wanted { // the rest is enough
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
		v.Unverified = append(v.Unverified, fmt.Sprintf("the nodes of %d of the games played again: another version of "+
			"tune counts others", v.counted))
	}
	if v.silent > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d evaluations that the bot's timeout ended: here the bot may be "+
			"faster or slower", v.silent))
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
			texts = append(texts, fmt.Sprintf("game %d is stored with score %v, %d moves and the largest tile %d, found %v, "+
				"%d, %d", stored.First+i,
				stored.Scores[i], was.Moves, 1<<was.Rank, found.Scores[i], is.Moves, 1<<is.Rank))
		} else if was.Nodes != is.Nodes {
			v.counted++
		}
	}
	if bot.Silent(stored.Fault()) || bot.Silent(found.Fault()) { // which is nobody's lie
		v.silent++
	} else if stored.Fault() != found.Fault() {
		texts = append(texts, fmt.Sprintf("failure stored %s, found %s", cmp.Or(stored.Fault(), "none"),
			cmp.Or(found.Fault(), "none")))
	}
	if texts == nil {
		return
	}
	v.differ("evaluation %d, %s: %s", stored.Number, stored.Place, strings.Join(texts, ", "))
	v.False = append(v.False, hex.EncodeToString([]byte(stored.Key)))
}
