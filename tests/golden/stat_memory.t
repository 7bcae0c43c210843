#!/bin/sh
# What abrun stat takes of memory.  Not under the sanitizers, which take more.
set -u
abrun=${B:-build}/abrun
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-stat-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# memory ARGUMENT...: the most that abrun had, in kB; its output in $work/out.
memory()
{
	/usr/bin/time -q -f %M -o "$work/kB" "$abrun" "$@" >"$work/out"
	cat "$work/kB"
}

echo 1..2
seq 1000000 >"$work/many"
least=$(memory --version)
n=0
for form in --ministat=2015 -c95; do
	n=$((n + 1))
	most=$(memory stat $form "$work/many" "$work/many")
	[ $(((most - least) * 1024)) -le $((12 * 2000000)) ] &&
		grep -q '^+ 1000000 ' "$work/out" || printf 'not '
	echo "ok $n - $form: two million numbers in at most 12 bytes each"
	echo "# $((most - least)) kB beyond that of --version"
done
