-- The tables. Times are UTC, ISO 8601 with milliseconds (2026-01-31T23:59:59.000Z). Shares lie in 0..1.
-- Numbers that a run produces are a function of its config alone; times and durations are not.

CREATE TABLE runs (
	id           INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9000000000),
	name         TEXT NOT NULL UNIQUE, -- base_name, or base_name.2, base_name.3 ... where that was taken
	base_name    TEXT NOT NULL,        -- of the experiment, as its config says
	kind         TEXT NOT NULL,        -- tune, compare, eval, bench
	config_yaml  TEXT NOT NULL,        -- the resolved config, loadable
	config_hash  TEXT NOT NULL,        -- SHA-256 of the config's canonical text, hexadecimal
	seed         INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- the one seed of everything random
	status       TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'failed', 'finished')),
	signature    TEXT NOT NULL,        -- of the engine's play
	go_version   TEXT NOT NULL,        -- that began the run
	goarch       TEXT NOT NULL,        -- that began the run
	started_at   TEXT NOT NULL,        -- when the run was created
	updated_at   TEXT NOT NULL,        -- when its last candidates, block, champion, comparison or status were recorded
	finished_at  TEXT,                 -- when it finished; NULL before
	stopped_after INTEGER,             -- generations after which tuning was ended by request; NULL: it was not
	fingerprint  TEXT,                 -- SHA-256 of all its results, hexadecimal; NULL until it finished
	champion_id  INTEGER REFERENCES candidates (id) -- winner of the playoff; NULL before
) STRICT;

CREATE INDEX runs_by_identity ON runs (base_name, config_hash);

CREATE TABLE candidates (
	id         INTEGER PRIMARY KEY,       -- run_id * 1000000 + number
	run_id     INTEGER NOT NULL REFERENCES runs (id),
	number     INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999999), -- order of asking; 0: the start weights
	generation INTEGER NOT NULL,          -- in which it was first asked for, from 0
	stage      TEXT NOT NULL,             -- in which it was first asked for; '' for a reference
	origin     TEXT NOT NULL,             -- start, initial, elite, crossover, mutation, random, centre, reference
	name       TEXT NOT NULL,             -- of a reference; otherwise ''
	dead       TEXT NOT NULL,             -- value of a position without a legal move: worst, or a number
	CHECK (id = run_id * 1000000 + number)
) STRICT;

CREATE INDEX candidates_by_run ON candidates (run_id, number);

CREATE TABLE weights (
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	position     INTEGER NOT NULL, -- order within the candidate, from 0
	name         TEXT NOT NULL,
	value        REAL NOT NULL,
	PRIMARY KEY (candidate_id, position),
	UNIQUE (candidate_id, name)
) STRICT, WITHOUT ROWID;

-- One row for each candidate of a finished block of games.
CREATE TABLE evaluations (
	run_id        INTEGER NOT NULL REFERENCES runs (id),
	candidate_id  INTEGER NOT NULL REFERENCES candidates (id),
	phase         TEXT NOT NULL,    -- tuning, playoff, validation, comparison
	stage         TEXT NOT NULL,    -- of the tuning phase; otherwise ''
	search        TEXT NOT NULL,    -- the search settings, such as 'depth 3'
	generation    INTEGER NOT NULL, -- of the stage, from 0; 0 outside the tuning phase
	round         INTEGER NOT NULL, -- of racing, from 0
	games         INTEGER NOT NULL CHECK (games >= 1),
	mean_score    REAL NOT NULL,    -- points
	sd_score      REAL NOT NULL,    -- sample standard deviation, points; 0 for one game
	m2_score      REAL NOT NULL,    -- sum of squared deviations from the mean: what sd_score comes from
	ci_low        REAL,             -- 95% interval of the mean score; NULL: too few games to tell
	ci_high       REAL,
	fitness       REAL NOT NULL,    -- the objective, higher is better
	fitness_se    REAL,             -- its standard error; NULL: too few games to tell
	reached_128   INTEGER NOT NULL, -- games whose largest tile is at least 128, and so on
	reached_256   INTEGER NOT NULL,
	reached_512   INTEGER NOT NULL,
	reached_1024  INTEGER NOT NULL,
	reached_2048  INTEGER NOT NULL,
	reached_4096  INTEGER NOT NULL,
	reached_8192  INTEGER NOT NULL,
	reached_16384 INTEGER NOT NULL,
	reached_32768 INTEGER NOT NULL,
	reached_65536 INTEGER NOT NULL,
	moves         INTEGER NOT NULL, -- of all the games
	nodes         INTEGER NOT NULL, -- of all the games: afterstates valued or expanded
	games_hash    TEXT NOT NULL,    -- SHA-256 over the games' outcomes in the order of seeds, first 32 hexadecimal digits
	first_game    INTEGER NOT NULL, -- number within the run of its first game; games.id = run_id * 1000000000 + number
	PRIMARY KEY (run_id, phase, stage, search, generation, round, candidate_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX evaluations_by_candidate ON evaluations (candidate_id);

-- One row for each game, as far as the config asks to keep them; and all games of the block that is being played.
CREATE TABLE games (
	id           INTEGER PRIMARY KEY, -- run_id * 1000000000 + number of the game within the run
	run_id       INTEGER NOT NULL REFERENCES runs (id),
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	phase        TEXT NOT NULL,    -- phase to round: as in evaluations
	stage        TEXT NOT NULL,
	search       TEXT NOT NULL,
	generation   INTEGER NOT NULL,
	round        INTEGER NOT NULL,
	seed         INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- of the spawns
	score        INTEGER NOT NULL, -- points
	max_tile     INTEGER NOT NULL, -- face of the largest tile
	moves        INTEGER NOT NULL,
	nodes        INTEGER NOT NULL, -- afterstates valued or expanded
	duration_us  INTEGER NOT NULL, -- wall time, microseconds; the only column that may differ between equal runs
	capped       INTEGER NOT NULL CHECK (capped IN (0, 1)), -- 1: ended by a 65536
	CHECK (id / 1000000000 = run_id)
) STRICT;

CREATE INDEX games_by_candidate ON games (candidate_id);

-- Differences between two candidates that played the same number of fresh games.
CREATE TABLE comparisons (
	run_id        INTEGER NOT NULL REFERENCES runs (id),
	phase         TEXT NOT NULL,
	search        TEXT NOT NULL,
	candidate_id  INTEGER NOT NULL REFERENCES candidates (id),
	baseline_id   INTEGER NOT NULL REFERENCES candidates (id),
	difference    REAL NOT NULL, -- mean score of the candidate minus that of the baseline, points
	ci_low        REAL,          -- 95% interval (Welch) of the difference; NULL: too few games to tell
	ci_high       REAL,
	ratio         REAL NOT NULL, -- of the mean scores
	ratio_ci_low  REAL,          -- 95% interval of the ratio; NULL: too few games to tell
	ratio_ci_high REAL,
	PRIMARY KEY (run_id, phase, search, candidate_id, baseline_id)
) STRICT, WITHOUT ROWID;
