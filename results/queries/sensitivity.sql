-- Which weights matter: the champions with one weight moved, minus the champion. The intervals of a run hold together with
-- 95%; one that excludes 0 is a weight that matters.
SELECT run, search, player AS moved, difference, ci_low, ci_high, ratio,
	CASE WHEN ci_low > 0 OR ci_high < 0 THEN 'matters' WHEN ci_low = 0 AND ci_high = 0 THEN 'no effect' ELSE 'no effect seen' END AS verdict
FROM verdicts
WHERE phase = 'sensitivity';
