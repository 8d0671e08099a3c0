-- What games cost: nodes and milliseconds for a move and a game, by search. Milliseconds depend on the machine, and are
-- there for games that are kept as rows.
SELECT r.name AS run, g.search, count(*) AS games, 1.0 * sum(g.nodes) / sum(g.moves) AS nodes_per_move,
	1.0 * sum(g.moves) / count(*) AS moves_per_game, sum(g.duration_us) / 1000.0 / sum(g.moves) AS ms_per_move, sum(g.duration_us) / 1000.0 / count(*) AS ms_per_game
FROM games AS g
JOIN runs AS r ON r.id = g.run_id
GROUP BY r.id, g.search
ORDER BY r.id DESC, nodes_per_move;
