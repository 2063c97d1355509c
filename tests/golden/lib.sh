# What golden commands share: . "$LW_SOURCE/tests/golden/lib.sh"

# sql FILE STATEMENTS: changes a catalogue behind the program's back.
sql() {
    /usr/bin/python3 -c 'import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.executescript(sys.argv[2])
base.commit()' "$@"
}

# json: what comes in must be JSON; prints it as it is.
json() {
    tee out.json && /usr/bin/python3 -c 'import json; json.load(open("out.json"))'
}

# A catalogue c.db of the embedded bugs, made without a word.
new_catalog() {
    lacewing bugs list --quiet --catalog c.db >/dev/null
}

# A catalogue of twelve of them, so that what a listing prints does not change with every bug that
# is added to the program: small_catalog [FILE]
small_catalog() {
    lacewing bugs list --quiet --limit 1 --catalog "${1:-c.db}" >/dev/null
    sql "${1:-c.db}" "PRAGMA foreign_keys = ON;
        DELETE FROM bug WHERE id NOT IN ('np-standardize-constant', 'np-uint8-wraparound',
        'pt-bce-integer-target', 'pt-deep-sigmoid', 'pt-double-softmax',
        'pt-generate-whole-prefix', 'pt-linear-in-features', 'pt-log-of-probability',
        'pt-loss-data-index', 'pt-regression-broadcast', 'pt-validation-keeps-graph',
        'pt-zero-grad-missing');
        DELETE FROM similar; UPDATE bug SET support_level = 1;
        INSERT INTO bug_text(bug_text) VALUES('rebuild')"
}
