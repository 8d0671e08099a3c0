-- The champions of all runs, the highest held-out fitness first; one row for each search. Runs of other rules stand apart. Fitness and gain are in the objective's unit, gain_percent is in percent.
-- Runs without a verdict follow, with the centre of their search at its last look, on games that choose nothing; before the first look they have no row. RUN:CANDIDATE names it for export.
-- No rows: a run has a row from its first look at its centre on. A comparison has none: tune query comparisons.
SELECT search, run, verdict, gain_percent, gain_percent_ci_low, gain_percent_ci_high, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, games, objective, number AS candidate, mean_score
FROM (
	SELECT 0 AS so_far, search, run, gain_percent, gain_percent_ci_low, gain_percent_ci_high, fitness, fitness_ci_low, fitness_ci_high, gain, gain_ci_low, gain_ci_high, verdict, objective, number, games,
		mean_score
	FROM champions
	WHERE verdict IS NOT NULL
	UNION ALL
	-- A look is known by its stage and generation. Its centre played last: the start weights play first.
	SELECT 1, p.search, r.name, NULL, NULL, NULL, sum(a.games * a.fitness) / sum(a.games), iif(f.games = sum(a.games), f.fitness_ci_low, NULL), iif(f.games = sum(a.games), f.fitness_ci_high, NULL), NULL, NULL, NULL, 'so far', r.objective,
		l.candidate_id % 1000000000, sum(a.games), sum(a.games * a.mean_score) / sum(a.games)
	FROM runs AS r
	JOIN endings AS e ON e.id = r.ending_id
	CROSS JOIN asked AS l ON l.owner_id = r.id AND l.number = (
		SELECT max(k.number) FROM asked AS k INDEXED BY asked_after_tuning JOIN slices AS s ON s.owner_id = k.owner_id AND s.number = k.slice
		WHERE k.owner_id = r.id AND k.phase = 'centre' AND k.number < e.questions AND s.round = 0
			AND NOT EXISTS (SELECT 1 FROM asked AS f INDEXED BY asked_failed JOIN slices AS t ON t.owner_id = f.owner_id AND t.number = f.slice
				WHERE f.owner_id = r.id AND f.phase = 'centre' AND f.games = 0 AND t.round = 0 AND t.stage = s.stage AND t.generation = s.generation)
	)
	CROSS JOIN slices AS p ON p.owner_id = l.owner_id AND p.number = l.slice
	CROSS JOIN asked AS a INDEXED BY asked_after_tuning ON a.owner_id = r.id AND a.phase = 'centre' AND a.candidate_id = l.candidate_id
	CROSS JOIN slices AS q ON q.owner_id = a.owner_id AND q.number = a.slice AND q.round = 0 AND q.stage = p.stage AND q.generation = p.generation
	-- Its interval, once a process has computed it for this look: once a minute at most.
	LEFT JOIN standings AS f ON f.run_id = r.id AND f.owner_id = r.ending_id AND f.phase = 'centre' AND f.candidate_id = l.candidate_id
	WHERE r.kind = 'tune' AND NOT EXISTS (SELECT 1 FROM comparisons AS c WHERE c.ending_id = r.ending_id AND c.phase = 'validation')
	GROUP BY r.id
)
ORDER BY so_far, search, (SELECT four_probability FROM runs WHERE name = run), objective, fitness DESC;
