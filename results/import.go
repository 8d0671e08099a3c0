package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Imported is a run that was taken over from another file, by its names there and here.
type Imported struct{ From, To string }

// coming is an ending that comes, or one whose search does.
type coming struct {
	from         string
	search, here int64 // the search there, the ending here
}

// notImported says why a file is not taken over. The remedies of -db are for the file that a
// command works on.
func notImported(path string, err error) error {
	var s sqlite3.Error
	errors.As(err, &s)
	why := ""
	switch {
	case errors.Is(err, ErrDamaged):
		return &plainly{fmt.Sprintf("cannot import %s: it is damaged, or cut off (copy it again; `sqlite3 %s .recover` "+
			"prints what can be saved)",
			path, ShellWord(path)), err}
	case errors.Is(err, errEmpty):
		why = "it is empty"
	case s.Code == sqlite3.ErrNotADB && !isCompressed(path) || errors.Is(err, errOtherContents):
		why = "tune did not write it"
	default:
		return err
	}
	text := fmt.Sprintf("cannot import %s: %s (tune import wants a database that tune wrote: tune import OTHER.db)", path,
		why)
	return wrongInput{&plainly{text, err}}
}

// Import takes over the runs of another file, with the games that they asked for: nobody can verify
// others. A run that is here already is left out: finished with the same results, or as far as an
// unfinished one. If its search comes with more generations, it is named as the run here. One whose
// name is taken gets a number. One that a process works on here does not come: the error names it,
// and wraps ErrBusy. All others come. The runs of this file take games from the other file as from
// their own. Games of a run that cannot be verified serve that run alone.
func (s *Store) Import(ctx context.Context, path string) (all []Imported, err error) {
	const operation = "import into"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, wrongInput{fmt.Errorf("cannot %s %s: there is no file %s", operation, s.path, path)}
	}
	other, err := OpenReader(path) // which takes an older file over
	if err != nil {
		return nil, notImported(path, err)
	}
	defer other.Close()
	if file, err := os.Stat(other.absolute); err == nil && os.SameFile(file, s.file) {
		return nil, wrongInput{fmt.Errorf("cannot %s %s: %s is the same file", operation, s.path, path)}
	}
	if err := other.CheckFile(ctx); err != nil {
		return nil, notImported(path, err)
	}
	runs, err := other.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var new, grown []coming // grown: only the search has more there
	var busy []error
	source := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(other.absolute)}).EscapedPath(),
		RawQuery: "mode=ro"}).String()
	if _, err := s.writer.ExecContext(ctx, "ATTACH ? AS other", source); err != nil {
		return nil, explain(operation, s.path, err)
	}
	err = s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx,
			"CREATE TEMP TABLE taken (old INTEGER PRIMARY KEY, new INTEGER, own INTEGER)"); err != nil {
			return err
		}
		slices.Reverse(runs)     // the oldest first
		held := map[int64]bool{} // searches
		for _, run := range runs {
			if held[run.owned.run()] {
				continue
			}
			to, here, err := s.importRun(ctx, tx, run)
			if errors.Is(err, experiments.ErrBusy) {
				held[run.owned.run()] = true
				busy = append(busy, fmt.Errorf("run %s does not come: %w (wait for it or stop it, and import again)", run.Name,
					err))
				continue
			}
			if err != nil {
				return fmt.Errorf("run %s: %w", run.Name, err)
			}
			if to != 0 {
				new = append(new, coming{run.Name, run.owned.run(), to})
			} else if here != 0 {
				grown = append(grown, coming{run.Name, run.owned.run(), here})
			}
		}
		for _, g := range grown {
			if !slices.ContainsFunc(new, func(n coming) bool { return n.search == g.search }) {
				new = append(new, g)
			}
		}
		text, err := fillImport(ctx, tx, importSQL)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
		searches, err := collect(ctx, tx, scanID, "SELECT DISTINCT search_id FROM endings "+
			"WHERE search_id IN (SELECT new FROM taken)")
		for _, id := range searches {
			err = errors.Join(err, showLongest(ctx, tx, id))
		}
		for _, n := range new {
			to := ""
			if err == nil {
				err = tx.QueryRowContext(ctx, "SELECT "+endingName+
					" FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id WHERE e.id = ?", n.here).Scan(&to)
			}
			all = append(all, Imported{n.from, to})
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, "DROP TABLE taken")
		}
		return err
	})
	_, detached := s.writer.ExecContext(context.WithoutCancel(ctx), "DETACH other")
	err = errors.Join(err, explain(operation, s.path, detached))
	if err != nil {
		return nil, err
	}
	return all, errors.Join(busy...)
}

// importRun adds the row of an ending, and of its search, unless they are here. It returns the new
// id, or 0. If the ending is here and its search has more there, it returns the id here.
func (s *Store) importRun(ctx context.Context, tx *sql.Tx, run Run) (to, here int64, err error) {
	known, own := false, !run.repeatable()
	const identity = "e.base_name = ? AND e.tuning = ? AND e.kind = ? AND e.signature = ? AND e.tuner = ? AND " +
		"coalesce(e.programs, '') = ?"
	of := []any{run.BaseName, run.Tuning, run.Kind, run.Signature, run.Tuner, run.Programs}
	if run.Kind.HasPlayers() {
		err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM endings AS e WHERE "+identity+` AND e.config_hash = ?
			AND iif(?, e.fingerprint = ?,
			(SELECT total(games) FROM asked WHERE owner_id = e.id) >= ?))`,
			append(of, run.ConfigHash, run.Status == experiments.Finished, run.Fingerprint, run.Games)...).Scan(&known)
		if err != nil || known {
			return 0, 0, err
		}
		name, err := freeName(ctx, tx, run.Root)
		if err != nil {
			return 0, 0, err
		}
		to, err = importEnding(ctx, tx, run, nil, name, own)
		return to, 0, err
	}
	var search int64
	longer := false // the search has more than the one here
	err = tx.QueryRowContext(ctx, "SELECT coalesce((SELECT new FROM taken WHERE old = ?), 0)",
		run.owned.search).Scan(&search)
	if err != nil {
		return 0, 0, err
	}
	if search == 0 {
		search, longer, err = s.importSearch(ctx, tx, run, identity, of, own)
		if err != nil {
			return 0, 0, err
		}
	}
	// An ending that is here stays, unless only the other one is finished.
	same, err := collect(ctx, tx, func(rows *sql.Rows) (e Run, err error) { return e, rows.Scan(&e.ID, &e.Status) },
		"SELECT id, status FROM endings WHERE search_id = ? AND coalesce(generations, 0) = ?", search,
		map[bool]int{true: run.Generations}[run.Judged])
	if err != nil {
		return 0, 0, err
	}
	for _, e := range same {
		if e.Status == experiments.Finished || run.Status != experiments.Finished {
			return 0, map[bool]int64{true: e.ID}[longer], nil
		}
		if alive(lockPath(s.absolute, search)) {
			return 0, 0, fmt.Errorf("%w: a process works on it here", experiments.ErrBusy)
		}
		if err := deleteOwner(ctx, tx, e.ID, true); err != nil {
			return 0, 0, err
		}
	}
	to, err = importEnding(ctx, tx, run, search, nil, own)
	return to, 0, err
}

// importSearch returns the search that is the same as far as both go, and whether the other one has
// more, or adds one.
func (s *Store) importSearch(ctx context.Context, tx *sql.Tx, run Run, identity string, of []any, own bool) (id int64,
	longer bool, err error) {
	all, err := collect(ctx, tx, scanID, "SELECT DISTINCT e.search_id FROM endings AS e JOIN searches AS s ON s.id = e.search_id WHERE "+identity+`
		AND s.unrepeatable IS (SELECT o.unrepeatable FROM other.searches AS o WHERE o.id = ?)
		AND e.own_games_only = max(?, (SELECT o.own_games_only FROM other.endings AS o WHERE o.id = ?))
		ORDER BY e.search_id DESC`, append(of, run.owned.search, own, run.ID)...)
	for _, search := range all {
		same := false
		err = tx.QueryRowContext(ctx, sameSearch, run.owned.search, search).Scan(&same)
		if err != nil {
			return 0, false, err
		}
		if same {
			err = tx.QueryRowContext(ctx, longerSearch, run.owned.search, search).Scan(&longer)
			if err != nil {
				return 0, false, err
			}
			if longer && alive(lockPath(s.absolute, search)) { // it is about to record these rows itself
				return 0, false, fmt.Errorf("%w: a process works on it here", experiments.ErrBusy)
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO taken VALUES (?, ?, ?);
				UPDATE searches SET sizes = (SELECT json_patch(o.sizes, coalesce(searches.sizes, '{}')) FROM other.searches AS o
				WHERE o.id = ?1)
				WHERE id = ?2 AND (SELECT o.sizes FROM other.searches AS o
				WHERE o.id = ?1) IS NOT NULL`, run.owned.search, search, own, run.owned.search, search)
			return search, longer, err
		}
	}
	name := ""
	if err == nil {
		name, err = freeName(ctx, tx, run.Root)
	}
	if err == nil {
		id, err = nextID(ctx, tx)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `CREATE TEMP TABLE one AS SELECT * FROM other.searches WHERE id = ?;
			UPDATE one SET id = ?, name = ?, ending_id = NULL, hashed = NULL; -- which follow from the rest
			INSERT INTO searches SELECT * FROM one;
			INSERT INTO taken VALUES (?, ?, ?);
			DROP TABLE one`, run.owned.search, id, name, run.owned.search, id, own)
	}
	return id, false, err
}

// sameSearch asks whether two searches are the same as far as both go.
const sameSearch = `SELECT NOT EXISTS (SELECT 1 FROM other.asked AS o JOIN other.memo AS n ON n.id = o.memo_id
		JOIN other.slices AS p ON p.owner_id = o.owner_id AND p.number = o.slice
		JOIN asked AS a ON a.owner_id = ?2 AND a.number = o.number JOIN memo AS m ON m.id = a.memo_id
		JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice WHERE o.owner_id = ?1
		AND (p.phase, p.stage, p.search, p.generation, p.round, o.candidate_id % 1000000000, p.first_game, o.games,
		o.mean_score, o.sd_score, o.moves, n.key) IS NOT
			(s.phase, s.stage, s.search, s.generation, s.round, a.candidate_id % 1000000000, s.first_game, a.games,
			a.mean_score, a.sd_score, a.moves, m.key))
	AND NOT EXISTS (SELECT 1 FROM other.candidates AS o JOIN candidates AS c ON c.id = ?2 * 1000000000 + o.number
		WHERE o.id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + 999999999
		AND (o.play, o.origin, o.stage, o.generation) IS NOT (c.play, c.origin, c.stage, c.generation))`

// longerSearch asks whether the other one of two such searches has more.
const longerSearch = `SELECT (SELECT count(*) FROM other.asked WHERE owner_id = ?1) > (SELECT count(*) FROM asked
	WHERE owner_id = ?2)
	OR (SELECT count(*) FROM other.candidates WHERE id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + 999999999)
		> (SELECT count(*) FROM candidates WHERE id BETWEEN ?2 * 1000000000 AND ?2 * 1000000000 + 999999999)`

// importEnding adds the row of an ending.
func importEnding(ctx context.Context, tx *sql.Tx, run Run, search, name any, own bool) (id int64, err error) {
	id, err = nextID(ctx, tx)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `CREATE TEMP TABLE one AS SELECT * FROM other.endings WHERE id = ?;
		ALTER TABLE one DROP COLUMN four_probability; -- which is generated
		UPDATE one SET id = ?, search_id = ?, name = ?, own_games_only = max(own_games_only, ?), status = replace(status,
		'running', 'interrupted'); -- not here
		INSERT INTO endings SELECT * FROM one;
		INSERT INTO taken VALUES (?, ?, ?);
		DROP TABLE one`, run.ID, id, search, name, own, run.ID, id, own)
	return id, err
}

// repeatable reports whether this program can carry the run out again, if its bots are here.
func (r Run) repeatable() bool {
	if r.Signature != simulator.Signature || r.Unrepeatable != "" {
		return false
	}
	c, contest, err := r.Configs()
	if err != nil {
		return false
	}
	if contest != nil {
		return contest.Hash() == r.ConfigHash || !r.Older(contest.YAML())
	}
	return c.Hash == r.ConfigHash || !r.Older(c.YAML())
}

// importSQL takes over what belongs to the runs of the table taken, see fillImport.
const importSQL = `
CREATE TEMP TABLE moved AS SELECT t.old, t.new, t.own, coalesce(e.search_id, t.new) AS run FROM taken AS t LEFT
JOIN endings AS e ON e.id = t.new;
UPDATE endings SET champion_id = champion_id % 1000000000 + 1000000000 * iif(champion_id % 1000000000 < candidates,
coalesce(search_id, id), id)
	WHERE id IN (SELECT new FROM moved);
INSERT OR IGNORE INTO {candidates} FROM moved AS t
	CROSS JOIN other.candidates AS o ON o.id BETWEEN t.old * 1000000000 AND t.old * 1000000000 + 999999999;
INSERT OR IGNORE INTO workers (name) SELECT name FROM other.workers ORDER BY id;
INSERT INTO {slices} FROM other.slices AS o JOIN moved AS t ON t.old = o.owner_id WHERE true
	ON CONFLICT (owner_id, number) DO UPDATE
	SET seeds = iif(length(excluded.seeds) > length(seeds), excluded.seeds, seeds);
INSERT INTO {comparisons} FROM other.comparisons AS o JOIN moved AS t ON t.old = o.ending_id;
-- The figures of a search are of one file, of the one whose figures have more games.
CREATE TEMP TABLE better AS SELECT t.old, t.run FROM moved AS t WHERE t.new = t.run
	AND (SELECT max(o.played) FROM other.generations AS o WHERE o.run_id = t.old) > coalesce((SELECT max(g.played)
	FROM generations AS g WHERE g.run_id = t.run), 0);
DELETE FROM standings WHERE (run_id, owner_id) IN (SELECT run, run FROM better);
DELETE FROM generations WHERE run_id IN (SELECT run FROM better);
INSERT INTO {standings} FROM other.standings AS o JOIN moved AS t ON t.old = o.owner_id
	WHERE NOT EXISTS (SELECT 1 FROM standings AS s WHERE s.run_id = t.run AND s.owner_id = t.new);
INSERT INTO {samples} FROM other.samples AS o JOIN moved AS t ON t.old = o.owner_id;
INSERT INTO {generations} FROM other.generations AS o JOIN moved AS t ON t.old = o.run_id
JOIN better AS b ON b.run = t.run;
DROP TABLE better;
INSERT INTO {tiles} FROM other.tiles AS o JOIN moved AS t ON t.old = o.owner_id;
-- Games that are here stay where they are as many and the same; other ones serve the run alone, failures after the tuning the ending.
CREATE TEMP TABLE wanted AS SELECT m.id AS old, t.new AS owner, iif(m.failure IS NULL, t.run, t.new) AS run, m.key,
	iif(m.only_run = 0 AND NOT t.own, 0, iif(m.failure IS NULL, t.run, t.new)) AS only_run,
	min(m.games, max(0, max(max(s.first_game % 50 + a.games)) OVER (PARTITION BY m.id, iif(t.own, t.run, 0)))) AS games
	FROM moved AS t CROSS JOIN other.asked AS a ON a.owner_id = t.old CROSS
	JOIN other.slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice CROSS
	JOIN other.memo AS m ON m.id = a.memo_id GROUP BY m.id, t.new;
UPDATE wanted SET only_run = run WHERE only_run = 0 AND EXISTS (SELECT 1
	FROM (SELECT failure, first_of(scores, wanted.games) AS scores, first_of(moves, wanted.games) AS moves,
	first_of(nodes, wanted.games) AS nodes
		FROM other.memo WHERE id = wanted.old) AS o JOIN memo AS h ON h.key = wanted.key AND h.only_run = 0
		AND h.failure IS o.failure
	WHERE NOT (h.scores || h.moves || h.nodes = o.scores || o.moves || o.nodes
		OR substr(h.scores, 1, length(o.scores)) || substr(h.moves, 1, length(o.moves)) = rtrim(o.scores,
		']') || ',' || rtrim(o.moves, ']') || ','));
INSERT INTO {memo} FROM wanted AS r JOIN other.memo AS o ON o.id = r.old WHERE true ORDER BY r.old
	ON CONFLICT (key, only_run, failure IS NULL) DO UPDATE SET {memo set but id key only_run failure}
		WHERE memo.games < excluded.games OR memo.boards IS NULL AND memo.games = excluded.games;
INSERT OR IGNORE INTO {asked} FROM other.asked AS o JOIN moved AS t ON t.old = o.owner_id;
DROP TABLE wanted; DROP TABLE moved;
`

// firstOf is the SQL function first_of: the list of the first n elements of a list of numbers. NULL
// stays.
func firstOf(of any, n int64) any {
	list, is := of.(string)
	if !is {
		return nil
	}
	if n <= 0 {
		return "[]"
	}
	end := 0
	for ; n > 0; n-- {
		next := strings.IndexByte(list[end:], ',')
		if next < 0 {
			return list
		}
		end += next + 1
	}
	return strings.TrimSuffix(list[:end], ",") + "]"
}
