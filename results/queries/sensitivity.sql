-- Which weights matter, where a config asks for it: the champions with one weight moved, minus the champion. The intervals of a run
-- hold together with 95%. No effect seen: none beyond the interval.
SELECT run, search, player AS moved, difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high,
	CASE WHEN verdict IN ('better', 'worse') THEN 'matters' ELSE 'no effect seen' END AS verdict, games, confidence
FROM verdicts
WHERE phase = 'sensitivity';
