#!/bin/sh
# Building and installing: the same program from any folder, every file in its
# place and found there, nothing left after uninstall and clean, and no
# stranger at the top of the tree.
set -u
top=$(pwd)
# What the make that runs this test was told is not for the makes below.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL B CFLAGS LDFLAGS CC PREFIX \
	DESTDIR
work=$(mktemp -d /tmp/abrun-build.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
one=$work/one
two=$work/another/folder/two
opt=$work/opt
stage=$work/stage
n=0
nl='
'

# result NAME: the outcome from $?, with $work/said when not ok.
result() {
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$work/said" | tail -n 20
	fi
}

# files DIR: every file below, sorted.
files() {
	(cd "$1" && find . ! -type d | sort)
}

# same A B: are the two files the same?  The difference is said.
same() {
	diff "$1" "$2" >"$work/said" 2>&1
}

# quick DIR [ARG...]: a make there that does not optimise.
quick() {
	dir=$1
	shift
	make -C "$dir" CFLAGS='-O0 -g' HARDEN=-fPIE "$@"
}

# plan DIR FILE...: what the installed program plans from an empty directory.
plan() {
	mkdir -p "$work/empty"
	(cd "$work/empty" && "$@") >"$work/plan" 2>"$work/said"
}

echo 1..16

# Names that DESIGN and the project know; more need a reason.
allowed='.ci .clang-format .clang-tidy .git .gitignore LICENSE Makefile
README.md build hooks matrices matrix reports src tests'
: >"$work/said"
for path in "$top"/* "$top"/.[!.]*; do
	name=${path##*/}
	case " $allowed " in
	*[\ "$nl"]"$name"[\ "$nl"]*) ;;
	*) echo "$name is no name for the top of the tree" >>"$work/said" ;;
	esac
done
[ ! -s "$work/said" ]
result "the top of the tree holds only what it should"

mkdir -p "$one" "$two"
for copy in "$one" "$two"; do
	cp -R Makefile src hooks matrices "$copy"
done
files "$one" >"$work/before"

# At another hour and for another user, too.
quick "$one" >"$work/one.said" 2>&1 &
first=$!
(
	umask 077
	TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOME=/nonexistent quick "$two" -j2 \
		build/libabload.a build/schema.o build/src/main.o
) >"$work/two.said" 2>&1
second=$?
wait "$first"
status=$?
cp "$work/one.said" "$work/said"
[ $status -eq 0 ]
result "a copy of the tree without tests is built"
cp "$work/two.said" "$work/said"
[ $second -eq 0 ]
result "and parts of another in another folder"
# The rest is made by the same rules, which let no file tell the time.
: >"$work/said"
objects=0
for object in $(cd "$two/build" && find . -name '*.[oa]'); do
	objects=$((objects + 1))
	cmp "$one/build/$object" "$two/build/$object" >>"$work/said" 2>&1
done
[ $objects -gt 30 ] && [ ! -s "$work/said" ] &&
	grep -q -w -e -Werror=date-time "$one/Makefile"
result "they are the same, byte for byte ($objects objects)"
! grep -a -c -F -e "$work" "$one/build/abrun" "$one/build/abload" \
	>"$work/said" 2>&1
result "no path of the folder is in the programs"
quick "$one" >"$work/said" 2>&1 && ! grep -q -e ' -o ' "$work/said"
result "a second make makes nothing"

# DESTDIR is where a packager puts it, PREFIX where it will lie.
mkdir -p "$stage$opt/bin"
echo mine >"$stage$opt/bin/other"
files "$stage" >"$work/stage.before"
(umask 077 && quick "$one" install "PREFIX=$opt" "DESTDIR=$stage") \
	>"$work/said" 2>&1
result "make install PREFIX= DESTDIR= works"
{
	echo ./bin/abload
	echo ./bin/abrun
	echo ./bin/other
	(cd "$one" && find hooks matrices ! -type d | sed 's|^|./share/abrun/|')
	for page in "$one"/src/man/*.[157]; do
		echo "./share/man/man${page##*.}/${page##*/}"
	done
} | sort >"$work/wanted"
files "$stage$opt" >"$work/installed"
same "$work/wanted" "$work/installed"
result "every file is in its place, and no other"
(cd "$stage$opt" && find . ! -name bin ! -name other \
	\( ! -perm -004 -o -type d ! -perm -005 \)) >"$work/said"
[ ! -s "$work/said" ]
result "everybody may read them, whoever installed them"
files "$stage" | grep -v -F -e ".$opt/" >"$work/said"
[ ! -s "$work/said" ]
result "nothing lies outside PREFIX"

cp -R "$stage$opt" "$opt"
mkdir "$work/elsewhere"
cat >"$work/elsewhere/mine.cfg" <<'END'
title = "of my own";
targets = ( { name = "lab"; ssh = "lab"; os = "linux"; } );
factors: { cheap = ( { name = "no"; }, { name = "yes"; env = [ "CHEAP=1" ]; } ); };
loads = ( { use = "pgbench"; reset = "never"; } );
END
plan "$opt/bin/abrun" plan ../elsewhere/mine.cfg &&
	grep -q '^2 cells, 1 load' "$work/plan"
result "the installed program finds its hooks from anywhere"
plan "$opt/bin/abrun" plan "$opt/share/abrun/matrices/ule-vs-4bsd.cfg" &&
	grep -q 'super-smack' "$work/plan"
result "and reads an installed matrix"
mv "$opt/share/abrun/hooks" "$opt/share/abrun/away"
! plan "$opt/bin/abrun" plan ../elsewhere/mine.cfg &&
	grep -q -F -e "$opt/share/abrun/hooks/load" "$work/said"
result "without them it says where it looked"

quick "$one" uninstall "PREFIX=$opt" "DESTDIR=$stage" >"$work/said" 2>&1 &&
	files "$stage" >"$work/stage.after" &&
	same "$work/stage.before" "$work/stage.after" &&
	[ ! -e "$stage$opt/share/abrun" ]
result "uninstall takes away all of it, and nothing else"
[ "$(cat "$stage$opt/bin/other")" = mine ]
result "what was there before is still there"

quick "$one" clean >"$work/said" 2>&1 && files "$one" >"$work/after" &&
	same "$work/before" "$work/after"
result "make clean leaves the tree as it was"
