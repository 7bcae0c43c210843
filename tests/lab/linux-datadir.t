#!/bin/sh
# hooks/os/linux.sh: a data directory is copied afresh, and nothing that abrun
# did not put there is ever lost.

set -u
work=$(mktemp -d /tmp/abrun-datadir.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh

from="$work/the clean one"
to=$work/data
mark=.abrun-datadir
listing()
{
	(cd "$1" && find . ! -name "$mark" -printf '%p %y %m %u %g %T@ %l\n' |
		sort)
}
make_source()
{
	mkdir -p "$from/db" "$from/.hidden"
	echo a >"$from/db/a b"
	echo i >"$from/.hidden/i"
	ln -s nowhere "$from/link"
	chmod 640 "$from/db/a b"
	chmod 751 "$from"
	touch -d @1000000000 "$from/db/a b" "$from/db" "$from"
}
same()
{
	listing "$from" | sed -e '/^\. d/s/ [0-9.]* $//' >"$work/a"
	listing "$to" | sed -e '/^\. d/s/ [0-9.]* $//' >"$work/b"
	cmp "$work/a" "$work/b" && cmp "$from/db/a b" "$to/db/a b"
}

a_directory_is_made()
{
	ask datadir_copy "$from" "$to/"
	is 'copy: done' "$status $(value copy)" "0 $to"
	ok 'copy: all is there, with modes and times' same
	echo other >"$to/db/a b"
	rm "$to/link"
	mkdir -p "$to/db/more/and more"
	echo new >"$to/db/more/and more/.new"
	ask datadir_copy "$from" "$to"
	is 'copy: again is done' "$status" 0
	ok 'copy: nothing of the first one is left' same
	ask datadir_remove "$to"
	is 'remove: done' "$status" 0
	ok 'remove: what was made is gone' [ ! -e "$to" ]
	ask datadir_remove "$to"
	is 'remove: again finds nothing' "$status" 2
}

one_that_was_there_is_given_back()
{
	mkdir -m 705 "$to"
	ask datadir_copy "$from" "$to"
	is 'copy: into an empty directory is done' "$status" 0
	ok 'copy: it holds all' same
	ask datadir_remove "$to"
	is 'remove: it is empty and as it was' \
	    "$status $(stat -c %a "$to") $(ls -A "$to")" '0 705 '
	rmdir "$to"
}

# An interrupted copy is known again.
half_a_copy_is_replaced()
{
	mkdir "$to"
	printf 'made\nabrun\n' >"$to/$mark"
	mkdir "$to/half"
	ask datadir_copy "$from" "$to"
	is 'copy: over half a copy is done' "$status" 0
	ok 'copy: of which nothing is left' same
	ask datadir_remove "$to"
	ok 'remove: it is gone' [ ! -e "$to" ]
}

# refused NAME FROM TO
refused()
{
	ask datadir_copy "$2" "$3"
	is "copy: refuses $1" "$status" 1
	ok "copy: says why of $1" [ -n "$(value error)" ]
	ask datadir_remove "$3"
	ok "remove: neither removes $1" [ "$status" != 0 ]
}
what_is_not_ours_is_left()
{
	mkdir -p "$to" "$work/other"
	echo precious >"$to/.mine"
	ln -s "$work/other" "$work/to_other"
	ln -s "$work/other/mark" "$work/other/$mark"
	refused 'a directory that holds files' "$from" "$to"
	refused 'a link' "$from" "$work/to_other"
	refused 'a link as a mark' "$from" "$work/other"
	refused 'what is no directory' "$from" "$from/db/a b"
	refused 'what has no parent' "$from" "$work/no/where"
	refused 'a place inside the original' "$from" "$from/db/inside"
	refused 'the original itself' "$from" "$from/"
	refused 'a place around the original' "$from" "$work"
	refused 'the root' "$from" /
	refused 'a relative place' "$from" here
	refused 'dots' "$from" "$to/.."
	refused 'a missing original' "$work/none" "$work/new"
	is 'what was there is there' "$(cat "$to/.mine")" precious
	ok 'nothing was made' [ ! -e "$work/new" ]
	rm -r "$to" "$work/other" "$work/to_other"
	ask datadir_copy "$from" "$to"
	refused_copy=$work/second
	ask datadir_copy "$to" "$refused_copy"
	is 'copy: refuses a copy as original' "$status" 1
	ask datadir_remove "$to"
}

for shell in dash bash; do
	rm -rf "$from"
	make_source
	listing "$from" >"$work/before"
	a_directory_is_made
	one_that_was_there_is_given_back
	half_a_copy_is_replaced
	what_is_not_ours_is_left
	listing "$from" >"$work/after"
	ok 'the original is as it was' cmp "$work/before" "$work/after"
done
finish
