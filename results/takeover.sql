-- Takes over the rows of version 4, whose tables that changed are called old_runs, old_games ... here. There each ending of a run
-- asked for its tuning again: the tuning of the longest one becomes the search.

-- Which rows become whose: of old runs their new ids, and what of them belongs to the search.
CREATE TEMP TABLE moved AS
WITH tuned AS (
	SELECT r.id AS old, r.kind, r.status, r.root,
		coalesce((SELECT max(a.number) + 1 FROM old_asked AS a WHERE a.run_id = r.id AND a.phase = 'tuning'), 0) AS questions,
		coalesce((SELECT max(a.candidate_id % 10000000) + 1 FROM old_asked AS a WHERE a.run_id = r.id AND a.phase = 'tuning'), 0) AS candidates,
		(SELECT count(*) FROM (SELECT DISTINCT a.stage, a.generation FROM old_asked AS a WHERE a.run_id = r.id AND a.phase = 'tuning')) AS generations,
		r.status = 'finished' OR EXISTS (SELECT 1 FROM old_asked AS a WHERE a.run_id = r.id AND a.phase <> 'tuning') AS judged
	FROM old_runs AS r
)
SELECT t.old, t.status, t.root, iif(t.kind = 'tune', min(t.old) OVER (PARTITION BY t.kind, t.root), NULL) AS search,
	iif(t.kind = 'tune', (SELECT max(seq) FROM sqlite_sequence WHERE name = 'old_runs') + row_number() OVER (ORDER BY t.old), t.old) AS new,
	iif(t.kind = 'tune', iif(t.judged, t.generations, NULL), NULL) AS generations,
	iif(t.kind = 'tune', iif(t.judged, t.candidates, 1000000000), 0) AS candidates,
	iif(t.kind = 'tune', iif(t.judged, t.questions, 1000000000), 0) AS questions,
	t.kind = 'tune' AND row_number() OVER (PARTITION BY t.kind, t.root ORDER BY t.questions DESC, t.status = 'finished' DESC, t.old) = 1 AS longest
FROM tuned AS t;
CREATE UNIQUE INDEX moved_by_old ON moved (old);

INSERT INTO searches (id, name, unrepeatable, note)
SELECT m.search, m.root, max(r.unrepeatable), max(r.note) FROM moved AS m JOIN old_runs AS r ON r.id = m.old WHERE m.search IS NOT NULL GROUP BY m.search;

-- Games that version 4 had from version 3 have no keys. So such a run is one of another play: nothing goes on from it, and it is
-- not verified.
INSERT INTO endings (id, search_id, name, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature, tuner, own_games_only, status, generations, candidates,
	questions, stopped_after, held_out_salt, champion_id, fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, figured_games, figured,
	worked_ms, unrepeatable, programs, note, error)
SELECT m.new, m.search, iif(m.search IS NULL, r.name, NULL), base_name, kind, config_yaml, config_hash, tuning, seed, objective,
	signature || iif(taken_over IS NULL, '', ' of version ' || taken_over), '', own_games_only, r.status, m.generations, m.candidates,
	m.questions, stopped_after, held_out_salt,
	champion_id % 10000000 + 1000000000 * iif(champion_id % 10000000 < m.candidates, m.search, m.new),
	fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, iif(r.status = 'finished', figured_games, 0),
	iif(r.status = 'finished', coalesce((SELECT max(number) + 1 FROM old_asked WHERE run_id = r.id), 0), 0),
	worked_ms, iif(m.search IS NULL, unrepeatable, NULL), programs, iif(m.search IS NULL, note, NULL), error
FROM old_runs AS r
JOIN moved AS m ON m.old = r.id;
UPDATE searches SET ending_id = (SELECT e.id FROM endings AS e WHERE e.search_id = searches.id
	ORDER BY e.status = 'finished' DESC, iif(e.status = 'finished', e.generations, 0) DESC, e.id DESC LIMIT 1);

INSERT INTO candidates SELECT number + owner * 1000000000, coalesce(search, owner), number, generation, stage, origin, name, dead, play, names, weights FROM (
	SELECT c.*, m.search, iif(c.number < m.candidates, m.search, m.new) AS owner, c.number < m.candidates AND NOT m.longest AS there,
		(SELECT json_group_array(w.name ORDER BY w.position) FROM old_weights AS w WHERE w.candidate_id = c.id) AS names,
		(SELECT '[' || coalesce(group_concat(decimal(w.value), ',' ORDER BY w.position), '') || ']' FROM old_weights AS w WHERE w.candidate_id = c.id) AS weights
	FROM old_candidates AS c
	JOIN moved AS m ON m.old = c.run_id
) WHERE NOT there;
UPDATE candidates AS c SET names = NULL WHERE number > 0 AND names = (SELECT f.names FROM candidates AS f WHERE f.id = c.run_id * 1000000000);

INSERT OR IGNORE INTO workers (name) SELECT name FROM old_workers ORDER BY id;

CREATE TEMP TABLE questions AS SELECT a.*, iif(a.number < m.questions, m.search, m.new) AS owner,
	a.candidate_id % 10000000 + 1000000000 * iif(a.candidate_id % 10000000 < m.candidates, m.search, m.new) AS candidate,
	a.number < m.questions AND NOT m.longest AS there
FROM old_asked AS a
JOIN moved AS m ON m.old = a.run_id;
CREATE INDEX questions_by_number ON questions (run_id, number);

INSERT INTO slices SELECT a.owner, min(a.number), a.phase, a.stage, a.search, a.generation, a.round, a.first_game,
	seeds_of(r.seed, a.phase, a.stage, a.search, a.generation, coalesce(r.held_out_salt, iif(r.kind = 'compare', r.tuning, NULL), ''), a.first_game, max(a.games))
FROM questions AS a
JOIN old_runs AS r ON r.id = a.run_id
WHERE NOT a.there
GROUP BY a.owner, a.phase, a.stage, a.search, a.generation, a.round, a.first_game;

-- What serves one run alone serves its search alone.
INSERT OR IGNORE INTO memo SELECT o.id, key, coalesce((SELECT iif(o.failure IS NULL OR EXISTS (SELECT 1 FROM old_asked AS a WHERE a.memo_id = o.id AND a.phase = 'tuning'),
		coalesce(m.search, m.new), m.new) FROM moved AS m WHERE m.old = o.only_run), 0), games, scores, ranks, moves, nodes, NULL, NULL, NULL, failure
FROM old_memo AS o
ORDER BY o.id;

INSERT INTO asked SELECT a.owner, a.number, s.number, nullif(a.phase, 'tuning'), a.candidate,
	coalesce((SELECT n.id FROM memo AS n WHERE n.id = a.memo_id), -- or the one that was there before it
		(SELECT n.id FROM old_memo AS o JOIN memo AS n ON n.key = o.key AND n.only_run <> 0 AND (n.failure IS NULL) = (o.failure IS NULL) WHERE o.id = a.memo_id)),
	a.games, mean_score, sd_score, fitness, moves, nodes, duration_us
FROM questions AS a
JOIN slices AS s ON s.owner_id = a.owner AND s.phase = a.phase AND s.stage = a.stage AND s.search = a.search AND s.generation = a.generation AND s.round = a.round
	AND s.first_game = a.first_game
WHERE NOT a.there;

-- The rows of games that are recorded move into the memo.
CREATE TEMP TABLE kept (memo_id INTEGER, place INTEGER, board BLOB, us INTEGER, worker INTEGER, PRIMARY KEY (memo_id, place)) WITHOUT ROWID;
INSERT OR IGNORE INTO kept SELECT a.memo_id, g.id % 50, unhex(g.final_board), g.duration_us,
	(SELECT n.id FROM old_workers AS o JOIN workers AS n ON n.name = o.name WHERE o.id = g.worker_id)
FROM old_games AS g
JOIN questions AS a ON a.run_id = g.run_id AND a.number = g.id % 50000000000 / 50 AND g.id % 50 BETWEEN a.first_game % 50 AND a.first_game % 50 + a.games - 1
ORDER BY g.id;
UPDATE memo SET (boards, times, workers) = (
	SELECT unhex(group_concat(iif(k.board IS NULL, 'ffffffffffffffff', hex(k.board)), '' ORDER BY p.key)), json_group_array(k.us ORDER BY p.key),
		iif(count(k.worker) > 0, json_group_array(k.worker ORDER BY p.key), NULL)
	FROM json_each(memo.scores) AS p
	LEFT JOIN kept AS k ON k.memo_id = memo.id AND k.place = p.key
) WHERE id IN (SELECT memo_id FROM kept);
DROP TABLE kept;

INSERT OR IGNORE INTO playing SELECT g.id % 50000000000 + 50000000000 * iif(g.id % 50000000000 / 50 < m.questions, m.search, m.new), coalesce(m.search, m.new),
	candidate_id % 10000000 + 1000000000 * iif(candidate_id % 10000000 < m.candidates, m.search, m.new), phase, stage, g.search, generation, round, seed, score,
	rank_of(coalesce(max_tile, 0)), coalesce(moves, 0), coalesce(nodes, 0), coalesce(unhex(final_board), zeroblob(8)), duration_us,
	(SELECT n.id FROM old_workers AS o JOIN workers AS n ON n.name = o.name WHERE o.id = worker_id)
FROM old_games AS g
JOIN moved AS m ON m.old = g.run_id
WHERE NOT EXISTS (SELECT 1 FROM old_asked AS a WHERE a.run_id = g.run_id AND a.number = g.id % 50000000000 / 50
	AND g.id % 50 BETWEEN a.first_game % 50 AND a.first_game % 50 + a.games - 1);

INSERT INTO comparisons SELECT coalesce(m.search, m.new), m.new, phase, c.search,
	candidate_id % 10000000 + 1000000000 * iif(candidate_id % 10000000 < m.candidates, m.search, m.new),
	baseline_id % 10000000 + 1000000000 * iif(baseline_id % 10000000 < m.candidates, m.search, m.new), look, objective, games,
	baseline_games, difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high, confidence, smallest_difference, question, p, p_adjusted, level, verdict, more_games
FROM old_comparisons AS c
JOIN moved AS m ON m.old = c.run_id;

INSERT INTO standings SELECT coalesce(m.search, m.new), iif(phase = 'tuning', m.search, m.new), position, phase, stage, f.search, rank,
	candidate_id % 10000000 + 1000000000 * iif(candidate_id % 10000000 < m.candidates, m.search, m.new), games, f.generations, mean_score, sd_score, ci_low, ci_high,
	fitness, fitness_ci_low, fitness_ci_high, fitness_shrunk, fitness_low, ranks, moves, nodes
FROM old_standings AS f
JOIN moved AS m ON m.old = f.run_id
WHERE phase <> 'tuning' OR m.longest;

INSERT INTO generations SELECT m.search, position, stage, f.search, generation, f.candidates, games, played, mean, sd, best, worst, mean_fitness, mean_fitness_ci_low,
	mean_fitness_ci_high, best_fitness, 0, 0, 0, 0, 0
FROM old_generations AS f
JOIN moved AS m ON m.old = f.run_id
WHERE m.longest;

INSERT INTO tiles SELECT coalesce(m.search, m.new), m.new, position, phase, f.search,
	candidate_id % 10000000 + 1000000000 * iif(candidate_id % 10000000 < m.candidates, m.search, m.new), tile, games, reached, ci_low, ci_high
FROM old_tiles AS f
JOIN moved AS m ON m.old = f.run_id;

DROP TABLE questions;
DROP TABLE moved;
DROP TABLE old_tiles;
DROP TABLE old_generations;
DROP TABLE old_standings;
DROP TABLE old_comparisons;
DROP TABLE old_games;
DROP TABLE old_asked;
DROP TABLE old_memo;
DROP TABLE old_workers;
DROP TABLE old_weights;
DROP TABLE old_candidates;
DROP TABLE old_runs;
