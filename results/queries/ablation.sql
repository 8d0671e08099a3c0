-- Which features matter: the change of the champion's fitness without each feature, in percent. Of the newest finished run, or
-- else the newest. The intervals hold together with 95%, each by itself with its confidence. Undecided: about so many more games of each player would tell.
-- The difference is in the objective's unit. A mean that is not above 0 has no change in percent.
-- No rows: a run leaves its features out one by one after the validation, unless its config says ablation: {games: 0}.
SELECT v.run,
	CASE WHEN v.question LIKE 'without %' THEN substr(v.question, length('without ') + 1) ELSE v.question END AS feature,
	CASE v.verdict WHEN 'worse' THEN 'matters' WHEN 'better' THEN 'better without it'
		WHEN 'no difference found' THEN 'can be left out' ELSE v.verdict END AS verdict,
	v.change_percent AS change, v.change_percent_ci_low AS change_low, v.change_percent_ci_high AS change_high,
	v.games, v.difference, v.ci_low, v.ci_high, v.search, v.more_games, v.confidence
FROM (SELECT * FROM runs WHERE kind = 'tune' ORDER BY status = 'finished' DESC, ending_id DESC LIMIT 1) AS r -- in a shell also: WHERE name = 'mine'
JOIN verdicts AS v ON v.run_id = r.id
WHERE v.phase = 'ablation'
ORDER BY v.search, v.candidate_id;
