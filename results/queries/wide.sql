-- The 20 best candidates of the newest run's tuning with their weights as one JSON object each.
SELECT search, rank, candidate_id, games, mean_score, ci_low, ci_high, weights
FROM leaderboard
WHERE run = (SELECT name FROM runs WHERE kind = 'tune' ORDER BY id DESC LIMIT 1) AND phase = 'tuning'
LIMIT 20;
