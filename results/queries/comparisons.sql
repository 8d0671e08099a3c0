-- Every comparison of players in the database, in words and figures: is the player better than the baseline? Intervals have the
-- confidence beside them. A look is a question of tune compare at the same games: p_adjusted and confidence pay for the earlier
-- ones. What a champion's features do is in ablation.
-- No rows: a run compares its champion with the start weights after the playoff. tune compare compares any players.
SELECT run, search,
	CASE verdict
		WHEN 'better' THEN player || ' is better than ' || baseline
		WHEN 'worse' THEN player || ' is worse than ' || baseline
		WHEN 'same games' THEN 'the ' || games || ' games of ' || player || ' and ' || baseline || ' are the very same'
		WHEN 'no difference found' THEN 'no difference' || of_size || ' found between ' || player || ' and ' || baseline
		ELSE 'undecided between ' || player || ' and ' || baseline || CASE of_size WHEN '' THEN '' ELSE ': too few games to tell a difference' || of_size END
	END AS verdict,
	change_percent, change_percent_ci_low, change_percent_ci_high, difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high, confidence, p, p_adjusted, look, level, games, baseline_games, phase, objective,
	candidate_id, baseline_id
FROM (
	SELECT *, CASE WHEN smallest_difference <= 0 THEN '' WHEN ratio IS NULL THEN printf(' of %.6g standard deviations of a game', smallest_difference)
		ELSE printf(' of %.6g%%', 100 * smallest_difference) END AS of_size
	FROM verdicts
)
WHERE phase IN ('validation', 'comparison');
