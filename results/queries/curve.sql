-- How the newest run's tuning went: mean and best of the candidates' mean scores in each generation.
SELECT stage, generation, mean, best
FROM convergence
WHERE run_id = (SELECT max(id) FROM runs WHERE kind = 'tune');
