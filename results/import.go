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
	"strings"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Imported is a run that was taken over from another file, by its names there and here.
type Imported struct{ From, To string }

// Import takes over the runs of another file, with the games that they asked for: nobody can verify
// others. A run that is here already is left
// out: finished with the same results, or as far as an unfinished one. One whose name is taken gets
// a number. The runs of this file take games from the other file as from their own. Games of a run
// that cannot be verified serve that run alone.
func (s *Store) Import(ctx context.Context, path string) (all []Imported, err error) {
	const operation = "import into"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot %s %s: there is no file %s", operation, s.path, path)
	}
	other, err := OpenReader(path) // which takes an older file over
	if err != nil {
		return nil, err
	}
	defer other.Close()
	if file, err := os.Stat(other.absolute); err == nil && os.SameFile(file, s.file) {
		return nil, fmt.Errorf("cannot %s %s: %s is the same file", operation, s.path, path)
	}
	if err := other.CheckFile(ctx); err != nil {
		return nil, err
	}
	runs, err := other.Runs(ctx)
	if err != nil {
		return nil, err
	}
	source := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(other.absolute)}).EscapedPath(), RawQuery: "mode=ro"}).String()
	if _, err := s.writer.ExecContext(ctx, "ATTACH ? AS other", source); err != nil {
		return nil, explain(operation, s.path, err)
	}
	err = s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "CREATE TEMP TABLE taken (old INTEGER PRIMARY KEY, new INTEGER, own INTEGER)"); err != nil {
			return err
		}
		for i := len(runs) - 1; i >= 0; i-- { // the oldest first
			if err := s.importRun(ctx, tx, runs[i]); err != nil {
				return fmt.Errorf("run %s: %w", runs[i].Name, err)
			}
		}
		if _, err := tx.ExecContext(ctx, importSQL); err != nil {
			return err
		}
		taken, err := collect(ctx, tx, scanID, "SELECT new FROM taken")
		for _, id := range taken {
			err = errors.Join(err, nameEndings(ctx, tx, id))
		}
		if err != nil {
			return err
		}
		all, err = collect(ctx, tx, func(rows *sql.Rows) (i Imported, err error) { return i, rows.Scan(&i.From, &i.To) },
			"SELECT o.name, r.name FROM taken JOIN other.runs AS o ON o.id = old JOIN runs AS r ON r.id = new ORDER BY old")
		if err == nil {
			_, err = tx.ExecContext(ctx, "DROP TABLE taken")
		}
		return err
	})
	_, detached := s.writer.ExecContext(context.WithoutCancel(ctx), "DETACH other")
	return all, errors.Join(err, explain(operation, s.path, detached))
}

// importRun adds the row of a run, unless the run is here.
func (s *Store) importRun(ctx context.Context, tx *sql.Tx, run Run) error {
	here := false
	const identity = "base_name = ? AND tuning = ? AND kind = ? AND signature = ? AND coalesce(programs, '') = ?"
	of := []any{run.BaseName, run.Tuning, run.Kind, run.Signature, run.Programs}
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs AS r WHERE "+identity+` AND config_hash = ? AND iif(?, fingerprint = ?,
		(SELECT total(games) FROM asked WHERE run_id = r.id) >= ?))`,
		append(of, run.ConfigHash, run.Status == experiments.Finished, run.Fingerprint, run.Games)...).Scan(&here)
	if err != nil || here {
		return err
	}
	root, own := "", !run.repeatable()
	// Another ending of it: endings serve each other.
	err = tx.QueryRowContext(ctx, "SELECT root FROM runs WHERE "+identity+` AND iif(?, id IN (SELECT new FROM taken WHERE own),
		unrepeatable IS NULL AND own_games_only = (SELECT o.own_games_only FROM other.runs AS o WHERE o.id = ?)) ORDER BY id DESC LIMIT 1`,
		append(of, own, run.ID)...).Scan(&root)
	if errors.Is(err, sql.ErrNoRows) || run.Kind.HasPlayers() {
		root, err = freeName(ctx, tx, run.Root)
	}
	if err != nil {
		return err
	}
	name, err := freeName(ctx, tx, root+openEnding)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `CREATE TEMP TABLE one AS SELECT * FROM other.runs WHERE id = ?;
		ALTER TABLE one DROP COLUMN four_probability; -- which is generated
		UPDATE one SET id = NULL, name = ?, root = ?, own_games_only = max(own_games_only, ?), status = replace(status, 'running', 'interrupted'); -- not here
		INSERT INTO runs SELECT * FROM one;
		INSERT INTO taken VALUES (?, last_insert_rowid(), ?);
		DROP TABLE one`, run.ID, name, root, own, run.ID, own)
	return err
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

// importSQL takes over what belongs to the runs of the table taken, and names their endings.
const importSQL = `
UPDATE runs SET champion_id = champion_id % 10000000 + id * 10000000 WHERE id IN (SELECT new FROM taken);
INSERT INTO candidates SELECT id % 10000000 + t.new * 10000000, t.new, number, generation, stage, origin, name, dead, play, names, weights
	FROM other.candidates JOIN taken AS t ON t.old = run_id;
INSERT OR IGNORE INTO workers (name) SELECT name FROM other.workers ORDER BY id;
INSERT INTO slices SELECT t.new, number, phase, stage, search, generation, round, first_game, seeds FROM other.slices JOIN taken AS t ON t.old = run_id;
INSERT INTO comparisons SELECT t.new, phase, search, candidate_id % 10000000 + t.new * 10000000, baseline_id % 10000000 + t.new * 10000000, look, objective, games,
	baseline_games, difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high, confidence, smallest_difference, question, p, p_adjusted, level, verdict, more_games
	FROM other.comparisons JOIN taken AS t ON t.old = run_id;
INSERT INTO standings SELECT t.new, position, phase, stage, search, rank, candidate_id % 10000000 + t.new * 10000000, games, generations, mean_score, sd_score, ci_low, ci_high,
	fitness, fitness_ci_low, fitness_ci_high, fitness_shrunk, fitness_low, ranks, moves, nodes FROM other.standings JOIN taken AS t ON t.old = run_id;
INSERT INTO generations SELECT t.new, position, stage, search, generation, candidates, games, played, mean, sd, best, worst, mean_fitness, mean_fitness_ci_low,
	mean_fitness_ci_high, best_fitness FROM other.generations JOIN taken AS t ON t.old = run_id;
INSERT INTO tiles SELECT t.new, position, phase, search, candidate_id % 10000000 + t.new * 10000000, tile, games, reached, ci_low, ci_high FROM other.tiles JOIN taken AS t ON t.old = run_id;
-- Games that are here stay where they are as many and the same; other ones serve the run alone.
CREATE TEMP TABLE wanted AS SELECT m.id AS old, t.new AS run, m.key, iif(m.only_run = 0 AND NOT t.own, 0, t.new) AS only_run,
	min(m.games, max(0, max(max(s.first_game % 50 + a.games)) OVER (PARTITION BY m.id, iif(t.own, t.new, 0)))) AS games
	FROM taken AS t CROSS JOIN other.asked AS a ON a.run_id = t.old CROSS JOIN other.slices AS s ON s.run_id = a.run_id AND s.number = a.slice CROSS JOIN other.memo AS m ON m.id = a.memo_id GROUP BY m.id, t.new;
UPDATE wanted SET only_run = run WHERE only_run = 0 AND EXISTS (SELECT 1
	FROM (SELECT failure, first_of(scores, wanted.games) AS scores, first_of(moves, wanted.games) AS moves, first_of(nodes, wanted.games) AS nodes
		FROM other.memo WHERE id = wanted.old) AS o JOIN memo AS h ON h.key = wanted.key AND h.only_run = 0 AND h.failure IS o.failure
	WHERE NOT (h.scores || h.moves || h.nodes = o.scores || o.moves || o.nodes
		OR substr(h.scores, 1, length(o.scores)) || substr(h.moves, 1, length(o.moves)) = rtrim(o.scores, ']') || ',' || rtrim(o.moves, ']') || ','));
INSERT INTO memo (key, only_run, games, scores, ranks, moves, nodes, boards, times, workers, failure)
	SELECT r.key, r.only_run, r.games, first_of(o.scores, r.games), first_of(o.ranks, r.games), first_of(o.moves, r.games), first_of(o.nodes, r.games),
		substr(o.boards, 1, 8 * r.games), first_of(o.times, r.games), iif(o.workers IS NULL, NULL, (SELECT json_group_array((SELECT n.id FROM other.workers AS w
			JOIN workers AS n ON n.name = w.name WHERE w.id = l.value)) FROM json_each(first_of(o.workers, r.games)) AS l)), o.failure
	FROM wanted AS r JOIN other.memo AS o ON o.id = r.old WHERE true ORDER BY r.old
	ON CONFLICT (key, only_run, failure IS NULL) DO UPDATE SET boards = excluded.boards, times = excluded.times, workers = excluded.workers
		WHERE memo.boards IS NULL AND memo.games = excluded.games;
INSERT INTO asked SELECT t.new, number, slice, phase, candidate_id % 10000000 + t.new * 10000000,
	(SELECT h.id FROM wanted AS r JOIN other.memo AS o ON o.id = r.old JOIN memo AS h ON h.key = r.key AND h.only_run = r.only_run AND (h.failure IS NULL) = (o.failure IS NULL)
		WHERE r.old = a.memo_id AND r.run = t.new),
	a.games, mean_score, sd_score, fitness, a.moves, a.nodes, a.duration_us FROM other.asked AS a JOIN taken AS t ON t.old = a.run_id;
DROP TABLE wanted;
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
