-- Which weights go together: the correlation of two weights among the candidates of the last quarter of the last stage, both less
-- their generation's mean. CMA-ES draws them by what it has learned: near 1 both may grow together at little loss, near -1 one may
-- make up for the other. It is what the search believes, not a measurement, and of values: a penalty that grows has a falling value.
-- Of 2,000 candidates at most, and the 100 closest pairs. Of the newest finished run, or else the newest.
-- No rows: a run has pairs if it tunes two weights, once its first generation has ended. A comparison tunes nothing.
WITH asked_for AS MATERIALIZED (
	SELECT r.id, r.name, (
		SELECT max(g.position) FROM generations AS g WHERE g.run_id = r.id AND g.position < coalesce(r.generations, 1000000000)
	) AS last
	FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
), quarter AS MATERIALIZED (
	SELECT f.id, f.name, f.last, f.last - l.generation / 4 AS first, (
		SELECT 1 + sum(g.candidates) / 2000 FROM generations AS g WHERE g.run_id = f.id AND g.position BETWEEN f.last - l.generation / 4 AND f.last
	) AS step
	FROM asked_for AS f
	CROSS JOIN generations AS l ON l.run_id = f.id AND l.position = f.last
), seen AS (
	SELECT q.id, q.name, p.position, p.slice, p.candidate_id, w.key, w.value - avg(w.value) OVER (PARTITION BY p.slice, w.key) AS apart
	FROM quarter AS q
	CROSS JOIN population AS p ON p.run_id = q.id AND p.round = 0 AND p.position BETWEEN q.first AND q.last AND (q.last - p.position) % q.step = 0
	CROSS JOIN candidates AS c ON c.id = p.candidate_id
	CROSS JOIN json_each(c.weights) AS w
), gathered AS (
	SELECT id, name, position, json_group_object(key, apart) AS weights FROM seen GROUP BY slice, candidate_id
), sums AS (
	SELECT o.id, o.name, CAST(a.key AS INTEGER) AS one, CAST(b.key AS INTEGER) AS other, count(*) AS candidates, count(DISTINCT o.position) AS generations,
		sum(a.value * b.value) AS products, sum(a.value * a.value) * sum(b.value * b.value) AS squares
	FROM gathered AS o
	CROSS JOIN json_each(o.weights) AS a
	CROSS JOIN json_each(o.weights) AS b
	WHERE CAST(b.key AS INTEGER) > CAST(a.key AS INTEGER)
	GROUP BY a.key, b.key
), roots AS MATERIALIZED (
	-- The square root by Newton's method: not every SQLite has one.
	SELECT s.*, (SELECT n.names FROM candidates AS n WHERE n.id = s.id * 1000000000) AS names,
		(WITH RECURSIVE root(x, n) AS (SELECT 1.0, 0 UNION ALL SELECT (x + products / squares * products / x) / 2, n + 1 FROM root WHERE n < 60)
			SELECT iif(products < 0, -x, x) FROM root ORDER BY n DESC LIMIT 1) AS correlation
	FROM sums AS s
	WHERE squares > 0
)
SELECT r.name AS run, r.names ->> r.one AS weight, r.names ->> r.other AS other, round(r.correlation, 6) AS correlation, r.candidates, r.generations
FROM roots AS r
ORDER BY abs(r.correlation) DESC, r.one, r.other
LIMIT 100;
