-- The best mean score for each cost, of all players and searches in validations and comparisons. Nobody with fewer nodes per
-- move has a higher mean score. The best of many is a little lucky: compare players before you trust a small difference. Nodes of
-- bots are not known, so they are not listed. Players of other rules have a frontier of their own.
-- No rows: validations and comparisons have such players, unless these are bots, or no run has come to its validation yet.
WITH figured AS (
	-- Of a player who played several times, the validation counts, or else where it played most games.
	SELECT f.search, f.games, f.mean_score, f.ci_low, f.ci_high, 1.0 * f.nodes / f.moves AS nodes_per_move, f.candidate_id, c.play, r.four_probability, row_number() OVER (
		PARTITION BY f.search, c.play ORDER BY f.phase = 'validation' DESC, f.games DESC, f.owner_id DESC
	) AS choice
	FROM standings AS f
	JOIN candidates AS c ON c.id = f.candidate_id
	JOIN owners AS o ON o.owner_id = f.owner_id
	JOIN runs AS r ON r.id = o.run_id
	WHERE f.phase IN ('validation', 'comparison') AND f.nodes IS NOT NULL
), players AS (
	SELECT * FROM figured WHERE choice = 1 -- AND search = 'depth 3': for one search alone
), named AS (
	-- The same player is the champion of a run, or else has the name that it has where it played.
	SELECT p.*, coalesce((SELECT r.champion_id FROM runs AS r JOIN candidates AS d ON d.id = r.champion_id
		WHERE d.play = p.play AND d.number > 0 ORDER BY r.ending_id DESC LIMIT 1), p.candidate_id) AS player_id
	FROM players AS p
	WHERE NOT EXISTS (
		SELECT 1 FROM players AS o
		WHERE o.four_probability = p.four_probability AND o.mean_score >= p.mean_score AND o.nodes_per_move <= p.nodes_per_move
			AND (o.mean_score > p.mean_score OR o.nodes_per_move < p.nodes_per_move)
	)
)
SELECT r.name AS run, p.search, p.mean_score, p.nodes_per_move,
	CASE WHEN c.id = r.champion_id THEN 'champion' WHEN c.name <> '' THEN c.name WHEN c.number = 0 THEN 'start'
		ELSE 'candidate ' || c.number END AS name,
	p.ci_low, p.ci_high, p.games, p.player_id AS candidate_id, p.four_probability
FROM named AS p
JOIN candidates AS c ON c.id = p.player_id
JOIN runs AS r ON r.id = c.run_id
ORDER BY p.four_probability, p.nodes_per_move, r.ending_id;
