#!/bin/sh
# Who may include whom, and who may touch disk or network: tests/floors.txt.
# The checker itself is tested with planted violations.

set -u
top=$(pwd)
checker=$top/tests/golden/floors.awk
table=$top/tests/floors.txt
work=$(mktemp -d /tmp/abrun-floors.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n=0

# result NAME: tells the test's outcome from $?, with $work/said when not ok.
result() {
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$work/said"
	fi
}

# check DIR: the checker's findings about a tree, on standard output.
check() {
	(
		cd "$1" || exit 1
		set --
		for file in src/*.[ch] src/*/*.[ch]; do
			[ -f "$file" ] && set -- "$@" "$file"
		done
		awk -f "$checker" "$table" "$@" 2>&1
	)
}

# fresh: an empty tree with only what the table's own rows need.
fresh() {
	rm -rf "$work/tree"
	for floor in base matrix plan stats store target load analysis report \
	    run cmd abload; do
		mkdir -p "$work/tree/src/$floor"
	done
	while read -r word path _; do
		[ "$word" = file ] || continue
		cp "$top/$path" "$work/tree/$path" || exit 1
	done <"$table"
}

# plant FILE MESSAGE TEXT: the text in that file is found, and told so.
plant() {
	fresh
	printf '%b\n' "$3" >"$work/tree/$1"
	check "$work/tree" >"$work/said"
	[ "$(grep -c . "$work/said")" -eq 1 ] &&
	    grep -q -F -e "$2" "$work/said"
	result "$1: $2"
}

# harmless FILE WHAT TEXT: the text in that file is no violation.
harmless() {
	fresh
	printf '%b\n' "$3" >"$work/tree/$1"
	check "$work/tree" >"$work/said"
	[ ! -s "$work/said" ]
	result "$1: $2 is no violation"
}

check "$top" >"$work/said"
[ ! -s "$work/said" ]
result "every file of src keeps to its floor"

nm -g --defined-only "${B:-build}/libabrun.a" >"$work/names" &&
    awk 'NF == 3 && $3 !~ /^_/ && $3 in seen { print $3 " is defined twice" }
        { seen[$3] = 1 }' "$work/names" >"$work/said" &&
    grep -q ' abrun_error_quark$' "$work/names" &&
    [ ! -s "$work/said" ]
result "no two files of src define the same name"

fresh
check "$work/tree" >"$work/said"
[ ! -s "$work/said" ]
result "a tree without violations passes"

plant src/plan/x.c 'x.c:2: floor plan may not include store/store.h' \
    '#include "plan/plan.h"\n#include "store/store.h"'
plant src/matrix/x.h 'floor matrix may not include plan/plan.h' \
    '#  include "plan/plan.h"'
plant src/stats/x.c 'floor stats may not include matrix/matrix.h' \
    '#include "matrix/matrix.h"'
plant src/base/x.c 'floor base may not include cmd/cmd.h' \
    '#include <cmd/cmd.h>'
plant src/run/x.c 'floor run may not include report/report.h' \
    '#include "report/report.h"'
plant src/target/x.c 'floor target may not include store/store.h' \
    '#include "store/store.h"'
plant src/x.c 'floor main may not include run/run.h' \
    '#include "run/run.h"'
plant src/plan/x.c 'includes "index.h", which names no floor' \
    '#include "index.h"'
plant src/plan/x.c 'includes source file plan/cells.c' \
    '#include "plan/cells.c"'
plant src/plan/x.c 'includes what a macro says' \
    '#include HEADER'

plant src/run/x.c 'floor run may not include <libssh/libssh.h>' \
    '#include <libssh/libssh.h>'
plant src/plan/x.c 'floor plan may not include <libconfig.h>' \
    '#include <libconfig.h>'
plant src/run/x.c 'floor run may not include <sqlite3.h>' \
    '#include <sqlite3.h>'
plant src/analysis/x.c 'floor analysis may not include <Rmath.h>' \
    '#include <Rmath.h>'
plant src/load/x.c 'floor load may not include <mysql.h>' \
    '#include <mysql.h>'
plant src/cmd/x.c 'floor cmd may not include <mysql/mysql.h>' \
    '#include <mysql/mysql.h>'

plant src/plan/x.c 'x.c:3: floor plan may not touch the disk: fopen()' \
    '/* why\n * fopen() */\n\tFILE *file = fopen (path, "r");'
plant src/matrix/x.c 'floor matrix may not touch the disk: stat()' \
    '\tif (stat(path, &status) == 0)'
plant src/report/x.c 'floor report may not touch the disk: file_write()' \
    '\treturn file_write(path, data, n, 0600, error);'
plant src/load/x.c 'floor load may not touch the disk: g_file_get_contents()' \
    '\tg_file_get_contents(path, &text, NULL, NULL);'
plant src/analysis/x.c 'floor analysis may not touch the disk: read()' \
    '\tn = a.read(b) + read(fd, b, 1);'
plant src/stats/x.c 'floor stats may not touch the network: connect()' \
    '\tconnect(fd, &a, n);'
plant src/plan/x.c 'floor plan may not touch processes or their environment: execvp()' \
    '\texecvp(argv[0], argv);'
plant src/report/x.c 'floor report may not look at the clock: time()' \
    '\tnow = time(NULL);'
plant src/report/x.c 'floor report may not compute figures: stats_summary()' \
    '\treturn stats_summary(values, n);'
plant src/report/x.c 'floor report may not compute figures: expm1()' \
    '\treturn 100 * expm1(difference);'
plant src/run/x.c 'floor run may not draw from a foreign random source: g_random_int()' \
    '\tx = g_random_int();'
plant src/store/x.c 'floor store may not print: log_info()' \
    '\tlog_info("%s", "(");'
plant src/cmd/x.c 'floor cmd may not use what nobody may: setlocale()' \
    '\tsetlocale(LC_ALL, "");'
plant src/x.c 'floor main may not use what nobody may: system()' \
    '\tsystem("rm");'
plant src/plan/x.c 'floor plan may not print: puts()' \
    "\\tc = '\"'; puts(text);"

fresh
mkdir "$work/tree/src/attic"
: >"$work/tree/src/attic/x.c"
echo 'int x;' >"$work/tree/src/attic/x.c"
check "$work/tree" >"$work/said"
grep -q 'floor attic is not in the table' "$work/said"
result "a floor that the table does not know is told"

fresh
echo '#include <stdio.h>' >"$work/tree/src/base/log.c"
check "$work/tree" >"$work/said"
grep -q 'src/base/log.c does not print: the row is stale' "$work/said"
result "a row that nothing needs is told"

fresh
echo 'flor plan : base' >"$work/table"
cat "$table" >>"$work/table"
table=$work/table
check "$work/tree" >"$work/said"
grep -q 'table:1: is no row of this table' "$work/said"
result "a misspelt row is told"
table=$top/tests/floors.txt

mkdir -p "$work/none/src"
check "$work/none" >"$work/said"
grep -q 'no sources to check' "$work/said"
result "no sources at all is told"

harmless src/plan/x.c "a word in a comment or string" \
    '/* fopen(path) and\n#include "store/store.h"\n*/\n\tcall("read(2) \\" write(1)");'
harmless src/plan/x.c "a member that is called like a function" \
    '\tsource->read(source); source.write(source);'
harmless src/plan/x.c "a longer name" \
    '\tplan_open(plan); reader_read(reader);'
harmless src/cmd/x.c "what a high floor may do" \
    '#include "report/report.h"\n\tprintf("%s", time(NULL));'
harmless src/plan/x.c "a header of the system" \
    '#include <string.h>\n#include <glib.h>'

echo "1..$n"
