-- The champions of all runs, the highest held-out fitness first; one row for each search. Fitness and gain are in the objective's unit.
SELECT search, run, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, verdict, objective, number AS candidate, games,
	mean_score
FROM champions
ORDER BY search, objective, fitness DESC;
