-- The best mean score for each cost, of all players and searches in validations and comparisons. Nobody with fewer nodes per
-- move has a higher mean score. The best of many is a little lucky: compare players before you trust a small difference.
WITH played AS (
	-- A comparison numbers its players anew: one with all the tuned weights of a run's champion is that champion.
	SELECT s.*, coalesce(CASE s.phase WHEN 'comparison' THEN (
		SELECT r.champion_id FROM runs AS r
		WHERE r.champion_id > r.id * 1000000 AND NOT EXISTS (
			SELECT 1 FROM weights AS w LEFT JOIN weights AS v ON v.candidate_id = s.candidate_id AND v.name = w.name
			WHERE w.candidate_id = r.champion_id AND v.value IS NOT w.value
		)
		ORDER BY r.id DESC LIMIT 1
	) END, s.candidate_id) AS player_id
	FROM standings AS s
	WHERE s.phase IN ('validation', 'comparison')
), figures AS (
	-- Of a player who played several times, the validation counts, or else where it played most games.
	SELECT p.player_id, p.search, p.games, p.mean_score, p.ci_low, p.ci_high, 1.0 * p.nodes / p.moves AS nodes_per_move, row_number() OVER (
		PARTITION BY p.search, CASE WHEN c.play <> '' THEN c.play
			ELSE c.name || c.dead || (SELECT v.weights FROM vectors AS v WHERE v.candidate_id = c.id) END
		ORDER BY p.phase = 'validation' DESC, p.games DESC, p.run_id DESC
	) AS choice
	FROM played AS p
	JOIN candidates AS c ON c.id = p.player_id
), players AS (
	SELECT * FROM figures WHERE choice = 1 -- AND search = 'depth 3': for one search alone
)
SELECT f.search, f.mean_score, f.nodes_per_move,
	CASE WHEN c.id = r.champion_id THEN 'champion' WHEN c.name <> '' THEN c.name WHEN c.number = 0 THEN 'start'
		ELSE 'candidate ' || c.number END AS name,
	f.ci_low, f.ci_high, r.name AS run, f.games, f.player_id AS candidate_id
FROM players AS f
JOIN candidates AS c ON c.id = f.player_id
JOIN runs AS r ON r.id = c.run_id
WHERE NOT EXISTS (
	SELECT 1 FROM players AS o
	WHERE o.mean_score >= f.mean_score AND o.nodes_per_move <= f.nodes_per_move
		AND (o.mean_score > f.mean_score OR o.nodes_per_move < f.nodes_per_move)
)
ORDER BY f.nodes_per_move, r.id;
