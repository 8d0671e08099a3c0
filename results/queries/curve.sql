-- How the newest run's tuning went: mean and best fitness of each generation.
SELECT stage, generation, mean, best
FROM convergence
WHERE run = (SELECT name FROM runs WHERE kind = 'tune' ORDER BY id DESC LIMIT 1);
