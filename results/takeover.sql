-- Takes over the rows of version 4, whose tables that changed are called old_runs, old_games ... here.

-- Games that version 4 had from version 3 have no keys. So such a run is one of another play: nothing goes on from it, and it is
-- not verified.
INSERT INTO runs (id, name, root, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature, own_games_only, status, stopped_after,
	held_out_salt, champion_id, fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, figured_games, worked_ms,
	unrepeatable, programs, note, error, figured)
SELECT id, name, root, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature || iif(taken_over IS NULL, '', ' of version ' || taken_over),
	own_games_only, status, stopped_after,
	held_out_salt, champion_id, fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, iif(status = 'finished', figured_games, 0), worked_ms,
	unrepeatable, programs, note, error, iif(status = 'finished', coalesce((SELECT max(number) + 1 FROM old_asked WHERE run_id = old_runs.id), 0), 0)
FROM old_runs;
UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence) WHERE name = 'runs';

INSERT INTO candidates SELECT id, run_id, number, generation, stage, origin, name, dead, play, names, weights FROM (
	SELECT c.*, (SELECT json_group_array(w.name ORDER BY w.position) FROM old_weights AS w WHERE w.candidate_id = c.id) AS names,
		(SELECT '[' || coalesce(group_concat(decimal(w.value), ',' ORDER BY w.position), '') || ']' FROM old_weights AS w WHERE w.candidate_id = c.id) AS weights
	FROM old_candidates AS c
);
UPDATE candidates AS c SET names = NULL WHERE number > 0 AND names = (SELECT f.names FROM candidates AS f WHERE f.id = c.run_id * 10000000);

INSERT OR IGNORE INTO workers (name) SELECT name FROM old_workers ORDER BY id;

INSERT INTO slices SELECT a.run_id, min(a.number), a.phase, a.stage, a.search, a.generation, a.round, a.first_game,
	seeds_of(r.seed, a.phase, a.stage, a.search, a.generation, coalesce(r.held_out_salt, iif(r.kind = 'compare', r.tuning, NULL), ''), a.first_game, max(a.games))
FROM old_asked AS a
JOIN runs AS r ON r.id = a.run_id
GROUP BY a.run_id, a.phase, a.stage, a.search, a.generation, a.round, a.first_game;

INSERT INTO memo SELECT id, key, only_run, games, scores, ranks, moves, nodes, NULL, NULL, NULL, failure FROM old_memo;

INSERT INTO asked SELECT a.run_id, a.number, s.number, nullif(a.phase, 'tuning'), candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, duration_us
FROM old_asked AS a
JOIN slices AS s ON s.run_id = a.run_id AND s.phase = a.phase AND s.stage = a.stage AND s.search = a.search AND s.generation = a.generation AND s.round = a.round
	AND s.first_game = a.first_game;

-- The rows of games that are recorded move into the memo.
CREATE TEMP TABLE kept (memo_id INTEGER, place INTEGER, board BLOB, us INTEGER, worker INTEGER, PRIMARY KEY (memo_id, place)) WITHOUT ROWID;
INSERT OR IGNORE INTO kept SELECT a.memo_id, g.id % 50, unhex(g.final_board), g.duration_us,
	(SELECT n.id FROM old_workers AS o JOIN workers AS n ON n.name = o.name WHERE o.id = g.worker_id)
FROM old_games AS g
JOIN old_asked AS a ON a.run_id = g.run_id AND a.number = g.id % 50000000000 / 50 AND g.id % 50 BETWEEN a.first_game % 50 AND a.first_game % 50 + a.games - 1
ORDER BY g.id;
UPDATE memo SET (boards, times, workers) = (
	SELECT unhex(group_concat(iif(k.board IS NULL, 'ffffffffffffffff', hex(k.board)), '' ORDER BY p.key)), json_group_array(k.us ORDER BY p.key),
		iif(count(k.worker) > 0, json_group_array(k.worker ORDER BY p.key), NULL)
	FROM json_each(memo.scores) AS p
	LEFT JOIN kept AS k ON k.memo_id = memo.id AND k.place = p.key
) WHERE id IN (SELECT memo_id FROM kept);
DROP TABLE kept;

INSERT INTO playing SELECT id, run_id, candidate_id, phase, stage, search, generation, round, seed, score, rank_of(coalesce(max_tile, 0)), coalesce(moves, 0),
	coalesce(nodes, 0), coalesce(unhex(final_board), zeroblob(8)), duration_us,
	(SELECT n.id FROM old_workers AS o JOIN workers AS n ON n.name = o.name WHERE o.id = worker_id)
FROM old_games AS g
WHERE NOT EXISTS (SELECT 1 FROM old_asked AS a WHERE a.run_id = g.run_id AND a.number = g.id % 50000000000 / 50
	AND g.id % 50 BETWEEN a.first_game % 50 AND a.first_game % 50 + a.games - 1);

DROP TABLE old_games;
DROP TABLE old_asked;
DROP TABLE old_memo;
DROP TABLE old_workers;
DROP TABLE old_weights;
DROP TABLE old_candidates;
DROP TABLE old_runs;
