-- Takes over the rows of version 4, whose table runs is called old_runs here.

-- Games that version 4 had from version 3 have no keys. So such a run is one of another play: nothing goes on from it, and it is
-- not verified.
INSERT INTO runs (id, name, root, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature, own_games_only, status, stopped_after,
	held_out_salt, champion_id, fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, figured_games, worked_ms,
	unrepeatable, programs, note, error, figured)
SELECT id, name, root, base_name, kind, config_yaml, config_hash, tuning, seed, objective, signature || iif(taken_over IS NULL, '', ' of version ' || taken_over),
	own_games_only, status, stopped_after,
	held_out_salt, champion_id, fingerprint, go_version, goarch, done, expected_end, started_at, updated_at, finished_at, iif(status = 'finished', figured_games, 0), worked_ms,
	unrepeatable, programs, note, error, iif(status = 'finished', coalesce((SELECT max(number) + 1 FROM asked WHERE run_id = old_runs.id), 0), 0)
FROM old_runs;
UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence) WHERE name = 'runs';
DROP TABLE old_runs;
