-- Who played the newest run's games that are kept as rows, by search: worker '' is the process that carried the run out. The table
-- workers has the counts of all games.
SELECT g.search, coalesce(w.name, '') AS worker, g.games, 1.0 * g.games / sum(g.games) OVER (PARTITION BY g.search) AS share,
	w.games_per_second, g.ms / g.moves AS ms_per_move, w.cores, w.version, w.last_seen, w.audited, w.cut_off
FROM (
	SELECT search, worker_id, count(*) AS games, sum(moves) AS moves, sum(duration_us) / 1000.0 AS ms
	FROM games
	WHERE id BETWEEN (SELECT max(id) FROM runs WHERE kind = 'tune') * 1000000000 AND (SELECT max(id) FROM runs WHERE kind = 'tune') * 1000000000 + 999999999
	GROUP BY search, worker_id
) AS g
LEFT JOIN workers AS w ON w.id = g.worker_id
ORDER BY g.search, g.games DESC;
