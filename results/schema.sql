-- The schema of tune's database, version 3 (PRAGMA user_version; PRAGMA application_id is 'tune' in ASCII).
--
-- Scores are in points. Shares lie in 0..1. Times are UTC, ISO 8601 with milliseconds: 2026-01-31T23:59:59.000Z. An
-- interval's end that is NULL is open: there were too few games to tell. Intervals are 95% unless a column says otherwise.
-- Everything but times, durations and who played is a function of a run's config. The tables hold facts: what was played, and
-- what was decided by it. One table, figures, follows from them. The program does not vouch for rows that somebody else wrote.

-- Tables

CREATE TABLE runs (
	-- One row for each run.
	id             INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9000000000), -- never used twice
	name           TEXT NOT NULL UNIQUE, -- base_name, or base_name.2, base_name.3 ... where that was taken once
	base_name      TEXT NOT NULL,        -- of the experiment, as its config says
	kind           TEXT NOT NULL,        -- tune, compare
	config_yaml    TEXT NOT NULL,        -- the resolved config, loadable
	config_hash    TEXT NOT NULL,        -- SHA-256 of the config's canonical text, hexadecimal
	seed           INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- the one seed of everything random
	objective      TEXT NOT NULL,        -- the unit of fitness: mean_score, mean_log_score, {reach: 2048} ...
	signature      TEXT NOT NULL,        -- of the engine's play: runs of different signatures have different games
	own_games_only INTEGER NOT NULL CHECK (own_games_only IN (0, 1)), -- 1: begun with -new, it takes no evaluations from other runs
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
	                                     -- does not repeat itself; otherwise NULL
	programs       TEXT,                 -- of bots: a JSON list, for each an object with the SHA-256 of each argument that names a file; otherwise NULL
	note           TEXT                  -- of its owner, from the config or tune runs -note; from its second line on
	                                     -- the error that stopped a failed run; NULL: none
) STRICT;

CREATE INDEX runs_by_identity ON runs (base_name, config_hash);

CREATE TABLE candidates (
	-- One row for each vector of weights that a run asked for.
	id         INTEGER PRIMARY KEY, -- run_id * 10000000 + number
	run_id     INTEGER NOT NULL REFERENCES runs (id),
	number     INTEGER NOT NULL CHECK (number BETWEEN 0 AND 9999999), -- order of asking within the run; 0: the start weights
	generation INTEGER NOT NULL,    -- in which it was first asked for, from 0
	stage      TEXT NOT NULL,       -- in which it was first asked for; '' outside tuning
	origin     TEXT NOT NULL,       -- how it came about: start, initial, crossover, mutation, elite, centre, reference, ablation, compared ...
	name       TEXT NOT NULL,       -- of a reference or a compared player, or the feature left out; otherwise ''
	dead       TEXT NOT NULL,       -- value of a position without a legal move: worst, or a number
	play       TEXT NOT NULL,       -- hash of rules, features, weights and a bot's files: equal ones play equal games
	CHECK (id = run_id * 10000000 + number)
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
	-- One row for each game that the run played itself, as far as the config keeps them (store: games:). Games of a block that is
	-- being played are always there.
	id           INTEGER PRIMARY KEY, -- run_id * 1000000000 + number of the game within the run
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	phase        TEXT NOT NULL,    -- tuning, playoff, validation, comparison, ablation, trend
	stage        TEXT NOT NULL,    -- of the tuning phase; otherwise ''
	search       TEXT NOT NULL,    -- the search settings: depth 3
	generation   INTEGER NOT NULL, -- of the stage, from 0; otherwise 0
	round        INTEGER NOT NULL, -- of the race, from 0
	seed         INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- of the spawns
	score        ANY NOT NULL CHECK (typeof(score) IN ('integer', 'real')), -- points; real where a bot's are no whole number
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
	-- The games of one candidate in one block: a round of a race in tuning, elsewhere a batch of 50 games at most. It is recorded as
	-- a whole or not at all, also where the games are not kept as rows. The fitness by any objective follows from scores and ranks.
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	first_game   INTEGER NOT NULL, -- number within the run of its first game; the ids of its games follow one another
	phase        TEXT NOT NULL,    -- phase to round: as in games
	stage        TEXT NOT NULL,
	search       TEXT NOT NULL,
	generation   INTEGER NOT NULL,
	round        INTEGER NOT NULL,
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	key          TEXT NOT NULL,    -- hash of all that its games depend on: play's signature, player, search, seeds. Equal ones have equal games
	games        INTEGER NOT NULL CHECK (games >= 1 OR failure IS NOT NULL),
	mean_score   REAL NOT NULL,
	sd_score     REAL NOT NULL,    -- sample standard deviation of the scores; 0 for one game
	fitness      REAL NOT NULL,    -- the run's objective, higher is better
	scores       TEXT NOT NULL,    -- of all games in the order of their seeds, a JSON list
	ranks        TEXT,             -- of their largest tiles, in this order: 11 is a 2048; NULL: a bot did not say them
	moves        INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes        INTEGER,          -- sum over the games; NULL: a bot's are not known
	games_hash   TEXT NOT NULL,    -- SHA-256 of the games' outcomes in the order of their seeds, first 32 hexadecimal digits
	duration_us  INTEGER,          -- sum of the games' durations, microseconds; NULL: not known
	failure      TEXT,             -- what a bot did that could not play one of the games: it has no games then, and the candidate has
	                               -- lost. Behind the first line is its stderr, which is part of no result; NULL: all games were played
	PRIMARY KEY (run_id, first_game)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluations_by_key ON evaluations (key);
CREATE INDEX evaluations_by_phase ON evaluations (run_id, phase, first_game, games); -- a night's tuning is skipped

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
	ratio         REAL,             -- candidate by baseline; of mean logarithms the ratio of the geometric means; NULL: a mean is not above 0
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

CREATE TABLE figures (
	-- What the program makes of the facts above, for the views. It is written anew when a phase ends and when a process ends, and
	-- in between once a minute at most. Nothing but views reads it: its rows may be deleted, and the run's next process writes them.
	-- kind candidate: a candidate in a phase, stage and search, ranked; of a stage of tuning the best 1,000.
	-- kind generation: a generation of tuning, by its candidates' mean scores. kind tile: how often a candidate reaches a tile.
	kind            TEXT NOT NULL,    -- candidate, generation, tile
	run_id          INTEGER NOT NULL REFERENCES runs (id),
	position        INTEGER NOT NULL, -- order within run and kind, from 0
	phase           TEXT NOT NULL,
	stage           TEXT NOT NULL,
	search          TEXT NOT NULL,
	generation      INTEGER,          -- of kind generation: of the stage, from 0
	candidate_id    INTEGER,          -- of kinds candidate and tile
	rank            INTEGER,          -- of kind candidate, from 1 within phase, stage and search
	tile            INTEGER,          -- of kind tile: face
	candidates      INTEGER,          -- of kind generation: that played in it
	games           INTEGER NOT NULL, -- of kind generation: of all candidates
	played          INTEGER,          -- of kind generation: games of tuning at its end
	generations     INTEGER,          -- of kind candidate: in which it played
	reached         INTEGER,          -- of kind tile: games whose largest tile is at least this one
	mean_score      REAL,             -- of kind generation the mean of the candidates' mean scores
	sd_score        REAL,             -- of the scores; of kind generation between the candidates' mean scores: mostly noise
	ci_low          REAL,             -- 95% interval of mean_score; of kind tile Wilson's of reached / games
	ci_high         REAL,
	best            REAL,             -- of kind generation: highest mean score, of the luckiest as well as the best
	worst           REAL,             -- of kind generation: lowest mean score
	fitness         REAL,             -- the objective, higher is better; of kind generation its mean
	fitness_ci_low  REAL,             -- 95% interval of fitness
	fitness_ci_high REAL,
	best_fitness    REAL,             -- of kind generation: the luckiest's as well
	fitness_shrunk  REAL,             -- of kind candidate: in tuning without its luck, on average
	fitness_low     REAL,             -- its lower bound, one-sided 95%: the order of the ranks
	ranks           TEXT,             -- of kind candidate: games by largest tile, a JSON object by face; NULL: not known
	moves           INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes           INTEGER,          -- sum over the games; NULL: a bot's are not known
	PRIMARY KEY (kind, run_id DESC, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX figures_by_candidate ON figures (candidate_id, kind, phase);

-- Views. Each comes in an order of its own, the newest run first, so that LIMIT shows the newest results.

CREATE VIEW vectors AS
	-- The weights of each candidate as one JSON object: weights ->> 'name' takes one of them.
SELECT
	r.name AS run,
	r.id AS run_id,
	c.id AS candidate_id,
	-- By name, in genome order; 15 digits where they are the number exactly, otherwise 17: the same bits when read back.
	(SELECT json_group_object(w.name, json(CASE
			WHEN CAST(printf('%!.15g', w.value) AS REAL) = w.value THEN printf('%!.15g', w.value)
			ELSE printf('%!.17g', w.value) END))
		FROM (SELECT * FROM weights AS v WHERE v.candidate_id = c.id ORDER BY v.position) AS w) AS weights
FROM runs AS r
CROSS JOIN candidates AS c ON c.id BETWEEN r.id * 10000000 AND r.id * 10000000 + 9999999
ORDER BY r.id DESC, c.id;

CREATE VIEW leaderboard AS
	-- Who leads in each phase, stage and search of a run, by the lower bound of fitness, which few
	-- games lower. In tuning hundreds of candidates play a few games each, and the best 1,000 of a stage
	-- are listed. Its bound is the bound of fitness_shrunk, so that luck does not lead. Validation comes
	-- first, then playoff, comparison, ablation, trend, and tuning with the last stage first. A playoff
	-- flatters its first: the view champions has its worth. The rows are as new as the table figures.
SELECT
	r.name AS run,
	f.run_id,
	f.phase,                                     -- tuning, playoff, validation, comparison, ablation, trend
	f.stage,                                     -- of the tuning phase; otherwise ''
	f.search,                                    -- the search settings: depth 3
	f.rank,                                      -- from 1, within run, phase, stage and search
	f.candidate_id,
	c.number,                                    -- of the candidate within the run; 0: the start weights
	f.games,
	f.mean_score,                                -- points
	f.ci_low,                                    -- 95% interval of the mean score
	f.ci_high,
	f.sd_score,                                  -- standard deviation of the scores, points
	f.fitness,                                   -- the objective, higher is better
	f.fitness_shrunk,                            -- in tuning without its luck, on average
	f.fitness_low,                               -- its lower bound, one-sided 95%: the order of the ranks
	-- Share of games whose largest tile is at least 128, and so on; NULL: a bot did not say it.
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 128) / f.games END AS reach_128,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 256) / f.games END AS reach_256,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 512) / f.games END AS reach_512,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 1024) / f.games END AS reach_1024,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 2048) / f.games END AS reach_2048,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 4096) / f.games END AS reach_4096,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 8192) / f.games END AS reach_8192,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 16384) / f.games END AS reach_16384,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 32768) / f.games END AS reach_32768,
	CASE WHEN f.ranks IS NOT NULL THEN (SELECT total(value) FROM json_each(f.ranks) WHERE CAST(key AS INTEGER) >= 65536) / f.games END AS reach_65536,
	c.origin,                                    -- how the candidate came about
	c.name,                                      -- of a reference, a compared player, or the feature left out
	f.generations,                               -- in which it played
	f.moves,                                     -- sum over the games
	1.0 * f.moves / f.games AS moves_per_game,
	1.0 * f.nodes / f.moves AS nodes_per_move,   -- the cost of a move on any machine
	(SELECT v.weights FROM vectors AS v WHERE v.run_id = f.run_id AND v.candidate_id = f.candidate_id) AS weights -- a JSON object by name
FROM figures AS f
CROSS JOIN runs AS r ON r.id = f.run_id
CROSS JOIN candidates AS c ON c.id = f.candidate_id
WHERE f.kind = 'candidate'
ORDER BY f.run_id DESC, f.position;

CREATE VIEW champions AS
	-- What the winner of each run's playoff is worth: figures of held-out games, one row for each validated search, beside the
	-- figures that flattered it. gain is its fitness minus the start weights' fitness.
SELECT
	r.name AS run,
	r.id AS run_id,
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
	-- All seven are NULL until the comparison is recorded.
	d.difference AS gain,                        -- in the objective's unit
	d.ci_low AS gain_ci_low,                     -- 95% interval of gain
	d.ci_high AS gain_ci_high,
	d.ratio AS gain_ratio,                       -- fitness / start_fitness; of mean logarithms the ratio of the geometric means
	d.ratio_ci_low AS gain_ratio_ci_low,         -- 95% interval of gain_ratio
	d.ratio_ci_high AS gain_ratio_ci_high,
	d.verdict,                                   -- on the gain, for all searches and references together
	p.mean_score AS in_sample_mean,              -- in the playoff that chose it
	p.fitness AS in_sample_fitness,
	p.games AS in_sample_games,
	p.search AS in_sample_search,
	t.mean_score AS tuning_mean,                 -- in the last stage in which it played, if it is among its best 1,000
	t.fitness AS tuning_fitness,
	t.games AS tuning_games,
	t.stage AS tuning_stage,
	t.search AS tuning_search,
	c.origin,                                    -- how the candidate came about
	(SELECT w.weights FROM vectors AS w WHERE w.run_id = r.id AND w.candidate_id = v.candidate_id) AS weights -- a JSON object by name
FROM runs AS r
JOIN candidates AS c ON c.id = r.champion_id
JOIN figures AS v ON v.candidate_id = r.champion_id AND v.kind = 'candidate' AND v.phase = 'validation'
LEFT JOIN figures AS s ON s.candidate_id = r.id * 10000000 AND s.kind = 'candidate' AND s.phase = 'validation' AND s.search = v.search
LEFT JOIN comparisons AS d ON d.run_id = r.id AND d.phase = 'validation' AND d.search = v.search
	AND d.candidate_id = v.candidate_id AND d.baseline_id = r.id * 10000000
LEFT JOIN figures AS p ON p.kind = 'candidate' AND p.run_id = r.id AND p.position = (
	SELECT min(k.position) FROM figures AS k WHERE k.candidate_id = r.champion_id AND k.kind = 'candidate' AND k.phase = 'playoff'
)
-- The last stage stands first.
LEFT JOIN figures AS t ON t.kind = 'candidate' AND t.run_id = r.id AND t.position = (
	SELECT min(k.position) FROM figures AS k WHERE k.candidate_id = r.champion_id AND k.kind = 'candidate' AND k.phase = 'tuning'
)
ORDER BY r.id DESC, v.search;

CREATE VIEW convergence AS
	-- How tuning went, generation by generation in the order in which they were played.
SELECT
	r.name AS run,
	f.run_id,
	f.stage,
	f.search,                                    -- of the stage
	f.generation,                                -- of the stage, from 0
	f.best,                                      -- highest mean score of a candidate in it: of the luckiest as well as the best
	f.mean_score AS mean,                        -- mean of the candidates' mean scores, points
	f.worst,                                     -- lowest mean score
	f.sd_score AS sd,                            -- standard deviation between the candidates' mean scores: mostly noise
	f.best_fitness,
	f.fitness AS mean_fitness,
	f.fitness_ci_low AS mean_fitness_ci_low,     -- 95% interval
	f.fitness_ci_high AS mean_fitness_ci_high,
	f.candidates,                                -- that played in it
	f.played AS games                            -- from the beginning of the run's tuning
FROM figures AS f
CROSS JOIN runs AS r ON r.id = f.run_id
WHERE f.kind = 'generation'
ORDER BY f.run_id DESC, f.position;

CREATE VIEW tile_rates AS
	-- How often a candidate reaches a tile in games outside tuning, with Wilson's 95% score interval. For tuning, where these
	-- shares choose and flatter, the columns reach_128 to reach_65536 of leaderboard must do.
SELECT
	r.name AS run,
	f.run_id,
	f.candidate_id,
	f.phase,                                     -- validation, playoff, comparison, ablation, trend
	f.search,
	f.tile,                                      -- face: 128, 256 ... 65536
	1.0 * f.reached / f.games AS share,          -- of games whose largest tile is at least this one
	f.ci_low,
	f.ci_high,
	f.games,
	f.reached                                    -- games
FROM figures AS f
CROSS JOIN runs AS r ON r.id = f.run_id
WHERE f.kind = 'tile'
ORDER BY f.run_id DESC, f.position;

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
	-- A champion that is the start weights is compared with the start, too.
	CASE WHEN b.name <> '' THEN b.name WHEN b.id = r.champion_id AND b.id <> c.id THEN 'champion' WHEN b.number = 0 THEN 'start'
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
	r.kind,                                      -- tune, compare
	r.status,                                    -- running, interrupted, failed, finished; a killed run stays running
	r.done,                                      -- share of its plan, by time; NULL: not known
	r.expected_end,                              -- NULL: not known, or it has stopped; of a killed run long past
	r.started_at,
	r.updated_at,
	r.finished_at,
	(SELECT count(*) FROM candidates AS c WHERE c.id BETWEEN r.id * 10000000 AND r.id * 10000000 + 9999999) AS candidates,
	coalesce((SELECT sum(e.games) FROM evaluations AS e WHERE e.run_id = r.id), 0) AS games, -- of evaluations
	b.phase,                                     -- phase to search: of the last evaluation
	b.stage,
	b.generation,
	b.round,
	b.search,
	r.fingerprint                                -- NULL until it is finished
FROM runs AS r
LEFT JOIN evaluations AS b ON b.run_id = r.id AND b.first_game = (SELECT max(e.first_game) FROM evaluations AS e WHERE e.run_id = r.id)
ORDER BY r.id DESC;
