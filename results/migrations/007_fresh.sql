-- A run that is begun afresh plays for itself, also after it was interrupted.

ALTER TABLE runs ADD COLUMN
	fresh INTEGER -- 1: begun with -new, it takes no games of other runs; 0: it may, or was recorded before version 7
	NOT NULL DEFAULT 0;
