# A repository with a rename, an edit and a binary file.
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME='A U Thor' GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME='C O Mitter' GIT_COMMITTER_EMAIL=c@example.com
git init -q repo && git -C repo symbolic-ref HEAD refs/heads/main
commit() {
    git -C repo add -A
    GIT_AUTHOR_DATE="$1 12:00:00 +0100" GIT_COMMITTER_DATE="$1 13:00:00 +0100" git -C repo commit -q -m "$2"
}
mkdir repo/src repo/lib
printf 'import torch\n\nx = 1\ny = 2\nz = 3\n' >repo/src/old.py
printf 'a\0b\n' >repo/weights.bin
commit 2020-01-01 'first version'
git -C repo mv src/old.py lib/new.py
commit 2020-01-02 'move the module'
printf 'import torch\n\nx = 1\ny = 20\nz = 3\nw = 4' >repo/lib/new.py
printf 'a\0c\n' >repo/weights.bin
commit 2020-01-03 'fix y'
