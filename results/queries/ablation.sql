-- Which features matter: what the champions' fitness comes to without each of them, as a change in percent. The intervals of a run
-- hold together with 95%, each by itself with its confidence. Undecided: about so many more games of each player would tell.
SELECT v.run, v.search,
	-- The weight that is 0 without the feature, and is not with it.
	(SELECT w.name FROM weights AS w
		LEFT JOIN weights AS b ON b.candidate_id = v.baseline_id AND b.name = w.name
		WHERE w.candidate_id = v.candidate_id AND w.value = 0 AND b.value IS NOT w.value) AS feature,
	v.games, 100 * (v.ratio - 1) AS change_percent, 100 * (v.ratio_ci_low - 1) AS ci_low_percent, 100 * (v.ratio_ci_high - 1) AS ci_high_percent,
	CASE v.verdict WHEN 'worse' THEN 'matters' WHEN 'better' THEN 'better without it'
		WHEN 'no difference found' THEN 'can be left out' ELSE v.verdict END AS verdict,
	v.more_games, v.confidence
FROM verdicts AS v
WHERE v.phase = 'ablation';
