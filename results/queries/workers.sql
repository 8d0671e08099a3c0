-- Who played the newest run, by search: worker '' is the process that carried it out. games, share and ms_per_move are of the last
-- 10,000 games whose rows are kept, all_games is of the whole run.
SELECT g.search, coalesce(w.name, '') AS worker, g.games, 1.0 * g.games / sum(g.games) OVER (PARTITION BY g.search) AS share,
	g.ms / g.moves AS ms_per_move, w.games_per_second, w.games AS all_games, w.cores, w.version, w.last_seen
FROM (
	SELECT search, worker_id, count(*) AS games, sum(moves) AS moves, sum(duration_us) / 1000.0 AS ms
	FROM (
		SELECT search, worker_id, moves, duration_us
		FROM games
		WHERE id BETWEEN (SELECT max(id) FROM runs WHERE kind = 'tune') * 1000000000 AND (SELECT max(id) FROM runs WHERE kind = 'tune') * 1000000000 + 999999999
		ORDER BY id DESC LIMIT 10000
	)
	GROUP BY search, worker_id
) AS g
LEFT JOIN workers AS w ON w.id = g.worker_id
ORDER BY g.search, g.games DESC;
