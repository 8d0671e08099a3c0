-- Names of weights are unique because whoever records them sees to it; the index that did was a third of the file where
-- many are tuned. Views that name the table do not let it be renamed, so its rows go out and come back.

CREATE TEMP TABLE moved AS SELECT * FROM weights;

DROP TABLE weights;

CREATE TABLE weights (
	candidate_id INTEGER NOT NULL REFERENCES candidates (id),
	position     INTEGER NOT NULL, -- order within the candidate, from 0
	name         TEXT NOT NULL,    -- of the number in the config: each once
	value        REAL NOT NULL,
	PRIMARY KEY (candidate_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO weights SELECT candidate_id, position, name, value FROM temp.moved ORDER BY candidate_id, position;

DROP TABLE temp.moved;
