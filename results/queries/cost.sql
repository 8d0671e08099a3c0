-- What games cost: nodes and milliseconds for a move and a game, by search. Milliseconds depend on the machine; they are
-- those of a thousand of the last games at that search, if these are kept as rows.
WITH spent AS (
	SELECT run_id, search, sum(games) AS games, sum(moves) AS moves, sum(nodes) AS nodes, max(first_game) AS last
	FROM evaluations
	GROUP BY run_id, search
), timed AS (
	SELECT s.run_id, s.search, sum(g.duration_us) / 1000.0 AS ms, sum(g.moves) AS moves, count(*) AS games
	FROM spent AS s
	CROSS JOIN games AS g ON g.id BETWEEN s.run_id * 1000000000 + s.last AND s.run_id * 1000000000 + s.last + 999 AND +g.search = s.search -- +: by id
	GROUP BY s.run_id, s.search
)
SELECT r.name AS run, s.search, s.games, 1.0 * s.nodes / s.moves AS nodes_per_move, 1.0 * s.moves / s.games AS moves_per_game,
	t.ms / t.moves AS ms_per_move, t.ms / t.games AS ms_per_game
FROM spent AS s
JOIN runs AS r ON r.id = s.run_id
LEFT JOIN timed AS t ON t.run_id = s.run_id AND t.search = s.search
ORDER BY r.id DESC, nodes_per_move;
