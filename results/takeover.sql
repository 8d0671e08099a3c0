-- Takes over the rows of version 3. Its tables are called old_runs, old_games, old_evaluations and old_figures here.

INSERT INTO runs (id, name, root, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature, own_games_only, status, stopped_after, held_out_salt,
	champion_id, fingerprint, go_version, goarch, done, started_at, updated_at, finished_at, worked_ms, unrepeatable, programs, note, error, taken_over)
SELECT id, name, name, base_name, kind, config_yaml,
	config_hash, config_hash, seed, objective, signature, own_games_only, status, stopped_after, held_out_salt,
	champion_id, fingerprint, go_version, goarch, done, started_at, updated_at, finished_at, worked_ms, unrepeatable, programs,
	nullif(substr(note, 1, instr(note || char(10), char(10)) - 1), ''), nullif(substr(note, instr(note || char(10), char(10)) + 1), ''), 3
FROM old_runs;
UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence) WHERE name = 'runs';

-- Evaluations in parts of 50 games at most.
CREATE TEMP TABLE parts AS
	WITH RECURSIVE part (at) AS (SELECT 0 UNION ALL SELECT at + 50 FROM part WHERE at + 50 < (SELECT max(games) FROM old_evaluations))
	SELECT row_number() OVER (ORDER BY e.run_id, e.first_game, p.at) AS id, row_number() OVER (PARTITION BY e.run_id ORDER BY e.first_game, p.at) - 1 AS number,
		e.run_id, e.first_game + p.at AS first, min(50, e.games - p.at) AS n, p.at, e.first_game AS whole
	FROM old_evaluations AS e JOIN part AS p ON p.at < max(e.games, 1);
CREATE INDEX temp.parts_by_game ON parts (run_id, first);

-- Nobody knows the streams of their seeds, so the rows serve their own run, and no question has their key.
INSERT INTO memo (id, key, only_run, games, scores, ranks, moves, nodes, failure)
SELECT p.id, CAST(printf('%016x', p.id) AS BLOB), p.run_id, p.n,
	iif(p.n = e.games, e.scores, (SELECT json_group_array(s.value) FROM json_each(e.scores) AS s WHERE s.key >= p.at AND s.key < p.at + 50)),
	CASE WHEN e.ranks IS NULL THEN '[' || rtrim(replace(printf('%.*c', p.n, '0'), '0', '0,'), ',') || ']' WHEN p.n = e.games THEN e.ranks
		ELSE (SELECT json_group_array(s.value) FROM json_each(e.ranks) AS s WHERE s.key >= p.at AND s.key < p.at + 50) END,
	'[' || rtrim(replace(printf('%.*c', p.n, '0'), '0', '0,'), ',') || ']', '[' || rtrim(replace(printf('%.*c', p.n, '0'), '0', '0,'), ',') || ']', e.failure
FROM parts AS p JOIN old_evaluations AS e ON e.run_id = p.run_id AND e.first_game = p.whole;

INSERT INTO asked (run_id, number, phase, stage, search, generation, round, candidate_id, memo_id, first_game, games, mean_score, sd_score, fitness, moves, nodes, duration_us)
SELECT p.run_id, p.number, e.phase, e.stage, e.search, e.generation, e.round, e.candidate_id, p.id, 50 * p.number, p.n, e.mean_score, e.sd_score, e.fitness,
	iif(p.n = e.games, e.moves, NULL), iif(p.n = e.games, e.nodes, NULL), iif(p.n = e.games, e.duration_us, NULL)
FROM parts AS p JOIN old_evaluations AS e ON e.run_id = p.run_id AND e.first_game = p.whole;
UPDATE runs SET figured_games = coalesce((SELECT sum(a.games) FROM asked AS a WHERE a.run_id = runs.id), 0);

INSERT INTO games (id, run_id, candidate_id, phase, stage, search, generation, round, seed, score, max_tile, moves, nodes, capped, final_board, duration_us, worker_id)
SELECT g.run_id * 50000000000 + p.number * 50 + g.id % 1000000000 - p.first, g.run_id, g.candidate_id, g.phase, g.stage, g.search, g.generation, g.round, g.seed, g.score,
	g.max_tile, g.moves, g.nodes, g.capped,
	(SELECT group_concat(substr(printf('%016x', g.final_board), d.value, 1), '') FROM json_each('[16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1]') AS d),
	g.duration_us, g.worker_id
FROM old_games AS g
JOIN parts AS p ON p.run_id = g.run_id AND p.first = (SELECT max(q.first) FROM parts AS q WHERE q.run_id = g.run_id AND q.first <= g.id % 1000000000)
WHERE g.id % 1000000000 < p.first + p.n;

INSERT INTO standings SELECT run_id, position, phase, stage, search, rank, candidate_id, games, generations, mean_score, sd_score, ci_low, ci_high, fitness, fitness_ci_low,
	fitness_ci_high, fitness_shrunk, fitness_low, ranks, moves, nodes FROM old_figures WHERE kind = 'candidate';
INSERT INTO generations SELECT run_id, position, stage, search, generation, candidates, games, played, mean_score, sd_score, best, worst, fitness, fitness_ci_low,
	fitness_ci_high, best_fitness FROM old_figures WHERE kind = 'generation';
INSERT INTO tiles SELECT run_id, position, phase, search, candidate_id, tile, games, reached, ci_low, ci_high FROM old_figures WHERE kind = 'tile';

DROP TABLE temp.parts;
DROP TABLE old_figures;
DROP TABLE old_games;
DROP TABLE old_evaluations;
DROP TABLE old_runs;
