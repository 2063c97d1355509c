-- The catalogue, version 1. Texts are UTF-8, times are seconds since 1970 UTC.
CREATE TABLE meta(
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE bug(
    num INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused, as the ids
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    leaf TEXT NOT NULL,
    category TEXT NOT NULL,
    symptom TEXT NOT NULL,
    property TEXT NOT NULL,
    framework TEXT NOT NULL,
    origin_url TEXT NOT NULL,
    fix_url TEXT NOT NULL,
    description TEXT NOT NULL,
    root_cause TEXT NOT NULL,
    generality TEXT NOT NULL,
    fix_pattern TEXT NOT NULL,
    error_message TEXT NOT NULL,
    report TEXT NOT NULL,
    exception TEXT NOT NULL,
    message TEXT NOT NULL,
    metric TEXT NOT NULL,
    git_url TEXT NOT NULL,
    retracted TEXT NOT NULL,
    expect INTEGER NOT NULL,
    seeds INTEGER NOT NULL,
    support_level INTEGER NOT NULL,
    trusted INTEGER NOT NULL
);
-- Over living bugs only, so that counting and paging never touch the long rows themselves.
CREATE INDEX bug_living ON bug(id) WHERE retracted = '';
CREATE INDEX bug_title ON bug(title, id) WHERE retracted = '';
CREATE INDEX bug_source ON bug(source, id) WHERE retracted = '';
CREATE INDEX bug_type ON bug(type, id) WHERE retracted = '';
CREATE INDEX bug_leaf ON bug(leaf, id) WHERE retracted = '';
CREATE INDEX bug_category ON bug(category, id) WHERE retracted = '';
CREATE INDEX bug_symptom ON bug(symptom, id) WHERE retracted = '';
CREATE INDEX bug_property ON bug(property, id) WHERE retracted = '';
CREATE INDEX bug_framework ON bug(framework, id) WHERE retracted = '';
CREATE INDEX bug_support ON bug(support_level, id) WHERE retracted = '';

CREATE TABLE environment(
    bug INTEGER PRIMARY KEY REFERENCES bug(num) ON DELETE CASCADE,
    framework_version TEXT NOT NULL,
    python_version TEXT NOT NULL,
    modules TEXT NOT NULL,
    requirements TEXT NOT NULL,
    command TEXT NOT NULL,
    test TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    memory_mb INTEGER NOT NULL
);
CREATE INDEX environment_modules ON environment(modules);

-- The two sides of a bug: a commit, or files; and where its metric is expected.
CREATE TABLE version(
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    side INTEGER NOT NULL CHECK(side IN (0, 1)),   -- 0 buggy, 1 fixed
    commit_id TEXT NOT NULL,
    low REAL, high REAL,                           -- both NULL: not a number, or no metric
    PRIMARY KEY(bug, side)
) WITHOUT ROWID;

CREATE TABLE file(
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    path TEXT NOT NULL,      -- as in the specimen's folder: buggy/main.py, test.py, …
    content BLOB NOT NULL,
    PRIMARY KEY(bug, path)
) WITHOUT ROWID;

CREATE TABLE verification(
    num INTEGER PRIMARY KEY,
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    backend TEXT NOT NULL,
    isolation TEXT NOT NULL,
    verdict TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX verification_bug ON verification(bug, num);

CREATE TABLE run(
    num INTEGER PRIMARY KEY,
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    verification INTEGER REFERENCES verification(num) ON DELETE CASCADE,
    side INTEGER NOT NULL CHECK(side IN (0, 1)),
    ended TEXT NOT NULL,     -- exited, signaled, time-limit, …
    exit INTEGER NOT NULL,
    signal INTEGER NOT NULL,
    seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    peak_bytes INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    failure TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX run_bug ON run(bug, num);
CREATE INDEX run_verification ON run(verification);

CREATE TABLE tool(
    name TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    description TEXT NOT NULL
) WITHOUT ROWID;

-- Which tools are known to find a bug.
CREATE TABLE bug_tool(
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    PRIMARY KEY(bug, tool)
) WITHOUT ROWID;
CREATE INDEX bug_tool_tool ON bug_tool(tool);

CREATE TABLE finding(
    num INTEGER PRIMARY KEY,
    bug INTEGER REFERENCES bug(num) ON DELETE CASCADE,
    side INTEGER CHECK(side IN (0, 1)),
    tool TEXT NOT NULL,
    path TEXT NOT NULL,
    line INTEGER NOT NULL,
    rule TEXT NOT NULL,
    category TEXT NOT NULL,
    severity TEXT NOT NULL,
    confidence REAL NOT NULL,
    message TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX finding_bug ON finding(bug, num);

-- Bugs with the same root cause and kind of fix.
CREATE TABLE similar(
    bug INTEGER NOT NULL REFERENCES bug(num) ON DELETE CASCADE,
    other_id TEXT NOT NULL,
    PRIMARY KEY(bug, other_id)
) WITHOUT ROWID;

CREATE TABLE submission(
    num INTEGER PRIMARY KEY AUTOINCREMENT,
    bug_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK(state IN ('waiting', 'accepted', 'rejected')),
    reason TEXT NOT NULL,
    archive BLOB,
    at INTEGER NOT NULL
);

CREATE TABLE campaign(
    num INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- The words of living bugs. Kept in step by the program: triggers on it would need a trusted
-- schema.
CREATE VIRTUAL TABLE bug_text USING fts5(
    id, title, error_message, description, root_cause, report,
    content='bug', content_rowid='num', tokenize='porter unicode61'
);
