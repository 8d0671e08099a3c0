-- The schema of tune's database, version 5 (PRAGMA user_version; PRAGMA application_id is 'tune' in ASCII).
--
-- Scores are in points. Shares lie in 0..1. Times are UTC, ISO 8601 with milliseconds: 2026-01-31T23:59:59.000Z. An
-- interval's end that is NULL is open: there were too few games to tell, or all scored the same. Intervals are 95% unless a
-- column says otherwise.
-- Everything but times, durations and who played is a function of a run's config. The tables hold facts: what was played, and
-- what was decided by it. A run is a search that may go on, and its endings; or a comparison. Four tables follow from these:
-- standings, samples, generations and tiles. The program does not vouch for rows that somebody else wrote.

-- Tables

CREATE TABLE searches (
	-- The tuning of a run, stored once: it may go on after an ending. Its ids and those of endings are drawn from one sequence.
	id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 180000), -- never used twice
	name         TEXT NOT NULL UNIQUE, -- of the run: base_name of its endings, or base_name.2, base_name.3 ... where that was taken
	ending_id    INTEGER,              -- its longest ending that is finished, by which runs shows it; else the newest
	sizes        TEXT,                 -- JSON, by part of the tuning: as in endings
	hashed       TEXT,                 -- the running hash of its candidates and evaluations, from which fingerprints are made; NULL: not begun
	unrepeatable TEXT,                 -- why its games cannot be played again, so that it has no fingerprint: its bot does not repeat itself; otherwise NULL
	note         TEXT,                 -- of its owner, from the config or tune runs -note; NULL: none
	ranges       TEXT                  -- of its weights, a JSON list, as the view ranges shows them; NULL: of version 4
) STRICT;

CREATE TABLE endings (
	-- One row for each judging of a search after some generations: by playoff, validation, ablation and trend. A comparison is an
	-- ending without a search.
	id             INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 180000), -- never used twice, and by no search
	search_id      INTEGER REFERENCES searches (id), -- NULL: a comparison
	name           TEXT UNIQUE,          -- of a comparison; NULL: its search has one
	base_name      TEXT NOT NULL,        -- of the experiment, as its config says
	kind           TEXT NOT NULL,        -- tune, compare
	config_yaml    TEXT NOT NULL,        -- the resolved config, loadable
	config_hash    TEXT NOT NULL,        -- SHA-256 of the config's canonical text, hexadecimal
	tuning         TEXT NOT NULL,        -- likewise, of the config without the length of its last stage: endings of a search share it; of a comparison, of its players and search
	seed           INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- the one seed of everything random
	objective      TEXT NOT NULL,        -- the unit of fitness: mean_score, mean_log_score, {reach: 2048} ...
	signature      TEXT NOT NULL,        -- of the engine's play: runs of different signatures have different games
	tuner          TEXT NOT NULL,        -- signature of what proposes and chooses candidates: a run goes on with its own alone; '' of a comparison, and of runs of version 4
	own_games_only INTEGER NOT NULL CHECK (own_games_only IN (0, 1)), -- 1: begun with -new, it takes no games from other runs, and gives none
	status         TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'failed', 'finished')), -- a killed run stays running
	generations    INTEGER,              -- of the search that it judges, of all stages; NULL: its tuning goes on, or it is a comparison
	candidates     INTEGER NOT NULL DEFAULT 1000000000, -- those of the search with a smaller number are judged, and its own follow; 1000000000 while the tuning goes on
	questions      INTEGER NOT NULL DEFAULT 1000000000, -- likewise, of evaluations
	stopped_after  INTEGER,              -- generations after which -for ended the tuning; NULL: it did not
	sizes          TEXT,                 -- JSON, by part of the run: the games of each player that were planned, those that -for left room for
	                                     -- before the first one, and those that began in time; costs names the engine whose counts of nodes planned
	                                     -- follows from, if it follows from the cost of the tuning. NULL: the part has not begun
	held_out_salt  TEXT,                 -- SHA-256 of the config with the generations played. Held-out seeds are
	                                     -- hashes of seed and salt, so another config or length has other held-out
	                                     -- games. NULL before the playoff's end
	champion_id    INTEGER REFERENCES candidates (id), -- winner of the playoff; NULL before its end
	fingerprint    TEXT,                 -- SHA-256 of all its results, hexadecimal; NULL until it finished, and if unrepeatable is not NULL
	go_version     TEXT NOT NULL,        -- of the program that began it
	goarch         TEXT NOT NULL,        -- of the machine that began it
	done           REAL CHECK (done BETWEEN 0 AND 1), -- share of its plan that is done, by time; NULL: not known
	expected_end   TEXT,                 -- when it will finish, by the games so far; NULL before that is known, and when it has stopped
	started_at     TEXT NOT NULL,        -- when it was created
	updated_at     TEXT NOT NULL,        -- when something of it was last recorded
	finished_at    TEXT,                 -- when it finished; NULL before
	figured_games  INTEGER NOT NULL DEFAULT 0, -- games of the evaluations that the tables of figures are of
	figured        INTEGER NOT NULL DEFAULT 0, -- these evaluations: those with a smaller number
	ranked_games   INTEGER NOT NULL DEFAULT 0, -- likewise, of the ranks of tuning and of its sample, which come less often
	ranked         INTEGER NOT NULL DEFAULT 0,
	worked_ms      INTEGER NOT NULL DEFAULT 0, -- time that processes worked on it, milliseconds, without the time that it lay stopped
	played_games   INTEGER,              -- games that they played for it: it took the others from what was played before; NULL: of version 4
	unrepeatable   TEXT,                 -- of a comparison: as in searches
	programs       TEXT,                 -- of bots: a JSON list, for each an object with the SHA-256 of each argument that names a file; otherwise NULL
	note           TEXT,                 -- of a comparison: as in searches
	error          TEXT,                 -- what stopped a failed run; otherwise NULL
	four_probability REAL GENERATED ALWAYS AS ( -- of a spawn that is a 4; runs of other rules do not rank together
		iif(config_yaml LIKE '%four_probability: %', CAST(substr(config_yaml, instr(config_yaml, 'four_probability: ') + 18) AS REAL), 0.1)) VIRTUAL
) STRICT;

CREATE INDEX endings_by_identity ON endings (base_name, tuning);

CREATE INDEX endings_by_search ON endings (search_id, generations);

CREATE TABLE candidates (
	-- One row for each vector of weights that a run asked for. The view weights has a row for each weight.
	id         INTEGER PRIMARY KEY, -- number + 1000000000 times the id of its owner: the search, or the ending for candidates after the tuning
	run_id     INTEGER NOT NULL,    -- of the search, or of the comparison
	number     INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999999999), -- order of asking within the run; 0: the start weights
	generation INTEGER NOT NULL,    -- in which it was first asked for, from 0
	stage      TEXT NOT NULL,       -- in which it was first asked for; '' outside tuning
	origin     TEXT NOT NULL,       -- how it came about: start, initial, crossover, mutation, elite, centre, reference, ablation, compared ...
	name       TEXT NOT NULL,       -- of a reference or a compared player, or the feature left out; otherwise ''
	dead       TEXT NOT NULL,       -- value of a position without a legal move: worst, or a number
	play       TEXT NOT NULL,       -- hash of rules, features, weights and a bot's files: equal ones play equal games
	names      TEXT,                -- of its weights, a JSON list: the tunable ones in genome order, then fixed ones that differ from the config;
	                                -- NULL: the list of the run's candidate 0
	weights    TEXT NOT NULL,       -- their values in this order, a JSON list: the shortest decimals that read back as the same bits
	CHECK (id % 1000000000 = number)
) STRICT;

CREATE TABLE workers (
	-- The names of the machines that played games with tune worker, beside the processes that carried runs out. Part of no result.
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE -- processes of one name are one worker
) STRICT;

CREATE TABLE playing (
	-- The games under way: one row for each game of a question that is not recorded yet. Then the game moves into the table memo.
	id           INTEGER PRIMARY KEY, -- id to generation: as in the view games
	run_id       INTEGER NOT NULL,
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	phase        TEXT NOT NULL,
	stage        TEXT NOT NULL,
	search       TEXT NOT NULL,
	generation   INTEGER NOT NULL,
	round        INTEGER NOT NULL,
	seed         INTEGER NOT NULL CHECK (seed BETWEEN 0 AND 9007199254740991), -- of the spawns
	score        REAL NOT NULL,    -- points
	rank         INTEGER NOT NULL, -- rank to worker_id: of this game, as the lists of the table memo have them
	moves        INTEGER NOT NULL,
	nodes        INTEGER NOT NULL,
	board        BLOB NOT NULL CHECK (length(board) = 8),
	duration_us  INTEGER NOT NULL,
	worker_id    INTEGER REFERENCES workers (id)
) STRICT;

CREATE TABLE memo (
	-- What was ever played: a row has the games of a player at a search, with the seeds of a slice of a stream, from its first one
	-- on. A slice has 50 seeds. A row grows at its end, and any run that asks for its games gets them. The view games shows them.
	id          INTEGER PRIMARY KEY, -- in the order of playing
	key         BLOB NOT NULL CHECK (length(key) = 16), -- hash of all that the games depend on: play's signature, player, search, stream and slice
	only_run    INTEGER NOT NULL,    -- the only run that the games serve: it was begun with -new, or its bot failed or does not repeat itself; 0: they serve all
	games       INTEGER NOT NULL CHECK (games BETWEEN 0 AND 50),
	scores      TEXT NOT NULL,       -- of the games in the order of their seeds, a JSON list
	ranks       TEXT NOT NULL,       -- of their largest tiles, in this order: 11 is a 2048, 0: a bot did not say it
	moves       TEXT NOT NULL,       -- likewise; 0: a bot did not say them
	nodes       TEXT NOT NULL,       -- likewise; 0: a bot's are not known
	boards      BLOB,                -- their last boards, 8 bytes each: the rank of each tile in four bits, row by row from the upper left. All bits 0: a bot
	                                 -- did not say it; all bits 1: it was not kept (store: games:). NULL: none was kept
	times       TEXT,                -- their durations in microseconds, a JSON list: wall time, of a bot CPU time; null or NULL: not kept
	workers     TEXT,                -- of the machines that played them, a JSON list of workers.id; null or NULL: the process that carried the run out
	failure     TEXT                 -- what a bot did that could not play a game: the row has no games then. Behind the first line is its stderr; otherwise NULL
) STRICT;

CREATE UNIQUE INDEX memo_by_key ON memo (key, only_run, failure IS NULL);

CREATE TABLE slices (
	-- Where the questions of a search or an ending stand, and their seeds. The candidates of a generation share a row.
	owner_id   INTEGER NOT NULL, -- the search whose tuning asked, or the ending
	number     INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999999999), -- of the first question that was recorded of it
	phase      TEXT NOT NULL,    -- tuning, centre (looks at the centre of a tuning), playoff, validation, comparison, ablation, trend
	stage      TEXT NOT NULL,    -- of the phases tuning and centre; otherwise ''
	search     TEXT NOT NULL,    -- the search settings: depth 3
	generation INTEGER NOT NULL, -- of the stage, from 0; otherwise 0
	round      INTEGER NOT NULL, -- of the race, from 0
	first_game INTEGER NOT NULL, -- index in the stream of the first game; the row of the memo begins with the last multiple of 50 before it
	seeds      TEXT NOT NULL,    -- of the games from this one on, as far as they were asked for: whole numbers below 2^53, 16 decimal digits each
	PRIMARY KEY (owner_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX slices_by_place ON slices (owner_id, phase, stage, search, generation, round, first_game);

CREATE TABLE asked (
	-- What was asked of the memo, in the order of asking: games of a candidate in a slice of a stream, for a round of a race or for a phase.
	owner_id     INTEGER NOT NULL, -- the search whose tuning asked, or the ending
	number       INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999999999), -- from 0; of a comparison each player has a part of the numbers
	slice        INTEGER NOT NULL, -- slices.number: where it stands
	phase        TEXT,             -- of its slice; NULL: tuning
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	memo_id      INTEGER NOT NULL REFERENCES memo (id),
	games        INTEGER NOT NULL, -- from the first one of the slice on; 0: the candidate could not be played
	mean_score   REAL NOT NULL,
	sd_score     REAL NOT NULL,    -- sample standard deviation of the scores; 0 for one game
	fitness      REAL NOT NULL,    -- the run's objective, higher is better
	moves        INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes        INTEGER,          -- sum over the games; NULL: a bot's are not known
	duration_us  INTEGER,          -- sum of the games' durations, microseconds; NULL: not known
	PRIMARY KEY (owner_id, number),
	FOREIGN KEY (owner_id, slice) REFERENCES slices (owner_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX asked_after_tuning ON asked (owner_id, phase, number) WHERE phase IS NOT NULL; -- a night's tuning is skipped

CREATE INDEX asked_by_slice ON asked (owner_id, slice, candidate_id) WHERE phase IS NOT NULL; -- who played the same seeds

CREATE INDEX asked_failed ON asked (owner_id, number) WHERE games = 0;

CREATE INDEX asked_by_candidate ON asked (candidate_id);

CREATE TABLE comparisons (
	-- How two candidates compare on games that neither was chosen by: of the phase comparison a row for each question that
	-- was asked of the games. The view verdicts has the names.
	run_id        INTEGER NOT NULL, -- of the search, or of the comparison
	ending_id     INTEGER NOT NULL REFERENCES endings (id),
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
	PRIMARY KEY (ending_id, phase, search, candidate_id, baseline_id, look)
) STRICT, WITHOUT ROWID;

-- What the program makes of the facts above, for views and reports. It is written when a phase ends and when a process ends, and in
-- between once a minute at most. In a long tuning standings and samples are written anew less often, for that reads all of it. The
-- rows of a run may be deleted, and the program writes them again.

CREATE TABLE standings (
	-- A candidate in a phase, stage and search: of a stage of tuning the best 1,000.
	run_id          INTEGER NOT NULL, -- of the search, or of the comparison
	owner_id        INTEGER NOT NULL, -- the search, of its tuning, or the ending
	position        INTEGER NOT NULL, -- order within the run, from 0
	phase           TEXT NOT NULL,
	stage           TEXT NOT NULL,
	search          TEXT NOT NULL,
	rank            INTEGER NOT NULL, -- from 1 within phase, stage and search
	candidate_id    INTEGER NOT NULL,
	games           INTEGER NOT NULL,
	generations     INTEGER NOT NULL, -- in which it played
	mean_score      REAL NOT NULL,
	sd_score        REAL NOT NULL,
	ci_low          REAL,             -- 95% interval of mean_score
	ci_high         REAL,
	fitness         REAL NOT NULL,    -- the objective, higher is better
	fitness_ci_low  REAL,             -- 95% interval of fitness
	fitness_ci_high REAL,
	fitness_shrunk  REAL NOT NULL,    -- in tuning without its luck, on average
	fitness_low     REAL NOT NULL,    -- its lower bound, one-sided 95%: the order of the ranks
	ranks           TEXT,             -- games by largest tile, a JSON object by face; NULL: not known
	moves           INTEGER,          -- sum over the games; NULL: a bot did not say them
	nodes           INTEGER,          -- sum over the games; NULL: a bot's are not known
	PRIMARY KEY (run_id DESC, owner_id DESC, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_by_candidate ON standings (candidate_id, phase);

CREATE TABLE samples (
	-- Candidates of the last stage of an ending's tuning, evenly chosen of all that the tuning asked for.
	run_id         INTEGER NOT NULL, -- of the search
	owner_id       INTEGER NOT NULL, -- the ending
	position       INTEGER NOT NULL, -- order by number, from 0
	stage          TEXT NOT NULL,
	search         TEXT NOT NULL,
	candidates     INTEGER NOT NULL, -- of the stage
	candidate_id   INTEGER NOT NULL,
	fitness_shrunk REAL NOT NULL,    -- as in standings
	PRIMARY KEY (run_id DESC, owner_id DESC, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE generations (
	-- A generation of tuning.
	run_id               INTEGER NOT NULL, -- the search
	position             INTEGER NOT NULL, -- order within the run, from 0
	stage                TEXT NOT NULL,
	search               TEXT NOT NULL,
	generation           INTEGER NOT NULL, -- of the stage, from 0
	candidates           INTEGER NOT NULL, -- that played in it
	games                INTEGER NOT NULL, -- of all of them
	played               INTEGER NOT NULL, -- games of tuning at its end
	mean                 REAL NOT NULL,    -- of the candidates' mean scores
	sd                   REAL NOT NULL,    -- between these: mostly noise
	best                 REAL NOT NULL,    -- highest mean score, of the luckiest as well as the best
	worst                REAL NOT NULL,    -- lowest mean score
	mean_fitness         REAL NOT NULL,
	mean_fitness_ci_low  REAL,             -- 95% interval of mean_fitness
	mean_fitness_ci_high REAL,
	best_fitness         REAL NOT NULL,    -- the luckiest's as well
	different            INTEGER NOT NULL, -- games, with those of a seed that scored the same counted once
	behind               INTEGER NOT NULL, -- number of the evaluation behind its last one; 0: it has no sums of the stage, and the next rows do not follow from it
	-- Sums of the stage up to its end, from which the intervals of the next generations follow: variances of mean_fitness as the games
	-- of a seed share them and as independent games have them, and the seeds less one of each generation.
	shared               REAL NOT NULL,
	independent          REAL NOT NULL,
	freedom              INTEGER NOT NULL,
	PRIMARY KEY (run_id DESC, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE tiles (
	-- How often a candidate reaches a tile in games outside tuning.
	run_id       INTEGER NOT NULL, -- of the search, or of the comparison
	owner_id     INTEGER NOT NULL, -- the ending
	position     INTEGER NOT NULL, -- order within the run, from 0
	phase        TEXT NOT NULL,
	search       TEXT NOT NULL,
	candidate_id INTEGER NOT NULL,
	tile         INTEGER NOT NULL, -- face
	games        INTEGER NOT NULL,
	reached      INTEGER NOT NULL, -- games whose largest tile is at least this one
	ci_low       REAL NOT NULL,    -- 95% interval of reached / games, Wilson's
	ci_high      REAL NOT NULL,
	PRIMARY KEY (run_id DESC, owner_id DESC, position)
) STRICT, WITHOUT ROWID;

-- Views. They show a run by its longest ending. Each has its name as run and its id as run_id, but weights, which knows candidates
-- alone. They come in one order: first the run whose ending is the newest, so that LIMIT shows the newest results.

CREATE VIEW runs AS
	-- One row for each run: a search by its longest ending, or a comparison.
SELECT
	coalesce(e.search_id, e.id) AS id,           -- of the search, or of the comparison: the run_id of other views
	e.id AS ending_id,
	coalesce(s.name, e.name) AS name,            -- the column run of other views
	e.base_name,                                 -- the columns to worked_ms are as in endings
	e.kind,
	e.config_yaml,
	e.config_hash,
	e.tuning,
	e.seed,
	e.objective,
	e.signature,
	e.tuner,
	e.own_games_only,
	e.status,
	e.generations,
	e.stopped_after,
	e.held_out_salt,
	e.champion_id,
	e.fingerprint,
	e.go_version,
	e.goarch,
	e.done,
	e.expected_end,
	e.started_at,
	e.updated_at,
	e.finished_at,
	e.worked_ms,
	e.games,                                     -- of its evaluations: those that its figures are of
	max(0, e.games - e.played_games) AS reused_games, -- of these, that no process played for this ending: they were there before; NULL: not known
	coalesce(s.unrepeatable, e.unrepeatable) AS unrepeatable, -- why its games cannot be played again; NULL: they can
	e.programs,                                  -- as in endings, like error and four_probability
	coalesce(s.note, e.note) AS note,            -- of its owner; NULL: none
	e.error,
	e.four_probability
FROM (
	-- Those that the figures are of, and those behind them: a night's tuning is not added up again.
	SELECT e.*, CAST(iif(e.kind = 'compare', 0, e.figured_games)
		+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.search_id AND a.number >= e.figured AND a.number < e.questions)
		+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.id AND a.number >= iif(e.kind = 'compare', 0, e.figured)) AS INTEGER) AS games
	FROM endings AS e
) AS e
LEFT JOIN searches AS s ON s.id = e.search_id
WHERE s.id IS NULL OR s.ending_id = e.id
ORDER BY e.id DESC;

CREATE VIEW owners AS
	-- Who asked for the rows of a run in the tables asked, slices, standings and tiles: its search, and its longest ending. So a tuned
	-- run has two rows. Join it by owner_id: a join by run or run_id has each row twice, and doubles sums. A search may have gone
	-- on behind the ending: leave out its candidates and questions from the limits on.
SELECT
	s.id AS owner_id,                            -- as in asked, standings and tiles
	s.id AS run_id,
	s.name AS run,
	s.ending_id,                                 -- the longest ending of the run
	e.candidates,                                -- candidates with a smaller number are in the run
	e.questions                                  -- likewise, rows of asked and slices
FROM searches AS s
JOIN endings AS e ON e.id = s.ending_id
UNION ALL
SELECT e.id, coalesce(s.id, e.id), coalesce(s.name, e.name), e.id, 1000000000, 1000000000
FROM endings AS e
LEFT JOIN searches AS s ON s.id = e.search_id
WHERE s.id IS NULL OR s.ending_id = e.id
ORDER BY 4 DESC, 1
LIMIT -1; -- views keep this order

CREATE VIEW weights AS
	-- The weights of each candidate: the tunable ones in genome order, then fixed ones that differ from the config.
SELECT
	c.id AS candidate_id,
	w.key AS position,                           -- order within the candidate, from 0
	coalesce(c.names, (SELECT f.names FROM candidates AS f WHERE f.id = c.run_id * 1000000000)) ->> w.key AS name, -- of the number in the config; each once
	CAST(w.value AS REAL) AS value
FROM owners AS o
CROSS JOIN candidates AS c ON c.id BETWEEN o.owner_id * 1000000000 AND o.owner_id * 1000000000 + o.candidates - 1
CROSS JOIN json_each(c.weights) AS w;

CREATE VIEW games AS
	-- The games that runs asked for, as far as their configs kept them (store: games:), with those that a run took from the memo.
	-- Games of a question that is being played are always there, and come last. The view pairs has two players' games of a seed.
SELECT
	a.run,
	a.base + g.key AS id,                        -- place in the slice + 50 times the number of its evaluation + 50000000000 times the id of the search or the ending that asked
	a.run_id,
	a.candidate_id,
	a.phase,                                     -- tuning, centre (looks at the centre of a tuning), playoff, validation, comparison, ablation, trend
	a.stage,                                     -- of the phases tuning and centre; otherwise ''
	a.search,                                    -- the search settings: depth 3
	a.generation,                                -- of the stage, from 0; otherwise 0
	a.round,                                     -- of the race, from 0
	CAST(substr(a.seeds, 16 * (g.key - a.skip) + 1, 16) AS INTEGER) AS seed, -- of the spawns
	CAST(g.value AS REAL) AS score,              -- points
	1 << nullif(a.ranks ->> g.key, 0) AS max_tile, -- face of the largest tile: 2048; NULL: a bot did not say it
	nullif(a.moves ->> g.key, 0) AS moves,       -- NULL: a bot did not say them
	nullif(a.nodes ->> g.key, 0) AS nodes,       -- afterstates valued or expanded; NULL: a bot's are not known
	-- 1: ended by merging two 32768s; 0: no move was left. A bot whose last board is not known may name any tile.
	(a.ranks ->> g.key) = 16 AND substr(a.boards, 8 * g.key + 1, 8) <> zeroblob(8) AS capped,
	-- The last board, 16 hexadecimal digits row by row from the upper left: each is the rank of a tile. b is a 2048, 0 a blank.
	lower(hex(substr(a.boards, 8 * g.key + 1, 8))) AS final_board,
	a.times ->> g.key AS duration_us,            -- wall time, of a bot CPU time, microseconds: it differs between equal runs, as the next column does
	a.workers ->> g.key AS worker_id             -- the machine that played it; NULL: the process that carried the run out
FROM (
	SELECT q.owner_id * 50000000000 + q.number * 50 AS base, o.run, o.run_id, q.candidate_id, s.phase, s.stage, s.search, s.generation, s.round,
		s.first_game % 50 AS skip, q.games, s.seeds, m.scores, m.ranks, m.moves, m.nodes, m.boards, m.times, m.workers
	FROM owners AS o
	CROSS JOIN asked AS q ON q.owner_id = o.owner_id AND q.number < o.questions
	CROSS JOIN slices AS s ON s.owner_id = q.owner_id AND s.number = q.slice
	CROSS JOIN memo AS m ON m.id = q.memo_id
	WHERE m.boards IS NOT NULL
	UNION ALL
	SELECT id, o.run, o.run_id, candidate_id, phase, stage, search, generation, round,
		0, 1, printf('%016d', seed), json_array(score), json_array(rank), json_array(moves), json_array(nodes), board,
		json_array(duration_us), json_array(worker_id)
	FROM playing
	CROSS JOIN owners AS o ON o.owner_id = id / 50000000000 AND id / 50 % 1000000000 < o.questions
) AS a
CROSS JOIN json_each(a.scores) AS g
WHERE g.key >= a.skip AND g.key < a.skip + a.games AND substr(a.boards, 8 * g.key + 1, 8) <> x'ffffffffffffffff';

CREATE VIEW evaluations AS
	-- What the games of each question of a run came to: of one candidate, 50 games at most, in a round of a race or elsewhere. The
	-- fitness by any objective follows from scores and ranks.
SELECT
	o.run,
	o.run_id,
	a.number,                                    -- within the run, in the order of asking
	p.phase,                                     -- phase to round: as in games
	p.stage,
	p.search,
	p.generation,
	p.round,
	a.candidate_id,
	lower(hex(m.key)) AS key,                    -- names what was asked for in the memo: equal ones have equal games
	p.first_game,                                -- index of the first seed in its stream
	a.games,
	a.mean_score,
	a.sd_score,                                  -- sample standard deviation of the scores; 0 for one game
	a.fitness,                                   -- the run's objective, higher is better
	-- Of all games in the order of their seeds, a JSON list.
	CASE WHEN a.games = m.games THEN m.scores ELSE (SELECT json_group_array(s.value) FROM json_each(m.scores) AS s
		WHERE s.key >= p.first_game % 50 AND s.key < p.first_game % 50 + a.games) END AS scores,
	-- Of their largest tiles, in this order: 11 is a 2048, 0: a bot did not say it.
	CASE WHEN a.games = m.games THEN m.ranks ELSE (SELECT json_group_array(s.value) FROM json_each(m.ranks) AS s
		WHERE s.key >= p.first_game % 50 AND s.key < p.first_game % 50 + a.games) END AS ranks,
	a.moves,                                     -- sum over the games; NULL: a bot did not say them
	a.nodes,                                     -- sum over the games; NULL: a bot's are not known
	a.duration_us,                               -- sum of the games' durations, microseconds; NULL: not known
	m.failure                                    -- what a bot did that could not play one of the games; NULL: all were played. Behind the first line is its stderr
FROM owners AS o
CROSS JOIN asked AS a ON a.owner_id = o.owner_id AND a.number < o.questions
CROSS JOIN slices AS p ON p.owner_id = a.owner_id AND p.number = a.slice
CROSS JOIN memo AS m ON m.id = a.memo_id;

CREATE VIEW population AS
	-- Who played in each generation of tuning, as far as the run's ending judges it: a row for each candidate and slice. The candidates
	-- of a slice played the same seeds, so their fitness compares.
SELECT
	s.name AS run,
	s.id AS run_id,
	g.position,                                  -- of the generation within the run, from 0
	g.stage,
	g.search,                                    -- of the stage
	g.generation,                                -- of the stage, from 0
	g.played,                                    -- games of tuning at its end
	p.round,                                     -- of the race, from 0: all candidates play in round 0
	p.number AS slice,                           -- as in slices
	a.candidate_id,
	a.games,                                     -- of the candidate in the slice
	a.mean_score,
	a.fitness                                    -- the run's objective, higher is better
FROM (SELECT s.* FROM searches AS s ORDER BY s.ending_id DESC LIMIT -1) AS s
CROSS JOIN endings AS e ON e.id = s.ending_id
CROSS JOIN generations AS g ON g.run_id = s.id AND g.position < coalesce(e.generations, 1000000000)
CROSS JOIN slices AS p ON p.owner_id = s.id AND p.phase = 'tuning' AND p.stage = g.stage AND p.search = g.search AND p.generation = g.generation
-- The numbers of a slice follow one another, and one of them names it.
CROSS JOIN asked AS a ON a.owner_id = s.id AND a.slice = p.number AND a.games > 0
	AND a.number > coalesce((SELECT max(n.number) FROM slices AS n WHERE n.owner_id = s.id AND n.number < p.number), -1)
	AND a.number < coalesce((SELECT min(n.number) FROM slices AS n WHERE n.owner_id = s.id AND n.number > p.number), 1000000000);

CREATE VIEW vectors AS
	-- Each candidate: where it came from, how it did in tuning, and its weights as one JSON object: weights ->> 'name' takes one of
	-- them. Of a million candidates leave out the figures, or ask for some: each is looked up.
SELECT
	o.run,
	o.run_id,
	c.id AS candidate_id,
	c.number,                                    -- within the run; 0: the start weights
	c.stage,                                     -- in which it was first asked for; '' outside tuning
	c.generation,                                -- likewise, from 0
	c.origin,                                    -- how it came about
	c.name,                                      -- of a reference, a compared player, or the feature left out; otherwise ''
	-- In tuning: its games, their mean score, and its last generation and round of the race there. NULL: it had no part in it.
	(SELECT sum(a.games) FROM asked AS a WHERE a.candidate_id = c.id AND a.owner_id = o.run_id AND a.number < o.questions AND a.phase IS NULL) AS games,
	(SELECT sum(a.games * a.mean_score) / sum(a.games) FROM asked AS a WHERE a.candidate_id = c.id AND a.owner_id = o.run_id AND a.number < o.questions AND a.phase IS NULL) AS mean_score,
	(SELECT p.generation FROM asked AS a JOIN slices AS p ON p.owner_id = a.owner_id AND p.number = a.slice
		WHERE a.candidate_id = c.id AND a.owner_id = o.run_id AND a.number < o.questions AND a.phase IS NULL ORDER BY a.number DESC LIMIT 1) AS last_generation,
	(SELECT p.round FROM asked AS a JOIN slices AS p ON p.owner_id = a.owner_id AND p.number = a.slice
		WHERE a.candidate_id = c.id AND a.owner_id = o.run_id AND a.number < o.questions AND a.phase IS NULL ORDER BY a.number DESC LIMIT 1) AS last_round,
	-- By name, in genome order: the shortest decimals that read back as the same bits.
	(SELECT json_group_object(n.value, json(c.weights -> n.key))
		FROM json_each(coalesce(c.names, (SELECT f.names FROM candidates AS f WHERE f.id = o.run_id * 1000000000))) AS n) AS weights
FROM owners AS o
CROSS JOIN candidates AS c ON c.id BETWEEN o.owner_id * 1000000000 AND o.owner_id * 1000000000 + o.candidates - 1;

CREATE VIEW ranges AS
	-- Where the tuning of each run may look: a row for each weight that is tuned.
SELECT
	s.name AS run,
	s.id AS run_id,
	r.key AS position,                           -- in genome order, from 0, as in weights
	r.value ->> 'name' AS name,                  -- of the number in the config
	CAST(r.value ->> 'min' AS REAL) AS min,
	CAST(r.value ->> 'max' AS REAL) AS max,
	CAST(r.value ->> 'start' AS REAL) AS start,
	r.value ->> 'scale' AS scale,                -- ratio, linear or log
	r.value ->> 'whole' AS whole                 -- 1: whole numbers alone; 0: any
FROM (SELECT s.* FROM searches AS s ORDER BY s.ending_id DESC LIMIT -1) AS s
CROSS JOIN json_each(s.ranges) AS r;

CREATE VIEW leaderboard AS
	-- Who leads in each phase, stage and search of a run, by the lower bound of fitness, which few games lower. In tuning hundreds of
	-- candidates play a few games each, and the best 1,000 of a stage are listed. Its bound is the bound of fitness_shrunk, which takes
	-- luck off on average. Of thousands with two or three games each the very first may be luckier still: one with 66,221, at least
	-- 55,495, was worth 49,207. Finalists are chosen by the bound of their own games alone: mean fitness - 1.645 sd / sqrt(games), with
	-- one sd for all. They are listed, too, with ranks behind 1,000 if they are not among the best. Validation comes first, then
	-- playoff, comparison, ablation, trend, and tuning with the last stage first. Before there is a verdict, the centre of the search
	-- at its last look is the first. A playoff flatters its first: the view champions has its worth. The rows are as new as the table
	-- standings.
SELECT
	coalesce(s.name, e.name) AS run,
	f.run_id,
	f.phase,                                     -- tuning, playoff, validation, comparison, ablation, trend, centre
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
	(SELECT json_group_object(n.value, json(c.weights -> n.key))
		FROM json_each(coalesce(c.names, (SELECT f.names FROM candidates AS f WHERE f.id = c.run_id * 1000000000))) AS n) AS weights -- a JSON object by name
FROM endings AS e
LEFT JOIN searches AS s ON s.id = e.search_id
CROSS JOIN standings AS f ON f.run_id = coalesce(e.search_id, e.id)
CROSS JOIN candidates AS c ON c.id = f.candidate_id
WHERE (s.id IS NULL OR s.ending_id = e.id) AND +f.owner_id IN (f.run_id, e.id)
ORDER BY e.id DESC, f.owner_id DESC, f.position;

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
	-- The columns from gain_percent to verdict are NULL until the comparison is recorded, percents and ratios also where a mean is not
	-- above 0.
	100 * (d.ratio - 1) AS gain_percent,         -- as the program prints it: 56 is +56%
	100 * (d.ratio_ci_low - 1) AS gain_percent_ci_low, -- 95% interval of gain_percent
	100 * (d.ratio_ci_high - 1) AS gain_percent_ci_high,
	d.difference AS gain,                        -- in the objective's unit: points of mean_score
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
	(SELECT json_group_object(n.value, json(c.weights -> n.key))
		FROM json_each(coalesce(c.names, (SELECT f.names FROM candidates AS f WHERE f.id = c.run_id * 1000000000))) AS n) AS weights -- a JSON object by name
FROM runs AS r
CROSS JOIN candidates AS c ON c.id = r.champion_id
CROSS JOIN standings AS v ON v.candidate_id = r.champion_id AND v.phase = 'validation' AND v.run_id = r.id AND v.owner_id = r.ending_id
LEFT JOIN standings AS s ON s.candidate_id = r.id * 1000000000 AND s.phase = 'validation' AND s.search = v.search AND s.run_id = r.id AND s.owner_id = r.ending_id
LEFT JOIN comparisons AS d ON d.ending_id = r.ending_id AND d.phase = 'validation' AND d.search = v.search
	AND d.candidate_id = v.candidate_id AND d.baseline_id = r.id * 1000000000
LEFT JOIN standings AS p ON p.run_id = r.id AND p.owner_id = r.ending_id AND p.position = (
	SELECT min(k.position) FROM standings AS k WHERE k.candidate_id = r.champion_id AND k.phase = 'playoff' AND k.owner_id = r.ending_id
)
-- The last stage stands first.
LEFT JOIN standings AS t ON t.run_id = r.id AND t.owner_id = r.id AND t.position = (
	SELECT min(k.position) FROM standings AS k WHERE k.candidate_id = r.champion_id AND k.phase = 'tuning'
)
ORDER BY r.ending_id DESC, v.search;

CREATE VIEW convergence AS
	-- How tuning went, generation by generation in the order in which they were played. The figures are of the candidates, which
	-- may be drawn widely: how good the search was say the games of the phase centre, in evaluations.
SELECT
	s.name AS run,
	f.run_id,
	f.stage,
	f.search,                                    -- of the stage
	f.generation,                                -- of the stage, from 0
	f.best,                                      -- highest mean score of a candidate in it: of the luckiest as well as the best
	f.mean,                                      -- mean of the candidates' mean scores, points
	f.worst,                                     -- lowest mean score
	f.sd,                                        -- standard deviation between the candidates' mean scores: mostly noise
	f.best_fitness,
	f.mean_fitness,
	f.mean_fitness_ci_low,                       -- 95% interval
	f.mean_fitness_ci_high,
	f.candidates,                                -- that played in it
	f.played AS games                            -- from the beginning of the run's tuning
FROM endings AS e
CROSS JOIN searches AS s ON s.id = e.search_id AND s.ending_id = e.id
CROSS JOIN generations AS f ON f.run_id = s.id AND f.position < coalesce(e.generations, 1000000000)
ORDER BY e.id DESC, f.position;

CREATE VIEW tile_rates AS
	-- How often a candidate reaches a tile in games outside tuning, with Wilson's 95% score interval. For tuning, where these
	-- shares choose and flatter, the columns reach_128 to reach_65536 of leaderboard must do.
SELECT
	coalesce(s.name, e.name) AS run,
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
FROM endings AS e
LEFT JOIN searches AS s ON s.id = e.search_id
CROSS JOIN tiles AS f ON f.run_id = coalesce(e.search_id, e.id) AND f.owner_id = e.id
WHERE s.id IS NULL OR s.ending_id = e.id
ORDER BY e.id DESC, f.position;

CREATE VIEW verdicts AS
	-- Every comparison of two candidates with their names: whether the player is better than the baseline.
SELECT
	r.name AS run,
	r.id AS run_id,
	d.phase,                                     -- validation, comparison, ablation, trend
	d.search,
	d.candidate_id,
	-- What was left out; the earlier centre of the search, of which trend asks; else its own name, champion, start, or candidate and its
	-- number.
	CASE WHEN d.phase = 'ablation' THEN d.question
		WHEN d.phase = 'trend' AND c.origin = 'centre' THEN 'centre at ' || printf('%,d', (SELECT max(g.played) FROM generations AS g
			WHERE g.run_id = r.id AND g.position < r.generations AND g.stage = c.stage AND g.generation <= c.generation)) || ' games'
		WHEN c.name <> '' THEN c.name WHEN c.id = r.champion_id THEN 'champion' WHEN c.number = 0 THEN 'start'
		ELSE 'candidate ' || c.number END AS player,
	d.baseline_id,
	-- A champion that is the start weights is compared with the start, too.
	CASE WHEN d.phase = 'trend' AND b.origin = 'centre' THEN 'centre at ' || printf('%,d', (SELECT max(g.played) FROM generations AS g
			WHERE g.run_id = r.id AND g.position < r.generations AND g.stage = b.stage AND g.generation <= b.generation)) || ' games'
		WHEN b.name <> '' THEN b.name WHEN b.id = r.champion_id AND b.id <> c.id THEN 'champion' WHEN b.number = 0 THEN 'start'
		ELSE 'candidate ' || b.number END AS baseline,
	d.objective,                                 -- the compared figure: mean_score, mean_log_score, {reach: 2048} ...
	d.games,                                     -- of the player
	d.baseline_games,
	100 * (d.ratio - 1) AS change_percent,       -- the player above the baseline, as the program prints it; NULL: a mean is not above 0
	100 * (d.ratio_ci_low - 1) AS change_percent_ci_low, -- interval of change_percent
	100 * (d.ratio_ci_high - 1) AS change_percent_ci_high,
	d.difference,                                -- player minus baseline, in the objective's unit: points of mean_score
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
CROSS JOIN comparisons AS d ON d.ending_id = r.ending_id
CROSS JOIN candidates AS c ON c.id = d.candidate_id
CROSS JOIN candidates AS b ON b.id = d.baseline_id
ORDER BY r.ending_id DESC,
	CASE d.phase WHEN 'validation' THEN 0 WHEN 'comparison' THEN 1 WHEN 'ablation' THEN 2 WHEN 'trend' THEN 3 ELSE 4 END,
	d.search, d.candidate_id, d.baseline_id, d.look;

CREATE VIEW pairs AS
	-- The games behind each comparison, seed by seed: two players met the same tiles. A champion's held-out games against the start
	-- weights are those WHERE phase = 'validation' AND baseline = 'start'. To join the view games with itself takes minutes.
SELECT
	v.run,
	v.run_id,
	v.phase,                                     -- validation, comparison, ablation, trend
	v.search,
	v.player,                                    -- as in verdicts
	v.baseline,
	v.candidate_id,                              -- the player
	v.baseline_id,
	CAST(substr(p.seeds, 16 * (g.key - p.first_game % 50) + 1, 16) AS INTEGER) AS seed, -- of the spawns
	CAST(g.value AS REAL) AS score,              -- points
	CAST(n.scores ->> g.key AS REAL) AS baseline_score,
	CAST(g.value - (n.scores ->> g.key) AS REAL) AS difference -- points of the player above the baseline
FROM runs AS r
CROSS JOIN verdicts AS v ON v.run_id = r.id
CROSS JOIN slices AS p ON p.owner_id = r.ending_id AND p.phase = v.phase AND p.stage = '' AND p.search = v.search
CROSS JOIN asked AS a INDEXED BY asked_by_slice ON a.owner_id = p.owner_id AND a.slice = p.number AND a.phase IS NOT NULL AND a.candidate_id = v.candidate_id
CROSS JOIN asked AS b INDEXED BY asked_by_slice ON b.owner_id = p.owner_id AND b.slice = p.number AND b.phase IS NOT NULL AND b.candidate_id = v.baseline_id
CROSS JOIN memo AS m ON m.id = a.memo_id
CROSS JOIN memo AS n ON n.id = b.memo_id
CROSS JOIN json_each(m.scores) AS g
WHERE g.key >= p.first_game % 50 AND g.key < p.first_game % 50 + min(a.games, b.games)
	-- A comparison has a row for each question about the same games.
	AND v.look = (SELECT max(l.look) FROM comparisons AS l WHERE l.ending_id = r.ending_id AND l.phase = v.phase AND l.search = v.search
		AND l.candidate_id = v.candidate_id AND l.baseline_id = v.baseline_id)
ORDER BY r.ending_id DESC;

CREATE VIEW progress AS
	-- Where each run is: its records, and the last block of games that it finished. A run that goes on has the row of its newest
	-- ending.
SELECT
	coalesce(s.name, e.name) AS run,
	coalesce(s.id, e.id) AS run_id,
	e.kind,                                      -- tune, compare
	e.status,                                    -- running, interrupted, failed, finished; a killed run stays running
	e.done,                                      -- share of its plan, by time; NULL: not known
	e.expected_end,                              -- NULL: not known, or it has stopped; of a killed run as its process said, until tune query looks
	e.started_at,
	e.updated_at,
	-- Seconds since something of it was last recorded: while it goes on a few, for a process records several times a second, or after
	-- each game that takes longer. So a killed run is one that is running and silent. NULL: it has stopped.
	CASE WHEN e.status = 'running' THEN CAST(round(86400 * (julianday('now') - julianday(e.updated_at))) AS INTEGER) END AS silent_seconds,
	e.finished_at,
	(SELECT count(*) FROM candidates AS c WHERE c.id BETWEEN s.id * 1000000000 AND s.id * 1000000000 + e.candidates - 1)
		+ (SELECT count(*) FROM candidates AS c WHERE c.id BETWEEN e.id * 1000000000 AND e.id * 1000000000 + 999999999) AS candidates,
	e.games,                                     -- as in runs, like the next one
	max(0, e.games - e.played_games) AS reused_games,
	p.phase,                                     -- phase to search: of the last evaluation
	p.stage,
	p.generation,
	p.round,
	p.search,
	e.fingerprint                                -- NULL until it is finished
FROM (
	SELECT e.*, CAST(iif(e.kind = 'compare', 0, e.figured_games)
		+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.search_id AND a.number >= e.figured AND a.number < e.questions)
		+ (SELECT total(a.games) FROM asked AS a WHERE a.owner_id = e.id AND a.number >= iif(e.kind = 'compare', 0, e.figured)) AS INTEGER) AS games
	FROM endings AS e
) AS e
LEFT JOIN searches AS s ON s.id = e.search_id
LEFT JOIN asked AS b ON b.owner_id = iif(EXISTS (SELECT 1 FROM asked AS a WHERE a.owner_id = e.id), e.id, s.id)
	AND b.number = (SELECT max(a.number) FROM asked AS a WHERE a.owner_id = b.owner_id AND a.number < iif(b.owner_id = e.id, 1000000000, e.questions))
LEFT JOIN slices AS p ON p.owner_id = b.owner_id AND p.number = b.slice
WHERE s.id IS NULL OR e.id = (SELECT max(n.id) FROM endings AS n WHERE n.search_id = s.id)
ORDER BY e.id DESC;
