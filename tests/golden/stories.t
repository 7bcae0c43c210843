#!/bin/sh
# The index of failure stories in tests/README.md: each story has one row, and
# the tests that it names have the story's number in them.
work=$(mktemp -d "${TMPDIR:-/tmp}/abrun-stories-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

stories='C38 C39 C41 C42 C43 C44 C45 C47 C49 C50 C51 C52 C53
D54 D55 D57 D59 D62 D63 D64 D66
E68 E69 E71 E72 E74 E75 E76 E78 E79 E81 E84'

# findings README: what is wrong with its index; nothing: all is right.
findings()
{
	sed -n 's/^| \([CDE][0-9][0-9]\) |[^|]*| \([^|]*\) |$/\1 \2/p' "$1" \
		>"$work/rows"
	for story in $stories; do
		[ "$(grep -c "^$story " "$work/rows")" = 1 ] ||
			echo "$story has not one row"
	done
	while read -r story files; do
		case " $(echo "$stories" | tr '\n' ' ') " in
		*" $story "*) ;;
		*)
		echo "$story is no story"
		continue
		;;
		esac
		case $files in
		'does not apply: '?* | 'none yet: '?*) continue ;;
		esac
		for file in $files; do
			file=tests/${file%,}
			if [ ! -f "$file" ]; then
				echo "$story: there is no $file"
			elif ! grep -qE "(^|[^A-Za-z0-9])$story([^0-9]|\$)" "$file"
			then
				echo "$story is not in $file"
			fi
		done
	done <"$work/rows"
}

n=0
is() # NAME GOT WANTED
{
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf 'got: %s\nwanted: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

echo 1..5
is "every story is indexed, and in the tests it names" \
	"$(findings tests/README.md)" ""
grep -v '^| D54 ' tests/README.md >"$work/README.md"
is "a story that is left out is told" "$(findings "$work/README.md")" \
	"D54 has not one row"
sed 's,^\(| D54 .*\)| [^|]* |$,\1| unit/load_nowhere.c |,' tests/README.md \
	>"$work/README.md"
is "a test that is not there is told" "$(findings "$work/README.md")" \
	"D54: there is no tests/unit/load_nowhere.c"
sed 's,^\(| D54 .*\)| [^|]* |$,\1| unit/load_expand.c |,' tests/README.md \
	>"$work/README.md"
is "a test without the number is told" "$(findings "$work/README.md")" \
	"D54 is not in tests/unit/load_expand.c"
sed 's/^| D54 /| D99 /' tests/README.md >"$work/README.md"
is "a number that is no story is told" "$(findings "$work/README.md")" \
	"D54 has not one row
D99 is no story"
