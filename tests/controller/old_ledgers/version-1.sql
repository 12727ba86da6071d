PRAGMA page_size=512;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, at_mono INTEGER NOT NULL, at_utc TEXT NOT NULL, clock_ok INTEGER NOT NULL,
  kind TEXT NOT NULL, body BLOB NOT NULL, prev_hash BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'append-only'); END;
INSERT INTO meta VALUES ('version', '1'), ('epoch', '7');
