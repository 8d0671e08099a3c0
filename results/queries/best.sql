-- The champions of all runs, the highest held-out fitness first; one row for each search. Fitness and gain are in the objective's unit.
-- Runs without a champion follow, with their leader so far: its fitness without luck, and the lower bound of that.
SELECT search, run, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, verdict, objective, number AS candidate, games,
	mean_score
FROM (
	SELECT 0 AS so_far, search, run, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, verdict, objective, number, games,
		mean_score
	FROM champions
	UNION ALL
	SELECT 1, s.search, r.name, s.fitness_shrunk, s.fitness_low, NULL, NULL, NULL, NULL,
		'so far: tune export ' || r.name || ':' || (s.candidate_id % 1000000), r.objective, s.candidate_id % 1000000, s.games, NULL
	FROM runs AS r
	JOIN standings AS s ON s.run_id = r.id AND s.phase = 'tuning' AND (s.stage, s.search, s.candidate_id) = (
		SELECT k.stage, k.search, k.candidate_id FROM standings AS k WHERE k.run_id = r.id AND k.phase = 'tuning'
		ORDER BY k.began DESC, k.fitness_low DESC, k.candidate_id LIMIT 1
	)
	WHERE r.kind = 'tune' AND r.champion_id IS NULL
)
ORDER BY so_far, search, objective, fitness DESC;
