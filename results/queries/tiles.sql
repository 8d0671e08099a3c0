-- How often a run's champion and start reached a tile, in held-out games: a row a tile. Of the newest finished run, or else the newest.
-- No rows: a run plays held-out games after its playoff, and some bots do not say their tiles. A comparison has no champion.
SELECT t.run, t.search, t.candidate_id, CASE t.candidate_id WHEN r.champion_id THEN 'champion' WHEN r.id * 1000000000 THEN 'start' ELSE 'reference' END AS player,
	t.tile, t.share, t.ci_low, t.ci_high
FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
JOIN tile_rates AS t ON t.run_id = r.id
WHERE t.phase = 'validation'
ORDER BY t.search, t.candidate_id, t.tile;
