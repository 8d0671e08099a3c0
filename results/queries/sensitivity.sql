-- Which weights matter: the champions with one weight moved, minus the champion. The intervals of a run hold together with
-- 95%. No effect: every game was the same; no effect seen: too few games to tell it from 0.
SELECT run, search, player AS moved, difference, ci_low, ci_high, ratio,
	CASE WHEN verdict IN ('better', 'worse') THEN 'matters' WHEN ci_low = 0 AND ci_high = 0 THEN 'no effect' ELSE 'no effect seen' END AS verdict
FROM verdicts
WHERE phase = 'sensitivity';
