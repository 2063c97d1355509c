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
