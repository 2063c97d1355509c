-- Version 2: filters as small numbers, so that any of them is answered from one narrow index;
-- detections; the evidence of repeated runs.

-- The values that filters ask for, numbered in the order in which they were first met.
CREATE TABLE word(
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    code INTEGER NOT NULL,
    PRIMARY KEY(kind, name)
) WITHOUT ROWID;
CREATE UNIQUE INDEX word_code ON word(kind, code);

-- The codes of a bug's words side by side in one number (src/catalog/facets.h), and as words of
-- the text index.
ALTER TABLE bug ADD COLUMN facets INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bug ADD COLUMN facet_words TEXT NOT NULL DEFAULT '';

DROP INDEX IF EXISTS bug_living;
DROP INDEX IF EXISTS bug_title;
DROP INDEX IF EXISTS bug_source;
DROP INDEX IF EXISTS bug_type;
DROP INDEX IF EXISTS bug_leaf;
DROP INDEX IF EXISTS bug_category;
DROP INDEX IF EXISTS bug_symptom;
DROP INDEX IF EXISTS bug_property;
DROP INDEX IF EXISTS bug_framework;
DROP INDEX IF EXISTS bug_support;
DROP INDEX IF EXISTS environment_modules;
-- Over living bugs only, and with all that a filter looks at: filtering, counting and paging
-- never touch the long rows themselves.
CREATE INDEX bug_facets ON bug(id, facets) WHERE retracted = '';
CREATE INDEX bug_title ON bug(title, id, facets) WHERE retracted = '';
CREATE INDEX bug_support ON bug(support_level, id, facets) WHERE retracted = '';

DROP TABLE bug_text;
CREATE VIRTUAL TABLE bug_text USING fts5(
    id, title, error_message, description, root_cause, report, facet_words,
    content='bug', content_rowid='num', tokenize='porter unicode61'
);
-- The filters' words say nothing about relevance.
INSERT INTO bug_text(bug_text, rank)
    VALUES('rank', 'bm25(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0)');
-- Bytes of words that an import gathers before it writes them out: each time costs a merge later.
INSERT INTO bug_text(bug_text, rank) VALUES('hashsize', 8388608);

-- How often both sides were run for a verdict, and how often they behaved as stated.
ALTER TABLE verification ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
ALTER TABLE verification ADD COLUMN agreed INTEGER NOT NULL DEFAULT 1;
CREATE INDEX verification_verdict ON verification(verdict, times, agreed);

-- A tool on one side of a bug; its findings, if any, are rows of finding.
CREATE TABLE detection(
    num INTEGER PRIMARY KEY,
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    side INTEGER NOT NULL CHECK(side IN (0, 1)),
    tool TEXT NOT NULL,
    findings INTEGER NOT NULL,
    seconds REAL NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX detection_bug ON detection(bug, num);
ALTER TABLE finding ADD COLUMN detection INTEGER REFERENCES detection(num) ON DELETE CASCADE;
CREATE INDEX finding_detection ON finding(detection);
CREATE INDEX submission_state ON submission(state, num);
