-- The weights of all champions, one row for each. The column weights of the view champions has them as JSON.
-- No rows: a run has a champion after its playoff. A comparison has none.
SELECT r.name AS run, c.id % 1000000000 AS candidate, w.name AS weight, w.value
FROM runs AS r
JOIN candidates AS c ON c.id = r.champion_id
JOIN weights AS w ON w.candidate_id = c.id
ORDER BY r.ending_id DESC, w.position;
