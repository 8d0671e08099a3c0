-- Which weights go with the score: the correlation of each weight with fitness over all candidates, both less their mean among the
-- candidates that played the same games. So neither a weight that drifts while the search improves counts, nor a lucky
-- generation. The interval is 95%. Games are noisy, so a weight that matters may have 0.1, and near its best value it has none: what
-- a feature is worth says ablation. Of 20,000 candidates at most, in evenly chosen generations. Of the newest finished run, or
-- else the newest.
-- No rows: a run has a row for each weight that differs within a generation, once its first generation has ended. A comparison tunes nothing.
WITH asked_for AS MATERIALIZED (
	SELECT r.id, r.name, (
		SELECT 1 + sum(g.candidates) / 20000 FROM generations AS g WHERE g.run_id = r.id AND g.position < coalesce(r.generations, 1000000000)
	) AS step
	FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
), seen AS (
	SELECT f.id, f.name, p.position, p.slice, c.weights, p.fitness - avg(p.fitness) OVER (PARTITION BY p.slice) AS better
	FROM asked_for AS f
	CROSS JOIN population AS p ON p.run_id = f.id AND p.position % f.step = 0
	CROSS JOIN candidates AS c ON c.id = p.candidate_id
), apart AS (
	SELECT s.id, s.name, s.position, s.better, w.key, w.value - avg(w.value) OVER (PARTITION BY s.slice, w.key) AS more
	FROM seen AS s
	CROSS JOIN json_each(s.weights) AS w
), sums AS (
	SELECT id, name, key, count(*) AS candidates, count(DISTINCT position) AS generations, sum(more * better) AS products,
		sum(more * more) * sum(better * better) AS squares, sum(more * more * better * better) AS error
	FROM apart GROUP BY key
), roots AS MATERIALIZED (
	-- Square roots by Newton's method: not every SQLite has them. The error is of products that vary as they do, not as if all
	-- generations were spread alike.
	SELECT s.*,
		(WITH RECURSIVE root(x, n) AS (SELECT 1.0, 0 UNION ALL SELECT (x + products / squares * products / x) / 2, n + 1 FROM root WHERE n < 60)
			SELECT iif(products < 0, -x, x) FROM root ORDER BY n DESC LIMIT 1) AS correlation,
		(WITH RECURSIVE root(x, n) AS (SELECT 1.0, 0 UNION ALL SELECT (x + error / squares / x) / 2, n + 1 FROM root WHERE n < 60)
			SELECT 1.96 * x FROM root ORDER BY n DESC LIMIT 1) AS width
	FROM sums AS s
	WHERE squares > 0
)
SELECT r.name AS run, (SELECT s.names FROM candidates AS s WHERE s.id = r.id * 1000000000) ->> r.key AS weight,
	round(r.correlation, 6) AS correlation, max(-1, r.correlation - r.width) AS ci_low, min(1, r.correlation + r.width) AS ci_high, r.candidates, r.generations
FROM roots AS r
ORDER BY abs(r.correlation) DESC, r.key;
