-- The best mean score for each cost: of all players of held-out games, in validations and comparisons, those that no other beats
-- in both mean score and nodes per move. Add WHERE search = '...' to the first part for one search alone. The best of many is a little
-- lucky: compare players before you trust a small difference.
WITH figures AS (
	SELECT run_id, phase, search, candidate_id, games, mean_score, ci_low, ci_high, 1.0 * nodes / moves AS nodes_per_move
	FROM standings
	WHERE phase IN ('validation', 'comparison')
)
SELECT r.name AS run, f.candidate_id,
	CASE WHEN c.name <> '' THEN c.name WHEN c.id = r.champion_id THEN 'champion' WHEN c.number = 0 THEN 'start'
		ELSE 'candidate ' || c.number END AS name,
	f.search, f.games, f.mean_score, f.ci_low, f.ci_high, f.nodes_per_move
FROM figures AS f
JOIN runs AS r ON r.id = f.run_id
JOIN candidates AS c ON c.id = f.candidate_id
WHERE NOT EXISTS (
	SELECT 1 FROM figures AS o
	WHERE o.mean_score >= f.mean_score AND o.nodes_per_move <= f.nodes_per_move
		AND (o.mean_score > f.mean_score OR o.nodes_per_move < f.nodes_per_move)
)
ORDER BY f.nodes_per_move, r.id;
