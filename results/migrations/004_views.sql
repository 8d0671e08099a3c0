-- The views again, with the same rows as in 002, from the summaries: plain SQL and sqrt(), so that any SQLite shell
-- can read them. A row that is not asked for costs little, and LIMIT ends the work.

DROP VIEW champions;
DROP VIEW leaderboard;
DROP VIEW pooled;
DROP VIEW convergence;
DROP VIEW tile_rates;
DROP VIEW progress;

-- One row for each candidate of a run, phase, stage and search, over all generations and rounds. A figure that
-- rests on one evaluation is that evaluation's, to the last bit.
CREATE VIEW pooled AS
SELECT
	r.name AS run,
	k.run_id, k.phase, k.stage, k.search, p.candidate_id,
	p.evaluations, p.games, p.mean_score, p.m2_score, p.single_ci_low, p.single_ci_high, p.fitness,
	p.reached_128, p.reached_256, p.reached_512, p.reached_1024, p.reached_2048,
	p.reached_4096, p.reached_8192, p.reached_16384, p.reached_32768, p.reached_65536,
	p.moves, p.nodes, p.generations, p.first_game
FROM rankings AS k
CROSS JOIN runs AS r ON r.id = k.run_id -- CROSS: in this order, whatever the planner thinks
CROSS JOIN pools AS p ON p.setting_id = k.setting_id AND p.ranking_id = k.id;

-- Who is best within one run, phase, stage and search, by mean score. The newest run comes first, and in it the
-- phases that can be trusted most, so that LIMIT 5 shows what one wants to see first. Beware of the first ranks
-- of tuning and playoff: the luckiest of many looks better than it is. What it is worth is in champions.
-- Two indexes are enough to rank; everything that costs is computed outside of the ranking, and so only for the
-- rows that are asked for.
CREATE VIEW leaderboard AS
SELECT
	run, phase, stage, search, rank, candidate_id, number, games, mean_score,
	CASE evaluations WHEN 1 THEN single_ci_low ELSE mean_score - half END AS ci_low, -- 95%; NULL: too few games to tell
	CASE evaluations WHEN 1 THEN single_ci_high ELSE mean_score + half END AS ci_high,
	CASE WHEN games > 1 THEN sqrt(m2_score / df) ELSE 0.0 END AS sd_score,
	fitness, -- mean of the evaluations' fitness, by games
	1.0 * reached_128 / games AS reach_128,
	1.0 * reached_256 / games AS reach_256,
	1.0 * reached_512 / games AS reach_512,
	1.0 * reached_1024 / games AS reach_1024,
	1.0 * reached_2048 / games AS reach_2048,
	1.0 * reached_4096 / games AS reach_4096,
	1.0 * reached_8192 / games AS reach_8192,
	1.0 * reached_16384 / games AS reach_16384,
	1.0 * reached_32768 / games AS reach_32768,
	1.0 * reached_65536 / games AS reach_65536,
	(SELECT c.origin FROM candidates AS c WHERE c.id = ranked.candidate_id) AS origin,
	(SELECT c.name FROM candidates AS c WHERE c.id = ranked.candidate_id) AS name, -- of a reference; otherwise ''
	generations, -- in which it was played
	moves,
	1.0 * moves / games AS moves_per_game,
	1.0 * nodes / moves AS nodes_per_move,
	-- In genome order; 15 digits where they are the number exactly, else 17.
	(SELECT json_group_object(w.name, json(CASE
			WHEN CAST(printf('%!.15g', w.value) AS REAL) = w.value THEN printf('%!.15g', w.value)
			ELSE printf('%!.17g', w.value) END))
		FROM (SELECT * FROM weights AS v WHERE v.candidate_id = ranked.candidate_id ORDER BY v.position) AS w) AS weights
FROM (
	SELECT
		o.run, o.phase, k.stage, k.search, o.rank, o.candidate_id,
		o.candidate_id - k.run_id * 1000000 AS number,
		p.evaluations, p.games, p.games - 1.0 AS df, p.mean_score, p.m2_score, p.single_ci_low, p.single_ci_high, p.fitness,
		p.reached_128, p.reached_256, p.reached_512, p.reached_1024, p.reached_2048,
		p.reached_4096, p.reached_8192, p.reached_16384, p.reached_32768, p.reached_65536,
		p.generations, p.moves, p.nodes,
		-- Half of Student's interval. The quantile is tabled for up to 4 degrees of freedom, then Abramowitz and
		-- Stegun 26.7.5, right to 4 digits at 5 degrees and to 7 from 20 on.
		sqrt(p.m2_score / (p.games - 1.0) / p.games) * CASE p.games - 1.0
			WHEN 1 THEN 12.706204736432095 WHEN 2 THEN 4.302652729911275
			WHEN 3 THEN 3.182446305284263 WHEN 4 THEN 2.7764451051977987
			ELSE 1.959963984540054 + (2.372271230298562 + (2.8224986157396112 + (2.555849679507722
				+ 1.5895340533938225 / (p.games - 1.0)) / (p.games - 1.0)) / (p.games - 1.0)) / (p.games - 1.0)
			END AS half
	FROM (
		-- Rows come in the order of the window, so no sorting is left to do; a condition on run or phase, which the
		-- partition has for that, reaches the indexes.
		SELECT
			r.name AS run, k.phase, k.id AS ranking_id, p.candidate_id,
			row_number() OVER (
				PARTITION BY k.run_order, k.phase_order, k.stage_order, k.id, k.phase, r.name
				ORDER BY p.mean_score DESC, p.candidate_id
			) AS rank
		FROM rankings AS k
		CROSS JOIN runs AS r ON r.id = k.run_id
		CROSS JOIN pools AS p ON p.ranking_id = k.id
	) AS o
	CROSS JOIN rankings AS k ON k.id = o.ranking_id
	CROSS JOIN pools AS p ON p.setting_id = k.setting_id AND p.candidate_id = o.candidate_id AND p.ranking_id = k.id
) AS ranked;

-- What the winner of the playoff is worth: figures of held-out games, one row for each validated search, beside the
-- figures that flattered it. The start weights are candidate 0; gain is the champion's mean minus theirs.
CREATE VIEW champions AS
SELECT
	v.run, v.candidate_id, v.number, v.search, v.games, v.mean_score, v.ci_low, v.ci_high,
	s.games AS start_games,
	s.mean_score AS start_mean,
	s.ci_low AS start_ci_low,
	s.ci_high AS start_ci_high,
	-- NULL until the comparison is recorded. A champion that is the start has gained nothing, for certain.
	CASE v.number WHEN 0 THEN 0.0 ELSE d.difference END AS gain,
	CASE v.number WHEN 0 THEN 0.0 ELSE d.ci_low END AS gain_ci_low,
	CASE v.number WHEN 0 THEN 0.0 ELSE d.ci_high END AS gain_ci_high,
	CASE v.number WHEN 0 THEN 1.0 ELSE d.ratio END AS gain_ratio,
	CASE v.number WHEN 0 THEN 1.0 ELSE d.ratio_ci_low END AS gain_ratio_ci_low,
	CASE v.number WHEN 0 THEN 1.0 ELSE d.ratio_ci_high END AS gain_ratio_ci_high,
	-- The playoff that chose it.
	f.mean_score AS in_sample_mean,
	f.games AS in_sample_games,
	f.search AS in_sample_search,
	-- The last stage in which it was played.
	t.mean_score AS tuning_mean,
	t.games AS tuning_games,
	t.stage AS tuning_stage,
	t.search AS tuning_search,
	v.origin, v.weights
FROM (SELECT * FROM leaderboard WHERE phase = 'validation') AS v
CROSS JOIN runs AS r ON r.name = v.run AND r.champion_id = v.candidate_id
LEFT JOIN (SELECT * FROM leaderboard WHERE phase = 'validation') AS s
	ON s.candidate_id = r.id * 1000000 AND s.search = v.search
LEFT JOIN comparisons AS d ON d.run_id = r.id AND d.phase = 'validation' AND d.search = v.search
	AND d.candidate_id = v.candidate_id AND d.baseline_id = r.id * 1000000
LEFT JOIN (SELECT * FROM pooled WHERE phase = 'playoff') AS f ON f.candidate_id = v.candidate_id
LEFT JOIN (
	SELECT p.*, row_number() OVER (PARTITION BY p.candidate_id ORDER BY p.first_game DESC) AS back
	FROM runs AS c
	CROSS JOIN pooled AS p ON p.run_id = c.id AND p.candidate_id = c.champion_id AND p.phase = 'tuning'
) AS t ON t.candidate_id = v.candidate_id AND t.back = 1
ORDER BY r.id DESC, v.search;

-- How tuning went: the candidates' mean scores in each generation. best is the luckiest as well as the best;
-- sd is the spread between candidates, mostly noise; games counts from the beginning of the run's tuning.
-- Rows come in the order of the window: run by run, as the generations were played.
CREATE VIEW convergence AS
SELECT
	run, stage, search, generation,
	best, mean, worst,
	CASE WHEN candidates > 1 THEN sqrt(m2 / (candidates - 1)) ELSE 0.0 END AS sd,
	best_fitness, mean_fitness, candidates, games
FROM (
	SELECT
		r.name AS run, k.stage, k.search, g.generation, g.best, g.mean, g.worst, g.m2,
		g.best_fitness, g.mean_fitness, g.candidates,
		sum(g.games) OVER (PARTITION BY r.id, r.name ORDER BY g.first_game) AS games
	FROM runs AS r
	CROSS JOIN generations AS g ON g.run_id = r.id
	CROSS JOIN rankings AS k ON k.id = g.ranking_id
);

-- How often a candidate's games reach a tile, with Wilson's 95% score interval.
CREATE VIEW tile_rates AS
SELECT
	run, candidate_id, phase, search, tile,
	p AS share, reached, n AS games,
	CASE reached WHEN 0 THEN 0.0
		ELSE (p + zz / (2 * n) - z * sqrt(p * (1 - p) / n + zz / (4.0 * n * n))) / (1 + zz / n) END AS ci_low,
	CASE reached WHEN n THEN 1.0
		ELSE (p + zz / (2 * n) + z * sqrt(p * (1 - p) / n + zz / (4.0 * n * n))) / (1 + zz / n) END AS ci_high
FROM (
	SELECT
		run, candidate_id, phase, search, tile, reached, n,
		1.0 * reached / n AS p,
		1.959963984540054 AS z, -- the normal distribution's 97.5% quantile
		1.959963984540054 * 1.959963984540054 AS zz
	FROM (
		SELECT
			c.run, c.candidate_id, c.phase, c.search, t.tile, c.n,
			CASE t.tile
				WHEN 128 THEN c.reached_128
				WHEN 256 THEN c.reached_256
				WHEN 512 THEN c.reached_512
				WHEN 1024 THEN c.reached_1024
				WHEN 2048 THEN c.reached_2048
				WHEN 4096 THEN c.reached_4096
				WHEN 8192 THEN c.reached_8192
				WHEN 16384 THEN c.reached_16384
				WHEN 32768 THEN c.reached_32768
				WHEN 65536 THEN c.reached_65536
				END AS reached
		FROM (
			-- In the order of the primary keys, so no sorting is left to do.
			SELECT
				r.name AS run, p.candidate_id, k.phase, k.search, sum(p.games) AS n,
				sum(p.reached_128) AS reached_128,
				sum(p.reached_256) AS reached_256,
				sum(p.reached_512) AS reached_512,
				sum(p.reached_1024) AS reached_1024,
				sum(p.reached_2048) AS reached_2048,
				sum(p.reached_4096) AS reached_4096,
				sum(p.reached_8192) AS reached_8192,
				sum(p.reached_16384) AS reached_16384,
				sum(p.reached_32768) AS reached_32768,
				sum(p.reached_65536) AS reached_65536
			FROM rankings AS k
			CROSS JOIN runs AS r ON r.id = k.run_id
			CROSS JOIN pools AS p ON p.setting_id = k.id
			GROUP BY k.id, p.candidate_id, r.name, k.phase, k.search
		) AS c
		CROSS JOIN (SELECT column1 AS tile FROM (VALUES (128), (256), (512), (1024), (2048), (4096), (8192), (16384), (32768), (65536))) AS t
	)
);

-- Where each run is: what it has recorded, and the last block it finished. The newest run comes first.
CREATE VIEW progress AS
SELECT
	r.name AS run, r.kind, r.status, r.started_at, r.updated_at, r.finished_at,
	(SELECT count(*) FROM candidates AS c WHERE c.run_id = r.id) AS candidates,
	coalesce(b.games, 0) AS games,
	b.phase, b.stage, b.generation, b.round, b.search,
	r.fingerprint
FROM runs AS r
LEFT JOIN (
	-- The bare columns come from the row of the maximum.
	SELECT run_id, sum(games) AS games, max(first_game), phase, stage, generation, round, search
	FROM blocks
	GROUP BY run_id
) AS b ON b.run_id = r.id
ORDER BY r.id DESC;
