-- How the weights moved: mean and standard deviation of each weight among the candidates of a generation, after these games of
-- tuning. Of about 20 generations, evenly chosen. A weight without effect wanders, and its spread stays wide. Of the newest
-- finished run, or else the newest. The weights of the champions alone are in champions.
-- No rows: a run has a row for each weight once its first generation has ended. A comparison tunes nothing.
WITH asked_for AS MATERIALIZED (
	SELECT r.id, r.name, r.champion_id, (
		SELECT max(g.position) FROM generations AS g WHERE g.run_id = r.id AND g.position < coalesce(r.generations, 1000000000)
	) AS last
	FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
), seen AS (
	SELECT DISTINCT f.id, f.name, f.champion_id, p.position, p.stage, p.generation, p.played, p.candidate_id -- which may have two slices
	FROM asked_for AS f
	CROSS JOIN population AS p ON p.run_id = f.id AND p.round = 0 AND (p.position % (1 + f.last / 20) = 0 OR p.position = f.last)
), apart AS (
	SELECT s.*, w.key, avg(w.value) OVER g AS mean, w.value - avg(w.value) OVER g AS apart
	FROM seen AS s
	CROSS JOIN candidates AS c ON c.id = s.candidate_id
	CROSS JOIN json_each(c.weights) AS w
	WINDOW g AS (PARTITION BY s.position, w.key)
), moved AS (
	SELECT *, count(*) AS candidates, sum(apart * apart) / (count(*) - 1) AS variance FROM apart GROUP BY key, position
)
SELECT m.name AS run, (SELECT s.names FROM candidates AS s WHERE s.id = m.id * 1000000000) ->> m.key AS weight, m.played AS games, m.mean,
	-- The square root by Newton's method: not every SQLite has one.
	(WITH RECURSIVE root(x, n) AS (SELECT (1 + m.variance) / 2, 0 UNION ALL SELECT (x + m.variance / x) / 2, n + 1 FROM root WHERE n < 100)
		SELECT iif(m.variance > 0, x, m.variance) FROM root ORDER BY n DESC LIMIT 1) AS sd,
	(SELECT c.weights FROM candidates AS c WHERE c.id = m.champion_id) ->> m.key AS champion, m.candidates, m.stage, m.generation
FROM moved AS m
ORDER BY m.key, m.position;
