-- How much the games of the choice flattered: what tuning and playoff said of the champions, and what held-out games say.
SELECT run, search, tuning_mean, tuning_games, in_sample_mean, in_sample_games, mean_score AS held_out_mean, games AS held_out_games,
	CASE in_sample_search WHEN search THEN 100.0 * (in_sample_mean / mean_score - 1) END AS flattered_percent
FROM champions;
