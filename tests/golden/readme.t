#!/bin/sh
# The README's matrix loads and plans as it stands there.
B=${B:-build}
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-readme-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

awk '/^```$/ { on = 0; next } /^title = / { on = 1 } on' README.md \
	>"$work/my.cfg"

echo 1..2
if [ -s "$work/my.cfg" ] && "$B/abrun" plan "$work/my.cfg" >"$work/out" 2>&1; then
	echo "ok 1 - the matrix of the README can be planned"
else
	echo "not ok 1 - the matrix of the README can be planned"
	sed 's/^/# /' "$work/out"
fi
if grep -q '^6 cells, 1 load, 10 rounds' "$work/out" &&
	! grep -q 'not yet' "$work/out"; then
	echo "ok 2 - it has the cells it shows, and can be run"
else
	echo "not ok 2 - it has the cells it shows, and can be run"
	sed 's/^/# /' "$work/out"
fi
