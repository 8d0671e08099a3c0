-- How the newest run's tuning went: mean and best fitness of each generation.
SELECT stage, generation, mean_fitness, best_fitness
FROM convergence
WHERE run_id = (SELECT max(id) FROM runs WHERE kind = 'tune');
