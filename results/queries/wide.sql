-- The 20 best candidates of the newest run's tuning, with their weights as one JSON object each.
-- fitness_shrunk is without the luck.
SELECT search, rank, candidate_id, games, mean_score, ci_low, ci_high, fitness_shrunk, fitness_low, weights
FROM leaderboard
WHERE run_id = (SELECT max(id) FROM runs WHERE kind = 'tune') AND phase = 'tuning'
LIMIT 20;
