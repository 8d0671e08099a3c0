-- The schema of tune's database, version 2 (PRAGMA user_version; PRAGMA application_id is 'tune' in ASCII).
--
-- Scores are in points. Shares lie in 0..1. Times are UTC, ISO 8601 with milliseconds: 2026-01-31T23:59:59.000Z. An
-- interval's end that is NULL is open: there were too few games to tell. Intervals are 95% unless a column says otherwise.
-- Everything but times, durations and who played is a function of a run's config. Every figure was computed once, by the program, and
-- is stored; views only select and rank. Texts and numbers that the program did not write are none of its making.

-- Tables

CREATE TABLE runs (
	-- One row for each run.
	id             INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9000000000), -- never used twice
	name           TEXT NOT NULL UNIQUE, -- base_name, or base_name.2, base_name.3 ... where that was taken once
	base_name      TEXT NOT NULL,        -- of the experiment, as its config says
	kind           TEXT NOT NULL,        -- tune, compare, eval
	config_yaml    TEXT NOT NULL,        -- the resolved config, loadable
	config_hash    TEXT NOT NULL,        -- SHA-256 of the config's canonical text, hexadecimal
	seed           INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- the one seed of everything random
	objective      TEXT NOT NULL,        -- the unit of fitness: mean_score, mean_log_score, {reach: 2048} ...
	signature      TEXT NOT NULL,        -- of the engine's play: runs of different signatures have different games
	own_games_only INTEGER NOT NULL CHECK (own_games_only IN (0, 1)), -- 1: begun with -new, it takes no games from other runs
	status         TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'failed', 'finished')), -- a killed run stays running
	goes_on_from   INTEGER,              -- id of the run that this one goes on from, with -more or -for, even if it was deleted; otherwise NULL
	chain          TEXT NOT NULL,        -- config_hash of the run with which its chain of -more and -for began: mostly its own
	stopped_after  INTEGER,              -- generations after which -for ended the tuning; NULL: it did not
	held_out_salt  TEXT,                 -- SHA-256 of the config with the generations played. Held-out seeds are
	                                     -- hashes of seed and salt, so another config or length has other held-out
	                                     -- games. NULL before the playoff's end
	champion_id    INTEGER REFERENCES candidates (id), -- winner of the playoff; NULL before its end
	fingerprint    TEXT,                 -- SHA-256 of all its results, hexadecimal; NULL until it finished, and if unrepeatable is not NULL
	go_version     TEXT NOT NULL,        -- of the program that began the run
	goarch         TEXT NOT NULL,        -- of the machine that began the run
	done           REAL CHECK (done BETWEEN 0 AND 1), -- share of its plan that is done, by time; NULL: not known
	expected_end   TEXT,                 -- when it will finish, by the games so far; NULL before that is known, and when it has stopped
	started_at     TEXT NOT NULL,        -- when the run was created
	updated_at     TEXT NOT NULL,        -- when something of it was last recorded
	finished_at    TEXT,                 -- when it finished; NULL before
	worked_ms      INTEGER NOT NULL DEFAULT 0, -- time that processes worked on it, milliseconds, without the time that it lay stopped
	unrepeatable   TEXT,                 -- why its games cannot be played again, so that it has no fingerprint: its bot
	                                     -- does not repeat itself, or was changed; otherwise NULL
	programs       TEXT,                 -- of bots: a JSON list, for each an object with the SHA-256 of each argument that names a file; otherwise NULL
	note           TEXT                  -- of its owner, from the config or tune runs -note; NULL: none
) STRICT;

CREATE INDEX runs_by_identity ON runs (base_name, config_hash);

CREATE TABLE names (
	-- Every name that a run was given. The name of a deleted run stays: no other run gets it.
	name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE candidates (
	-- One row for each vector of weights that a run asked for.
	id         INTEGER PRIMARY KEY, -- run_id * 1000000 + number
	run_id     INTEGER NOT NULL REFERENCES runs (id),
	number     INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999999), -- order of asking within the run; 0: the start weights
	generation INTEGER NOT NULL,    -- in which it was first asked for, from 0
	stage      TEXT NOT NULL,       -- in which it was first asked for; '' outside tuning
	origin     TEXT NOT NULL,       -- how it came about: start, initial, crossover, mutation, elite, centre, reference, ablation, asked ...
	name       TEXT NOT NULL,       -- of a reference or a compared player, the id in tune eval, or the feature left out; otherwise ''
	dead       TEXT NOT NULL,       -- value of a position without a legal move: worst, or a number
	play       TEXT NOT NULL,       -- hash of rules, features and weights: equal ones play equal games; '' in comparisons
	CHECK (id = run_id * 1000000 + number)
) STRICT;

CREATE TABLE weights (
	-- The weights of each candidate: the tunable ones in genome order, then fixed ones that differ from the config.
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	position     INTEGER NOT NULL, -- order within the candidate, from 0
	name         TEXT NOT NULL,    -- of the number in the config; each once
	value        REAL NOT NULL,
	PRIMARY KEY (candidate_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
	-- One row for each game, as far as the config keeps them (store: games:). Games of the block being played are always there.
	id           INTEGER PRIMARY KEY, -- run_id * 1000000000 + number of the game within the run
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	phase        TEXT NOT NULL,    -- tuning, playoff, validation, comparison, ablation, trend, eval; of older programs also sensitivity
	stage        TEXT NOT NULL,    -- of the tuning phase; otherwise ''
	search       TEXT NOT NULL,    -- the search settings: depth 3
	generation   INTEGER NOT NULL, -- of the stage, from 0; of eval the instance; otherwise 0
	round        INTEGER NOT NULL, -- of the race, from 0; of eval the number of the candidate
	seed         INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- of the spawns
	score        INTEGER NOT NULL, -- points
	max_tile     INTEGER,          -- face of the largest tile: 2048; NULL: a bot did not say it
	moves        INTEGER,          -- NULL: a bot did not say them
	nodes        INTEGER,          -- afterstates valued or expanded; NULL: a bot's are not known
	capped       INTEGER NOT NULL CHECK (capped IN (0, 1)), -- 1: ended by merging two 32768s; 0: no move was left
	final_board  INTEGER NOT NULL, -- the last board, 4 bits a cell: (final_board >> 4*(4*row + column)) & 15 is the rank of the
	                               -- tile in that row and column, 0 to 3 from the upper left; rank 11 is a 2048, 0 a blank
	duration_us  INTEGER NOT NULL, -- wall time, of a bot CPU time, microseconds: it differs between equal runs, as the next column does
	worker_id    INTEGER REFERENCES workers (id), -- the machine that played it; NULL: the process that carried the run out
	CHECK (id / 1000000000 = run_id)
) STRICT;

CREATE TABLE workers (
	-- The names of the machines that a run was played on with tune worker, beside the process that
	-- carried it out. Part of no result.
	id               INTEGER PRIMARY KEY,
	run_id           INTEGER NOT NULL REFERENCES runs (id),
	name             TEXT NOT NULL,    -- processes of one name are one worker
	UNIQUE (run_id, name)
) STRICT;

CREATE TABLE evaluations (
	-- The sums over the games of one candidate in one block. In a block several candidates play the same seeds: a
	-- round of a race, a validation. It is recorded as a whole or not at all.
	run_id        INTEGER NOT NULL REFERENCES runs (id),
	phase         TEXT NOT NULL,    -- phase to round: as in games
	stage         TEXT NOT NULL,
	search        TEXT NOT NULL,
	generation    INTEGER NOT NULL,
	round         INTEGER NOT NULL,
	candidate_id  INTEGER NOT NULL REFERENCES candidates (id),
	first_game    INTEGER NOT NULL, -- number within the run of its first game; the ids of its games follow one another
	games         INTEGER NOT NULL CHECK (games >= 1),
	games_hash    TEXT NOT NULL,    -- SHA-256 of the games' outcomes in the order of their seeds, first 32 hexadecimal digits
	mean_score    REAL NOT NULL,
	sd_score      REAL NOT NULL,    -- sample standard deviation of the scores; 0 for one game
	m2_score      REAL NOT NULL,    -- sum of squared deviations from the mean: sd_score before rounding
	ci_low        REAL,             -- Student's 95% interval of the mean score: of few games it may begin below 0.
	                                -- It is part of the fingerprint. The interval in standings is cut at 0.
	ci_high       REAL,
	fitness       REAL NOT NULL,    -- the objective, higher is better
	m2_fitness    REAL NOT NULL,    -- sum of squared deviations of one game's fitness; for a quantile a number with its standard error
	scores        TEXT,             -- all scores in ascending order, a JSON list, where the objective is a quantile; otherwise NULL
	reached_128   INTEGER,          -- games whose largest tile is at least 128, and so on; NULL: a bot did not say it
	reached_256   INTEGER,
	reached_512   INTEGER,
	reached_1024  INTEGER,
	reached_2048  INTEGER,
	reached_4096  INTEGER,
	reached_8192  INTEGER,
	reached_16384 INTEGER,
	reached_32768 INTEGER,
	reached_65536 INTEGER,
	moves         INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes         INTEGER,          -- sum over the games; NULL: a bot's are not known
	duration_us   INTEGER,          -- sum of the games' durations, microseconds; NULL: taken from a run that keeps no rows of them
	PRIMARY KEY (run_id, phase, stage, search, generation, round, candidate_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE standings (
	-- How a candidate stands in a phase, stage and search of a run: all its evaluations there together. The row is written
	-- anew with each of them. The view leaderboard ranks these rows.
	run_id        INTEGER NOT NULL REFERENCES runs (id),
	phase         TEXT NOT NULL,
	stage         TEXT NOT NULL,
	search        TEXT NOT NULL,
	candidate_id  INTEGER NOT NULL REFERENCES candidates (id),
	evaluations   INTEGER NOT NULL,
	generations   INTEGER NOT NULL, -- in which it played; 1 outside tuning
	began         INTEGER NOT NULL, -- number of the first game of this phase, stage and search: later ones have larger numbers
	games         INTEGER NOT NULL,
	mean_score    REAL NOT NULL,
	sd_score      REAL NOT NULL,    -- sample standard deviation of the scores; 0 for one game
	ci_low        REAL,             -- 95% interval of the mean score
	ci_high       REAL,
	fitness       REAL NOT NULL,    -- the objective over all games, higher is better
	fitness_ci_low REAL,            -- 95% interval of fitness, by these games alone
	fitness_ci_high REAL,
	fitness_shrunk REAL,            -- of tuning: fitness without its luck, drawn towards the mean of the generations around it; otherwise NULL
	fitness_low   REAL,             -- of tuning: lower bound of fitness_shrunk, one-sided 95%; otherwise NULL
	se_factor     REAL NOT NULL,    -- 1 / sqrt(games): the standard error of fitness is this times the spread in spreads
	reached_128   INTEGER,          -- games whose largest tile is at least 128, and so on; NULL: a bot did not say it
	reached_256   INTEGER,
	reached_512   INTEGER,
	reached_1024  INTEGER,
	reached_2048  INTEGER,
	reached_4096  INTEGER,
	reached_8192  INTEGER,
	reached_16384 INTEGER,
	reached_32768 INTEGER,
	reached_65536 INTEGER,
	moves         INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes         INTEGER,          -- sum over the games; NULL: a bot's are not known
	PRIMARY KEY (run_id, phase, stage, search, candidate_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE spreads (
	-- The spread of fitness in each phase, stage and search of a run, pooled over its candidates.
	-- The row is written anew with each block of games. fitness - 1.645 * spread * se_factor is the
	-- lower bound that the optimizer receives.
	run_id INTEGER NOT NULL REFERENCES runs (id),
	phase  TEXT NOT NULL,
	stage  TEXT NOT NULL,
	search TEXT NOT NULL,
	spread REAL NOT NULL, -- standard deviation of one game's fitness
	PRIMARY KEY (run_id, phase, stage, search)
) STRICT, WITHOUT ROWID;

CREATE TABLE reaches (
	-- How often a candidate reaches a tile, for every standing outside tuning and eval. The view tile_rates reads these rows.
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	phase        TEXT NOT NULL,    -- playoff, validation, comparison, ablation, trend
	search       TEXT NOT NULL,
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	tile         INTEGER NOT NULL, -- face: 128, 256 ... 65536
	games        INTEGER NOT NULL,
	reached      INTEGER NOT NULL, -- games whose largest tile is at least this one
	ci_low       REAL NOT NULL,    -- Wilson's 95% score interval of the share reached / games
	ci_high      REAL NOT NULL,
	PRIMARY KEY (run_id, phase, search, candidate_id, tile)
) STRICT, WITHOUT ROWID;

CREATE TABLE generations (
	-- What each generation of tuning came to: its candidates by their mean scores in it.
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	position     INTEGER NOT NULL, -- order within the run, from 0
	stage        TEXT NOT NULL,
	search       TEXT NOT NULL,
	generation   INTEGER NOT NULL, -- of the stage, from 0
	candidates   INTEGER NOT NULL, -- that played in it
	games        INTEGER NOT NULL, -- sum over the candidates
	best         REAL NOT NULL,    -- highest mean score: of the luckiest as well as the best
	mean         REAL NOT NULL,    -- mean of the candidates' mean scores
	worst        REAL NOT NULL,    -- lowest mean score
	sd           REAL NOT NULL,    -- standard deviation between the candidates' mean scores: mostly noise
	best_fitness REAL NOT NULL,    -- the luckiest's as well
	mean_fitness REAL NOT NULL,    -- of the candidates
	mean_fitness_ci_low  REAL NOT NULL, -- 95% interval
	mean_fitness_ci_high REAL NOT NULL,
	PRIMARY KEY (run_id, stage, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE comparisons (
	-- How two candidates compare on games that neither was chosen by: of the phase comparison a row for each question that
	-- was asked of the games. The view verdicts has the names.
	run_id        INTEGER NOT NULL REFERENCES runs (id),
	phase         TEXT NOT NULL,    -- validation, comparison, ablation, trend
	search        TEXT NOT NULL,
	candidate_id  INTEGER NOT NULL REFERENCES candidates (id),
	baseline_id   INTEGER NOT NULL REFERENCES candidates (id),
	look          INTEGER NOT NULL, -- of the phase comparison: which question of these games it was; of ablation and trend: which look at
	                                -- them decided; from 1; otherwise 0
	objective     TEXT NOT NULL,    -- the compared figure, in its unit: mean_score, mean_log_score, {reach: 2048} ...
	games         INTEGER NOT NULL, -- of the candidate
	baseline_games INTEGER NOT NULL, -- of the baseline
	difference    REAL NOT NULL,    -- candidate minus baseline
	ci_low        REAL,             -- interval of the difference
	ci_high       REAL,
	ratio         REAL,             -- candidate by baseline; of mean logarithms the ratio of the geometric means; NULL: the baseline is 0
	ratio_ci_low  REAL,             -- interval of the ratio
	ratio_ci_high REAL,
	confidence    REAL NOT NULL,    -- of both intervals: 0.95, or more where several comparisons or looks share an error
	smallest_difference REAL NOT NULL, -- relative, that no difference found and undecided speak of: 0.05; 0: none was planned
	question      TEXT NOT NULL,    -- of a comparison a number of games, or the difference of the sequential test; of an ablation the feature: without empty
	p             REAL NOT NULL,    -- two-sided, of this comparison by itself
	p_adjusted    REAL NOT NULL,    -- p for all comparisons that were made at once, by Holm's method, and for earlier looks
	level         REAL NOT NULL,    -- the largest p_adjusted of a difference: 0.05
	verdict       TEXT NOT NULL,    -- on the candidate: better, worse, no difference found, undecided, or same games (all of them)
	more_games    INTEGER,          -- of each, about: they would decide an undecided one; otherwise NULL
	PRIMARY KEY (run_id, phase, search, candidate_id, baseline_id, look)
) STRICT, WITHOUT ROWID;

-- Views. Each comes in an order of its own, the newest run first, so that LIMIT shows the newest results.

CREATE VIEW vectors AS
	-- The weights of each candidate as one JSON object: weights ->> 'name' takes one of them.
SELECT
	r.name AS run,
	c.run_id,
	c.id AS candidate_id,
	-- By name, in genome order; 15 digits where they are the number exactly, otherwise 17: the same bits when read back.
	(SELECT json_group_object(w.name, json(CASE
			WHEN CAST(printf('%!.15g', w.value) AS REAL) = w.value THEN printf('%!.15g', w.value)
			ELSE printf('%!.17g', w.value) END))
		FROM (SELECT * FROM weights AS v WHERE v.candidate_id = c.id ORDER BY v.position) AS w) AS weights
FROM runs AS r
CROSS JOIN candidates AS c ON c.id BETWEEN r.id * 1000000 AND r.id * 1000000 + 999999
ORDER BY r.id DESC, c.id;

CREATE VIEW leaderboard AS
	-- Who leads in each phase, stage and search of a run, by the lower bound of fitness, which few
	-- games lower. In tuning hundreds of candidates play a few games each. Its bound is the bound
	-- of fitness_shrunk, so that luck does not lead. Candidates with the same figures could not be
	-- told apart. Validation comes first, then playoff, comparison, ablation, trend, and tuning
	-- with the last stage first. A playoff flatters its first: the view champions has its worth.
SELECT
	o.run,                                       -- name
	o.run_id,
	o.phase,                                     -- tuning, playoff, validation, comparison, ablation, trend, eval
	o.stage,                                     -- of the tuning phase; otherwise ''
	o.search,                                    -- the search settings: depth 3
	o.rank,                                      -- from 1, within run, phase, stage and search
	o.candidate_id,
	c.number,                                    -- of the candidate within the run; 0: the start weights
	s.games,
	s.mean_score,                                -- points
	s.ci_low,                                    -- 95% interval of the mean score
	s.ci_high,
	s.sd_score,                                  -- standard deviation of the scores, points
	s.fitness,                                   -- the objective, higher is better
	coalesce(s.fitness_shrunk, s.fitness) AS fitness_shrunk, -- in tuning without its luck, on average
	o.fitness_low,                               -- its lower bound, one-sided 95%: the order of the ranks
	1.0 * s.reached_128 / s.games AS reach_128,  -- share of games whose largest tile is at least 128, and so on
	1.0 * s.reached_256 / s.games AS reach_256,
	1.0 * s.reached_512 / s.games AS reach_512,
	1.0 * s.reached_1024 / s.games AS reach_1024,
	1.0 * s.reached_2048 / s.games AS reach_2048,
	1.0 * s.reached_4096 / s.games AS reach_4096,
	1.0 * s.reached_8192 / s.games AS reach_8192,
	1.0 * s.reached_16384 / s.games AS reach_16384,
	1.0 * s.reached_32768 / s.games AS reach_32768,
	1.0 * s.reached_65536 / s.games AS reach_65536,
	c.origin,                                    -- how the candidate came about
	c.name,                                      -- of a reference, a compared player, or the feature left out
	s.generations,                               -- in which it played
	s.moves,                                     -- sum over the games
	1.0 * s.moves / s.games AS moves_per_game,
	1.0 * s.nodes / s.moves AS nodes_per_move,   -- the cost of a move on any machine
	(SELECT v.weights FROM vectors AS v WHERE v.candidate_id = o.candidate_id) AS weights -- a JSON object by name
FROM (
	-- This window gives the view its order, which an ORDER BY would have to sort once more: SQLite hands on the rows as the
	-- window sorts them, and the joins below keep that. So the partition is run, phase, stage and search, each written so that
	-- the view's first row is the smallest. All else is looked up afterwards, and only for the rows that are asked for.
	SELECT
		r.name AS run, k.run_id, k.phase, k.stage, k.search, k.candidate_id,
		coalesce(k.fitness_low, max(0.0, k.fitness - 1.645 * p.spread * k.se_factor)) AS fitness_low,
		row_number() OVER (
			PARTITION BY -k.run_id, CASE k.phase WHEN 'validation' THEN 0 WHEN 'playoff' THEN 1 WHEN 'comparison' THEN 2
				WHEN 'ablation' THEN 3 WHEN 'trend' THEN 4 ELSE 5 END, -k.began
			ORDER BY coalesce(k.fitness_low, 0.0) DESC, k.fitness - 1.645 * p.spread * k.se_factor DESC, k.candidate_id
		) AS rank
	FROM runs AS r
	CROSS JOIN spreads AS p ON p.run_id = r.id
	CROSS JOIN standings AS k ON k.run_id = p.run_id AND k.phase = p.phase AND k.stage = p.stage AND k.search = p.search
) AS o
CROSS JOIN standings AS s ON s.run_id = o.run_id AND s.phase = o.phase AND s.stage = o.stage AND s.search = o.search
	AND s.candidate_id = o.candidate_id
CROSS JOIN candidates AS c ON c.id = o.candidate_id;

CREATE VIEW champions AS
	-- What the winner of each run's playoff is worth: figures of held-out games, one row for each validated search, beside the
	-- figures that flattered it. gain is its fitness minus the start weights' fitness.
SELECT
	r.name AS run,
	v.run_id,
	v.candidate_id,
	c.number,                                    -- of the candidate within the run
	v.search,                                    -- of the validation
	v.games,                                     -- held-out ones
	v.mean_score,                                -- points, like all means here; fitness and gain are in the objective's unit
	v.ci_low,                                    -- 95% interval of the mean score
	v.ci_high,
	r.objective,                                 -- the unit of fitness and gain: mean_score, mean_log_score, {reach: 2048} ...
	v.fitness,                                   -- the objective, in its unit
	v.fitness_ci_low,                            -- 95% interval of fitness
	v.fitness_ci_high,
	s.games AS start_games,                      -- of the start weights, on the same seeds
	s.mean_score AS start_mean,
	s.ci_low AS start_ci_low,                    -- 95% interval of start_mean
	s.ci_high AS start_ci_high,
	s.fitness AS start_fitness,
	s.fitness_ci_low AS start_fitness_ci_low,    -- 95% interval of start_fitness
	s.fitness_ci_high AS start_fitness_ci_high,
	-- All six are NULL until the comparison is recorded. A champion that is the start has gained nothing, for certain.
	CASE c.number WHEN 0 THEN 0.0 ELSE d.difference END AS gain,           -- in the objective's unit
	CASE c.number WHEN 0 THEN 0.0 ELSE d.ci_low END AS gain_ci_low,        -- 95% interval of gain
	CASE c.number WHEN 0 THEN 0.0 ELSE d.ci_high END AS gain_ci_high,
	CASE c.number WHEN 0 THEN 1.0 ELSE d.ratio END AS gain_ratio,          -- fitness / start_fitness; of mean logarithms the ratio of the geometric means
	CASE c.number WHEN 0 THEN 1.0 ELSE d.ratio_ci_low END AS gain_ratio_ci_low, -- 95% interval of gain_ratio
	CASE c.number WHEN 0 THEN 1.0 ELSE d.ratio_ci_high END AS gain_ratio_ci_high,
	CASE c.number WHEN 0 THEN 'no difference found' ELSE d.verdict END AS verdict, -- on the gain, for all searches and references together
	f.mean_score AS in_sample_mean,              -- in the playoff that chose it
	f.fitness AS in_sample_fitness,
	f.games AS in_sample_games,
	f.search AS in_sample_search,
	t.mean_score AS tuning_mean,                 -- in the last stage in which it played
	t.fitness AS tuning_fitness,
	t.games AS tuning_games,
	t.stage AS tuning_stage,
	t.search AS tuning_search,
	c.origin,                                    -- how the candidate came about
	(SELECT w.weights FROM vectors AS w WHERE w.candidate_id = v.candidate_id) AS weights -- a JSON object by name
FROM runs AS r
JOIN candidates AS c ON c.id = r.champion_id
JOIN standings AS v ON v.run_id = r.id AND v.phase = 'validation' AND v.stage = '' AND v.candidate_id = r.champion_id
LEFT JOIN standings AS s ON s.run_id = r.id AND s.phase = 'validation' AND s.stage = '' AND s.search = v.search
	AND s.candidate_id = r.id * 1000000
LEFT JOIN comparisons AS d ON d.run_id = r.id AND d.phase = 'validation' AND d.search = v.search
	AND d.candidate_id = v.candidate_id AND d.baseline_id = r.id * 1000000
LEFT JOIN standings AS f ON f.run_id = r.id AND f.phase = 'playoff' AND f.candidate_id = v.candidate_id
LEFT JOIN (
	-- The bare columns come from the row of the maximum.
	SELECT k.candidate_id, k.stage, k.search, k.games, k.mean_score, k.fitness, max(k.began)
	FROM runs AS c
	JOIN standings AS k ON k.run_id = c.id AND k.phase = 'tuning' AND k.candidate_id = c.champion_id
	GROUP BY k.candidate_id
) AS t ON t.candidate_id = v.candidate_id
ORDER BY r.id DESC, v.search;

CREATE VIEW convergence AS
	-- How tuning went, generation by generation in the order in which they were played.
SELECT
	r.name AS run,
	g.run_id,
	g.stage,
	g.search,                                    -- of the stage
	g.generation,                                -- of the stage, from 0
	g.best,                                      -- highest mean score of a candidate in it: of the luckiest as well as the best
	g.mean,                                      -- mean of the candidates' mean scores, points
	g.worst,                                     -- lowest mean score
	g.sd,                                        -- standard deviation between the candidates' mean scores: mostly noise
	g.best_fitness,
	g.mean_fitness,
	g.mean_fitness_ci_low,                       -- 95% interval
	g.mean_fitness_ci_high,
	g.candidates,                                -- that played in it
	sum(g.games) OVER (PARTITION BY g.run_id, r.name ORDER BY g.position) AS games -- from the beginning of the run's tuning
FROM runs AS r
JOIN generations AS g ON g.run_id = r.id
ORDER BY g.run_id DESC, g.position;

CREATE VIEW tile_rates AS
	-- How often a candidate reaches a tile in games outside tuning and eval, with Wilson's 95% score interval. For those two, where these
	-- shares choose and flatter, the columns reach_128 to reach_65536 of leaderboard must do.
SELECT
	r.name AS run,
	t.run_id,
	t.candidate_id,
	t.phase,                                     -- validation, playoff, comparison, ablation, trend
	t.search,
	t.tile,                                      -- face: 128, 256 ... 65536
	1.0 * t.reached / t.games AS share,          -- of games whose largest tile is at least this one
	t.ci_low,
	t.ci_high,
	t.games,
	t.reached                                    -- games
FROM runs AS r
JOIN reaches AS t ON t.run_id = r.id
ORDER BY t.run_id DESC,
	CASE t.phase WHEN 'validation' THEN 0 WHEN 'playoff' THEN 1 WHEN 'comparison' THEN 2 WHEN 'ablation' THEN 3 WHEN 'trend' THEN 4 ELSE 5 END,
	t.search, t.candidate_id, t.tile;

CREATE VIEW verdicts AS
	-- Every comparison of two candidates with their names: whether the player is better than the baseline.
SELECT
	r.name AS run,
	d.run_id,
	d.phase,                                     -- validation, comparison, ablation, trend
	d.search,
	d.candidate_id,
	-- What was left out; else its own name, champion, start, or candidate and its number.
	CASE WHEN d.phase = 'ablation' THEN d.question WHEN c.name <> '' THEN c.name WHEN c.id = r.champion_id THEN 'champion' WHEN c.number = 0 THEN 'start'
		ELSE 'candidate ' || c.number END AS player,
	d.baseline_id,
	CASE WHEN b.name <> '' THEN b.name WHEN b.id = r.champion_id THEN 'champion' WHEN b.number = 0 THEN 'start'
		ELSE 'candidate ' || b.number END AS baseline,
	d.objective,                                 -- the compared figure: mean_score, mean_log_score, {reach: 2048} ...
	d.games,                                     -- of the player
	d.baseline_games,
	d.difference,                                -- player minus baseline, in the objective's unit
	d.ci_low,                                    -- interval of the difference
	d.ci_high,
	d.ratio,                                     -- player by baseline; of mean logarithms the ratio of the geometric means
	d.ratio_ci_low,
	d.ratio_ci_high,
	d.confidence,                                -- of both intervals
	d.smallest_difference,                       -- relative, that the verdict speaks of; 0: none was planned
	d.question,                                  -- of a comparison a number of games or a sequential test, of an ablation the feature left out
	d.look,                                      -- of a comparison which question of its games it was, of ablation and trend which look, from 1
	d.p,                                         -- two-sided
	d.p_adjusted,                                -- p for all comparisons that were made at once, and for earlier looks
	d.level,                                     -- the largest p_adjusted of a difference
	d.verdict,                                   -- on the player: better, worse, no difference found, undecided, same games
	d.more_games                                 -- of each, about: they would decide an undecided one; otherwise NULL
FROM runs AS r
JOIN comparisons AS d ON d.run_id = r.id
JOIN candidates AS c ON c.id = d.candidate_id
JOIN candidates AS b ON b.id = d.baseline_id
ORDER BY d.run_id DESC,
	CASE d.phase WHEN 'validation' THEN 0 WHEN 'comparison' THEN 1 WHEN 'ablation' THEN 2 WHEN 'trend' THEN 3 ELSE 4 END,
	d.search, d.candidate_id, d.baseline_id, d.look;

CREATE VIEW progress AS
	-- Where each run is: its records, and the last block of games that it finished.
SELECT
	r.name AS run,
	r.id AS run_id,
	r.kind,                                      -- tune, compare, eval
	r.status,                                    -- running, interrupted, failed, finished; a killed run stays running
	r.done,                                      -- share of its plan, by time; NULL: not known
	r.expected_end,                              -- NULL: not known, or it has stopped; of a killed run long past
	r.started_at,
	r.updated_at,
	r.finished_at,
	(SELECT count(*) FROM candidates AS c WHERE c.id BETWEEN r.id * 1000000 AND r.id * 1000000 + 999999) AS candidates,
	coalesce(b.games, 0) AS games,               -- of finished blocks
	b.phase,                                     -- phase to search: of the last finished block
	b.stage,
	b.generation,
	b.round,
	b.search,
	r.fingerprint                                -- NULL until it is finished
FROM runs AS r
LEFT JOIN (
	-- The bare columns come from the row of the maximum.
	SELECT run_id, sum(games) AS games, max(first_game), phase, stage, generation, round, search
	FROM evaluations
	GROUP BY run_id
) AS b ON b.run_id = r.id
ORDER BY r.id DESC;
