-- Summaries of evaluations, so that the views answer at once however many there are. They say nothing that
-- evaluations does not say: a block is finished by a row in blocks, and the trigger on it adds the block's
-- evaluations to the others, in the same transaction. Whoever changes evaluations by hand makes the summaries anew:
--   DELETE FROM generations; DELETE FROM pools; DELETE FROM rankings; DELETE FROM blocks;
-- and then the last statement of this file.

-- pools and generations serve what it was for, and it cost a third of a block's writes.
DROP INDEX evaluations_by_candidate;

-- One row for each finished block of games.
CREATE TABLE blocks (
	run_id      INTEGER NOT NULL REFERENCES runs (id),
	phase       TEXT NOT NULL,    -- phase to round: as in evaluations
	stage       TEXT NOT NULL,
	search      TEXT NOT NULL,
	generation  INTEGER NOT NULL,
	round       INTEGER NOT NULL,
	candidates  INTEGER NOT NULL, -- that played in it
	games       INTEGER NOT NULL, -- of all of them
	first_game  INTEGER NOT NULL, -- number within the run of its first game
	PRIMARY KEY (run_id, phase, stage, search, generation, round)
) STRICT, WITHOUT ROWID;

-- One row for each run, phase, stage and search: candidates are ranked within it.
CREATE TABLE rankings (
	id          INTEGER PRIMARY KEY,
	run_id      INTEGER NOT NULL REFERENCES runs (id),
	phase       TEXT NOT NULL,    -- phase to search: as in evaluations
	stage       TEXT NOT NULL,
	search      TEXT NOT NULL,
	setting_id  INTEGER NOT NULL, -- the first ranking of the same run, phase and search: stages may share a search
	-- Where it stands in the leaderboard, by these three in ascending order.
	run_order   INTEGER NOT NULL, -- minus the run's id: the newest run comes first
	phase_order INTEGER NOT NULL, -- 0 validation, 1 playoff, 2 comparison, 3 tuning: those that can be trusted come first
	stage_order INTEGER NOT NULL, -- minus the first game of its newest evaluation: the last stage comes first
	UNIQUE (run_id, phase, stage, search)
) STRICT;

CREATE UNIQUE INDEX rankings_in_order ON rankings (run_order, phase_order, stage_order, id);

-- One row for each candidate of a ranking: all its evaluations together, added in the order of recording.
CREATE TABLE pools (
	setting_id     INTEGER NOT NULL REFERENCES rankings (id), -- the ranking's
	candidate_id   INTEGER NOT NULL REFERENCES candidates (id),
	ranking_id     INTEGER NOT NULL REFERENCES rankings (id),
	evaluations    INTEGER NOT NULL,
	games          INTEGER NOT NULL,
	total_score    REAL NOT NULL,    -- sum of the evaluations' games x mean score, points
	mean_score     REAL NOT NULL,    -- total_score / games, points; of a single evaluation: its own, to the last bit
	m2_score       REAL NOT NULL,    -- sum of squared deviations from the mean
	single_ci_low  REAL,             -- 95% interval of the mean score as its only evaluation says; NULL: it has several,
	single_ci_high REAL,             -- or too few games to tell
	fitness        REAL NOT NULL,    -- mean of the evaluations' fitness, by games
	reached_128    INTEGER NOT NULL, -- games whose largest tile is at least 128, and so on
	reached_256    INTEGER NOT NULL,
	reached_512    INTEGER NOT NULL,
	reached_1024   INTEGER NOT NULL,
	reached_2048   INTEGER NOT NULL,
	reached_4096   INTEGER NOT NULL,
	reached_8192   INTEGER NOT NULL,
	reached_16384  INTEGER NOT NULL,
	reached_32768  INTEGER NOT NULL,
	reached_65536  INTEGER NOT NULL,
	moves          INTEGER NOT NULL, -- of all the games
	nodes          INTEGER NOT NULL, -- of all the games: afterstates valued or expanded
	generations    INTEGER NOT NULL, -- in which it was played
	first_game     INTEGER NOT NULL, -- number within the run of its first game
	PRIMARY KEY (setting_id, candidate_id, ranking_id)
) STRICT, WITHOUT ROWID;

-- The order within a ranking, of which SQL makes the rank.
CREATE INDEX pools_by_mean ON pools (ranking_id, mean_score DESC, candidate_id);

-- One row for each generation of tuning: its candidates' mean scores and fitnesses, each over the generation's rounds.
CREATE TABLE generations (
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	first_game   INTEGER NOT NULL, -- number within the run of its first game: the order of the curve
	ranking_id   INTEGER NOT NULL REFERENCES rankings (id),
	generation   INTEGER NOT NULL, -- of the stage, from 0
	candidates   INTEGER NOT NULL,
	games        INTEGER NOT NULL, -- of all of them
	best         REAL NOT NULL,    -- greatest of their mean scores, points
	mean         REAL NOT NULL,    -- of their mean scores
	worst        REAL NOT NULL,    -- least of their mean scores
	m2           REAL NOT NULL,    -- sum of their mean scores' squared deviations from mean
	best_fitness REAL NOT NULL,
	mean_fitness REAL NOT NULL,
	PRIMARY KEY (run_id, first_game, ranking_id, generation),
	UNIQUE (ranking_id, generation)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER blocks_are_summarised AFTER INSERT ON blocks
BEGIN
	INSERT INTO rankings (id, run_id, phase, stage, search, setting_id, run_order, phase_order, stage_order)
	SELECT
		fresh.id, NEW.run_id, NEW.phase, NEW.stage, NEW.search,
		coalesce((SELECT min(s.setting_id) FROM rankings AS s
			WHERE s.run_id = NEW.run_id AND s.phase = NEW.phase AND s.search = NEW.search), fresh.id),
		-NEW.run_id,
		CASE NEW.phase WHEN 'validation' THEN 0 WHEN 'playoff' THEN 1 WHEN 'comparison' THEN 2 ELSE 3 END,
		-(SELECT max(e.first_game) FROM evaluations AS e
			WHERE e.run_id = NEW.run_id AND e.phase = NEW.phase AND e.stage = NEW.stage AND e.search = NEW.search
				AND e.generation = NEW.generation AND e.round = NEW.round)
	FROM (SELECT coalesce(max(id), 0) + 1 AS id FROM rankings) AS fresh
	WHERE true -- or the grammar takes ON for a join's
	ON CONFLICT (run_id, phase, stage, search) DO UPDATE SET stage_order = min(stage_order, excluded.stage_order);

	-- Squared deviations are merged as Chan, Golub and LeVeque do it (Updating Formulae and a Pairwise Algorithm for
	-- Computing Sample Variances, 1979).
	INSERT INTO pools (setting_id, candidate_id, ranking_id, evaluations, games, total_score, mean_score, m2_score,
		single_ci_low, single_ci_high, fitness, reached_128, reached_256, reached_512, reached_1024, reached_2048,
		reached_4096, reached_8192, reached_16384, reached_32768, reached_65536, moves, nodes, generations, first_game)
	SELECT
		k.setting_id, e.candidate_id, k.id, 1, e.games, e.games * e.mean_score, e.mean_score, e.m2_score,
		e.ci_low, e.ci_high, e.fitness, e.reached_128, e.reached_256, e.reached_512, e.reached_1024, e.reached_2048,
		e.reached_4096, e.reached_8192, e.reached_16384, e.reached_32768, e.reached_65536, e.moves, e.nodes,
		e.round = 0, -- a generation begins with round 0
		e.first_game
	FROM rankings AS k
	CROSS JOIN evaluations AS e ON e.run_id = k.run_id AND e.phase = k.phase AND e.stage = k.stage AND e.search = k.search
	WHERE k.run_id = NEW.run_id AND k.phase = NEW.phase AND k.stage = NEW.stage AND k.search = NEW.search
		AND e.generation = NEW.generation AND e.round = NEW.round
	ON CONFLICT DO UPDATE SET
		evaluations = evaluations + 1,
		games = games + excluded.games,
		total_score = total_score + excluded.total_score,
		mean_score = (total_score + excluded.total_score) / (games + excluded.games),
		m2_score = m2_score + excluded.m2_score + (excluded.mean_score - mean_score) * (excluded.mean_score - mean_score)
			* games * excluded.games / (games + excluded.games),
		single_ci_low = NULL,
		single_ci_high = NULL,
		fitness = (games * fitness + excluded.games * excluded.fitness) / (games + excluded.games),
		reached_128 = reached_128 + excluded.reached_128,
		reached_256 = reached_256 + excluded.reached_256,
		reached_512 = reached_512 + excluded.reached_512,
		reached_1024 = reached_1024 + excluded.reached_1024,
		reached_2048 = reached_2048 + excluded.reached_2048,
		reached_4096 = reached_4096 + excluded.reached_4096,
		reached_8192 = reached_8192 + excluded.reached_8192,
		reached_16384 = reached_16384 + excluded.reached_16384,
		reached_32768 = reached_32768 + excluded.reached_32768,
		reached_65536 = reached_65536 + excluded.reached_65536,
		moves = moves + excluded.moves,
		nodes = nodes + excluded.nodes,
		generations = generations + excluded.generations,
		first_game = min(first_game, excluded.first_game);

	-- All of the generation again: a round of racing changes the figures of candidates that the last one counted.
	INSERT INTO generations (run_id, first_game, ranking_id, generation, candidates, games, best, mean, worst, m2,
		best_fitness, mean_fitness)
	SELECT
		k.run_id, min(c.first_game), k.id, NEW.generation, count(*), sum(c.games), max(c.score), max(c.centre), min(c.score),
		sum((c.score - c.centre) * (c.score - c.centre)), max(c.fitness), avg(c.fitness)
	FROM rankings AS k
	CROSS JOIN (
		SELECT *, avg(score) OVER () AS centre
		FROM (
			SELECT
				sum(e.games) AS games, min(e.first_game) AS first_game,
				CASE count(*) WHEN 1 THEN max(e.mean_score) ELSE sum(e.games * e.mean_score) / sum(e.games) END AS score,
				CASE count(*) WHEN 1 THEN max(e.fitness) ELSE sum(e.games * e.fitness) / sum(e.games) END AS fitness
			FROM evaluations AS e
			WHERE e.run_id = NEW.run_id AND e.phase = NEW.phase AND e.stage = NEW.stage AND e.search = NEW.search
				AND e.generation = NEW.generation
			GROUP BY e.candidate_id
		)
	) AS c
	WHERE k.run_id = NEW.run_id AND k.phase = NEW.phase AND k.stage = NEW.stage AND k.search = NEW.search
		AND NEW.phase = 'tuning'
	GROUP BY k.id
	ON CONFLICT (ranking_id, generation) DO UPDATE SET
		first_game = excluded.first_game, candidates = excluded.candidates, games = excluded.games, best = excluded.best,
		mean = excluded.mean, worst = excluded.worst, m2 = excluded.m2, best_fitness = excluded.best_fitness,
		mean_fitness = excluded.mean_fitness;
END;

-- What is there already, in the order of recording.
INSERT INTO blocks (run_id, phase, stage, search, generation, round, candidates, games, first_game)
SELECT run_id, phase, stage, search, generation, round, count(*), sum(games), min(first_game)
FROM evaluations
GROUP BY run_id, phase, stage, search, generation, round
ORDER BY run_id, min(first_game);
