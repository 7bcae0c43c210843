#!/bin/sh
# `abrun plan` of every shipped matrix, byte for byte.
#
# A plan holds hashes of the OS programs and load definitions it uses, and its
# seed follows from them.  So that work on those does not change these files,
# the plans are made with the hooks frozen in tests/golden/plan/hooks, and once
# more with the real ones, then without hashes, seed and order.  What cmd/ adds
# about the abilities of this version is no part of the plan.
#
# `tests/golden/plan.t --update` freezes the hooks and writes the plans anew.

set -u
B=${B:-build}
case $B in /*) abrun=$B/abrun ;; *) abrun=$(pwd)/$B/abrun ;; esac
golden=$(pwd)/tests/golden/plan
work=$(mktemp -d /tmp/abrun-plan.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n=0

if [ "${1-}" = --update ]; then
	rm -rf "$golden"
	mkdir -p "$golden/hooks/os" "$golden/hooks/load" || exit 1
	cp hooks/load/*.cfg "$golden/hooks/load/" || exit 1
	for program in hooks/os/*.sh; do
		echo '# shellcheck shell=sh # frozen for tests/golden/plan.t' >"$golden/$program"
	done
fi
cp -r matrices "$work/" && cp -r "$golden/hooks" "$work/" || exit 1
# What is no part of a plan must only be there.
cp -r hooks/power hooks/notify "$work/hooks/" || exit 1

# report WHAT FILE: an outcome from $?, with the file when it is not ok.
report() {
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$2"
	fi
}

# plan_of FILE: the plan alone, without what this version cannot run.
plan_of() {
	sed '/^This version plans/,$d' "$1"
}

# bare FILE: a plan without what follows from the contents of hooks.
bare() {
	plan_of "$1" | sed -e '/^ORDER/,/^IDENTITY/d' -e '/^  [0-9a-f]\{12\}  /d' \
	    -e 's/plan [0-9a-f]\{12,64\}$/plan .../' \
	    -e 's/^  seed       [0-9]*:/  seed       ...:/'
}

for matrix in matrices/*.cfg; do
	name=$(basename "$matrix" .cfg)
	wanted=$golden/$name.txt
	(cd "$work" && "$abrun" plan "$matrix") >"$work/all" 2>"$work/err" &&
	    [ ! -s "$work/err" ]
	report "$matrix: has a plan" "$work/err"
	plan_of "$work/all" >"$work/out"
	[ "${1-}" = --update ] && cp "$work/out" "$wanted"

	diff -u "$wanted" "$work/out" >"$work/diff" 2>&1
	report "$matrix: the plan is $name.txt" "$work/diff"

	awk 'length($0) > 79 { print FNR ": " $0; bad = 1 }
	    END { exit bad }' "$work/out" >"$work/long"
	report "$matrix: lines fit 79 columns" "$work/long"

	"$abrun" plan "$matrix" >"$work/real" 2>"$work/err" &&
	    bare "$wanted" >"$work/a" && bare "$work/real" >"$work/b" &&
	    [ -s "$work/a" ] && diff -u "$work/a" "$work/b" >"$work/diff" 2>&1
	report "$matrix: the hooks of today change no more than the order" \
	    "$work/diff"
done

for wanted in "$golden"/*.txt; do
	[ -f "matrices/$(basename "$wanted" .txt).cfg" ]
	report "$(basename "$wanted") belongs to a matrix" /dev/null
done

(cd "$work" && "$abrun" plan matrices/demo.cfg) >"$work/once"
(cd "$work" && "$abrun" plan matrices/demo.cfg) >"$work/twice"
cmp "$work/once" "$work/twice" >"$work/diff" 2>&1
report "the same matrix has the same plan twice" "$work/diff"

"$abrun" plan matrix/demo.cfg | sed 1,2d >"$work/once"
"$abrun" plan matrices/demo.cfg | sed 1,2d >"$work/twice"
bare "$work/once" >"$work/a"
bare "$work/twice" >"$work/b"
[ -s "$work/a" ] && diff "$work/a" "$work/b" >"$work/diff" 2>&1
report "matrix/demo.cfg is the same as matrices/demo.cfg" "$work/diff"

echo "1..$n"
