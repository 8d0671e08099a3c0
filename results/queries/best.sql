-- The champions of all runs, the highest held-out mean score first; one row for each search.
SELECT search, run, number AS candidate, games, mean_score, ci_low, ci_high, gain, gain_ci_low, gain_ci_high
FROM champions
ORDER BY search, mean_score DESC;
