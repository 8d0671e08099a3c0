-- Which weights matter: the champions with one weight moved, minus the champion. The intervals of a run hold together with
-- 95%; one that excludes 0 is a weight that matters.
SELECT r.name AS run, s.search, c.name AS moved, s.difference, s.ci_low, s.ci_high, s.ratio,
	CASE WHEN s.ci_low > 0 OR s.ci_high < 0 THEN 'matters' WHEN s.ci_low = 0 AND s.ci_high = 0 THEN 'no effect' ELSE 'no effect seen' END AS verdict
FROM comparisons AS s
JOIN runs AS r ON r.id = s.run_id
JOIN candidates AS c ON c.id = s.candidate_id
WHERE s.phase = 'sensitivity'
ORDER BY r.id DESC, s.candidate_id;
