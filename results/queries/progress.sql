-- How far the search came with its games of tuning: the mean fitness of a generation's candidates, and of the centre of the search and the
-- start weights where they played games that choose nothing. Candidates may be drawn widely, so the centre says how good the
-- search was. Of about 40 generations, evenly chosen, and those with such games. Of the newest finished run, or else the newest.
-- No rows: a run has a row once its first generation has ended. A comparison tunes nothing.
WITH asked_for AS MATERIALIZED (
	SELECT r.id, r.name, r.objective, e.questions, (
		SELECT max(g.position) FROM generations AS g WHERE g.run_id = r.id AND g.position < coalesce(r.generations, 1000000000)
	) AS last
	FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
	JOIN endings AS e ON e.id = r.ending_id
), looks AS MATERIALIZED (
	-- In a look the start weights play first, and the centre last.
	SELECT f.id, p.stage, p.search, p.generation, min(a.number) AS first, max(a.number) AS last
	FROM asked_for AS f
	CROSS JOIN asked AS a ON a.owner_id = f.id AND a.phase = 'centre' AND a.number < f.questions AND a.games > 0
	CROSS JOIN slices AS p ON p.owner_id = a.owner_id AND p.number = a.slice AND p.round = 0
	GROUP BY p.stage, p.search, p.generation
), played AS MATERIALIZED (
	SELECT l.stage, l.search, l.generation, a.candidate_id = c.candidate_id AS is_centre, sum(a.games) AS games, sum(a.games * a.fitness) / sum(a.games) AS fitness
	FROM looks AS l
	CROSS JOIN asked AS c ON c.owner_id = l.id AND c.number = l.last
	CROSS JOIN asked AS a ON a.owner_id = l.id AND a.phase = 'centre' AND a.number BETWEEN l.first AND l.last
	GROUP BY l.stage, l.search, l.generation, a.candidate_id
)
SELECT f.name AS run, g.played AS games, c.fitness AS centre, s.fitness AS start, c.games AS centre_games, g.mean_fitness AS candidates_mean,
	g.mean_fitness_ci_low AS ci_low, g.mean_fitness_ci_high AS ci_high, g.stage, g.generation, f.objective
FROM asked_for AS f
CROSS JOIN generations AS g ON g.run_id = f.id AND g.position <= f.last
LEFT JOIN played AS c ON c.stage = g.stage AND c.search = g.search AND c.generation = g.generation AND c.is_centre
LEFT JOIN played AS s ON s.stage = g.stage AND s.search = g.search AND s.generation = g.generation AND NOT s.is_centre
WHERE g.position % (1 + f.last / 40) = 0 OR g.position = f.last OR c.fitness IS NOT NULL
ORDER BY g.position;
