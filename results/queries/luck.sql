-- How much the games of the choice flattered: the champions' fitness in tuning and playoff, and on held-out games.
-- No rows: a run has a champion after its playoff, and held-out figures with its validation.
SELECT run, search, in_sample_fitness, fitness AS held_out_fitness,
	CASE WHEN in_sample_search = search AND objective <> 'mean_log_score' AND fitness > 0 AND in_sample_fitness > 0 THEN 100.0 * (in_sample_fitness / fitness - 1) END AS flattered_percent,
	tuning_fitness, objective, tuning_games, in_sample_games, games AS held_out_games
FROM champions;
