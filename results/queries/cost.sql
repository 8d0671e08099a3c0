-- What games cost: nodes and milliseconds for a move and a game, by search; of a comparison for each player. Milliseconds are wall
-- time as the games were played, of bots CPU time: a busy machine makes them longer.
-- No rows: no evaluation is recorded yet.
SELECT o.run, s.search, iif(e.phase = 'comparison', c.name, '') AS player, sum(e.games) AS games,
	total(e.nodes) / (total(e.moves) FILTER (WHERE e.nodes IS NOT NULL)) AS nodes_per_move,
	total(e.moves) / (total(e.games) FILTER (WHERE e.moves IS NOT NULL)) AS moves_per_game,
	(total(e.duration_us) FILTER (WHERE e.moves IS NOT NULL)) / 1000.0 / (total(e.moves) FILTER (WHERE e.duration_us IS NOT NULL)) AS ms_per_move,
	total(e.duration_us) / 1000.0 / (total(e.games) FILTER (WHERE e.duration_us IS NOT NULL)) AS ms_per_game
FROM asked AS e
JOIN slices AS s ON s.owner_id = e.owner_id AND s.number = e.slice
JOIN owners AS o ON o.owner_id = e.owner_id AND e.number < o.questions
JOIN candidates AS c ON c.id = e.candidate_id
GROUP BY o.run_id, s.search, iif(e.phase = 'comparison', c.id, 0)
ORDER BY o.ending_id DESC, nodes_per_move, c.id;
