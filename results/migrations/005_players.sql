-- What tells which games and evaluations of other runs are those that a run asks for: it does not play them again.

ALTER TABLE candidates ADD COLUMN
	play TEXT -- hash of all that its games hang on beside the search and the seed; '': recorded before version 5
	NOT NULL DEFAULT '';

CREATE INDEX candidates_by_play ON candidates (play) WHERE play <> '';

ALTER TABLE runs ADD COLUMN
	objective TEXT -- what fitness is, such as mean_score; '': recorded before version 5
	NOT NULL DEFAULT '';
