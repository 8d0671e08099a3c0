-- Every comparison in the database: difference and ratio of two candidates' mean scores with 95% intervals.
SELECT r.name AS run, s.phase, s.search, s.candidate_id, s.baseline_id, s.difference, s.ci_low, s.ci_high, s.ratio, s.ratio_ci_low, s.ratio_ci_high
FROM comparisons AS s
JOIN runs AS r ON r.id = s.run_id
WHERE s.phase <> 'sensitivity'
ORDER BY r.id DESC, s.phase, s.search, s.candidate_id, s.baseline_id;
