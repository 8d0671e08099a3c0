-- Every comparison of players in the database, in words and figures: is the player better than the baseline? Intervals have the
-- confidence beside them. What a champion's features and weights do is in ablation and sensitivity.
SELECT run, phase, search, objective,
	CASE verdict
		WHEN 'better' THEN player || ' is better than ' || baseline
		WHEN 'worse' THEN player || ' is worse than ' || baseline
		WHEN 'no difference found' THEN 'no difference found between ' || player || ' and ' || baseline
		ELSE 'undecided between ' || player || ' and ' || baseline
	END AS verdict,
	difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high, confidence, p_adjusted, games, baseline_games, candidate_id, baseline_id
FROM verdicts
WHERE phase IN ('validation', 'comparison');
