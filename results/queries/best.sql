-- The champions of all runs, the highest held-out fitness first; one row for each search. Runs of other rules stand apart. Fitness and gain are in the objective's unit.
-- Runs without a champion follow, with their leader so far: its fitness without luck, and the lower bound of that. RUN:CANDIDATE names it for export.
SELECT search, run, verdict, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, games, objective, number AS candidate, mean_score
FROM (
	SELECT 0 AS so_far, search, run, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, verdict, objective, number, games,
		mean_score
	FROM champions
	UNION ALL
	SELECT 1, f.search, r.name, f.fitness_shrunk, f.fitness_low, NULL, NULL, NULL, NULL, 'so far', r.objective,
		f.candidate_id % 1000000000, f.games, NULL
	FROM runs AS r
	CROSS JOIN standings AS f ON f.run_id = r.id AND f.owner_id = r.id AND f.position = (
		SELECT min(k.position) FROM standings AS k WHERE k.run_id = r.id AND k.owner_id = r.id AND k.phase = 'tuning'
	)
	WHERE r.kind = 'tune' AND NOT EXISTS (SELECT 1 FROM champions AS c WHERE c.run_id = r.id)
)
ORDER BY so_far, search, (SELECT four_probability FROM runs WHERE name = run), objective, fitness DESC;
