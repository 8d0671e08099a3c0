-- What games cost: nodes and milliseconds for a move and a game, by search. Milliseconds depend on the machine; they are
-- those of a thousand of the last games at that search, if these are kept as rows.
WITH spent AS (
	SELECT k.run_id, k.search, sum(p.games) AS games, sum(p.moves) AS moves, sum(p.nodes) AS nodes
	FROM rankings AS k
	JOIN pools AS p ON p.setting_id = k.setting_id AND p.ranking_id = k.id
	GROUP BY k.run_id, k.search
), timed AS (
	SELECT b.run_id, b.search, sum(g.duration_us) / 1000.0 AS ms, sum(g.moves) AS moves, count(*) AS games
	FROM (SELECT run_id, search, max(first_game) AS first_game FROM blocks GROUP BY run_id, search) AS b
	JOIN games AS g ON g.id BETWEEN b.run_id * 1000000000 + b.first_game AND b.run_id * 1000000000 + b.first_game + 999 AND g.search = b.search
	GROUP BY b.run_id, b.search
)
SELECT r.name AS run, s.search, s.games, 1.0 * s.nodes / s.moves AS nodes_per_move, 1.0 * s.moves / s.games AS moves_per_game,
	t.ms / t.moves AS ms_per_move, t.ms / t.games AS ms_per_game
FROM spent AS s
JOIN runs AS r ON r.id = s.run_id
LEFT JOIN timed AS t ON t.run_id = s.run_id AND t.search = s.search
ORDER BY r.id DESC, nodes_per_move;
