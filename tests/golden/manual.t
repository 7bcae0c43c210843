#!/bin/sh
# The manual pages against the programs: verbs and keys of the OS program,
# commands and options of abrun, the page's own OS program, mandoc's opinion.
# Each check is also shown a page that lacks something.

set -u
B=${B:-build}
work=$(mktemp -d /tmp/abrun-manual.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
linux=hooks/os/linux.sh
boots='hooks/os/linux-boot.sh hooks/os/freebsd-boot.sh'
common=hooks/os/common.sh
freebsd=hooks/os/freebsd.sh
n=0

# result NAME: the outcome from $?, with $work/said when not ok.
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

# empty: is what was said nothing?
empty() {
	[ ! -s "$work/said" ]
}

# says_only TEXT: is one line said, and is it that one?
says_only() {
	[ "$(wc -l <"$work/said")" -eq 1 ] && grep -qxF -e "$1" "$work/said"
}

# Verbs with their arguments, "busyms", as the program lists them and as the
# items of a page read.
listed_verbs() {
	sh "$linux" | sed -n 's/^  //p' | tr -d ' .' | tr '[:upper:]' '[:lower:]'
}

page_verbs() {
	sed -n 's/^\.It Ic //p' "$1" | sed -e 's/ Op Ar \([a-z_]*\)/[\1]/' \
	    -e 's/ Ar / /g' -e 's/ Cm / /g' |
	    tr -d ' .'
}

# lacking_verbs PAGE
lacking_verbs() {
	page_verbs "$1" >"$work/verbs"
	listed_verbs | grep -vxF -f "$work/verbs"
}

# Keys that the program says: those in its text, and those of a load's run.
said_keys() {
	{
		# shellcheck disable=SC2086 # several files
		sed -n 's/.*\bsay\(_if\|_count\|_oid\|_stream\|_entry\)\{0,1\} \([a-z_0-9]*\) .*/\2/p' \
		    "$linux" "$freebsd" "$common" $boots
		sh "$linux" load_run "$work" 5000 100 '' 0 'sleep 9 & kill -9 $$' |
		    sed -n "s/^\([a-z_0-9]*\)$(printf '\t').*/\1/p"
	} | sort -u
}

# lacking_keys PAGE: keys that do not stand behind .Li there.
lacking_keys() {
	grep -E '^\.(It )?Li ' "$1" | tr ' ' '\n' | sort -u >"$work/keys"
	said_keys | grep -vxF -f "$work/keys"
}

commands() {
	"$B/abrun" --help | sed -n 's/^  abrun \([a-z]*\) .*/\1/p'
}

# Options as mdoc writes them behind Fl: "n", "-dry-run".
options() {
	{
		"$B/abrun" --help
		for command in $(commands); do
			"$B/abrun" "$command" --help
		done
	} | grep -oE '(^|[ ,])--?[a-zA-Z][a-zA-Z-]*' |
	    sed -e 's/^[ ,]*-//' | sort -u
}

# lacking_words PAGE: commands and options that a page of abrun does not have.
lacking_words() {
	for command in $(commands); do
		grep -qE "^\\.(It )?Cm $command( |\$)" "$1" || echo "$command"
	done
	options | while read -r option; do
		grep -qE "(^\\.| )Fl $option( |\$)" "$1" || echo "$option"
	done
}

# block NAME PAGE: a marked literal block, as roff prints it.
block() {
	sed -n -e "/^\\.\\\\\" .*: $1\$/,/^\\.Ed\$/p" "$2" |
	    sed -e 1,2d -e '$d' -e 's/\\&//g' -e 's/\\e/\\/g'
}

hooks=src/man/abrun-hooks.7
abrun=src/man/abrun.1

lacking_verbs "$hooks" >"$work/said"
empty && [ "$(listed_verbs | wc -l)" -ge 25 ]
result 'abrun-hooks(7) has every verb with its arguments'

sed '/^\.It Ic server_left/d' "$hooks" >"$work/page"
lacking_verbs "$work/page" >"$work/said"
says_only server_leftdir
result 'a verb that is missing is told'

sed 's/^\.It Ic busy Ar ms/.It Ic busy Ar s/' "$hooks" >"$work/page"
lacking_verbs "$work/page" >"$work/said"
says_only busyms
result 'another argument of a verb is told'

lacking_keys "$hooks" >"$work/said"
empty && [ "$(said_keys | wc -l)" -ge 60 ]
result 'abrun-hooks(7) has every key that verbs answer'

sed '/^\.It Li tainted/d' "$hooks" >"$work/page"
lacking_keys "$work/page" >"$work/said"
says_only tainted
result 'a key that is missing is told'

lacking_words "$abrun" >"$work/said"
empty && [ "$(commands | wc -l)" -ge 4 ] && [ "$(options | wc -l)" -ge 9 ]
result 'abrun(1) has every command and option that --help tells'

sed '/^\.It Cm post/d' "$abrun" | sed '/^\.Cm post/d' >"$work/page"
lacking_words "$work/page" >"$work/said"
says_only post
result 'a command that is missing is told'

sed 's/Fl -new/Fl -old/' "$abrun" >"$work/page"
lacking_words "$work/page" >"$work/said"
says_only -new
result 'an option that is missing is told'

mandoc -Tlint -Wwarning src/man/*.[157] >"$work/said" 2>&1
empty
result 'mandoc finds nothing wrong in the pages'

sed 's/^\.Nd.*/.Xq/' "$abrun" >"$work/page.1"
! mandoc -Tlint -Wwarning "$work/page.1" >"$work/said" 2>&1
result 'mandoc would find it'

# No line of an example may be wider than a page of 78 columns.
mandoc -Tascii -O width=78 src/man/*.[157] | col -bx |
    awk 'length > 80' >"$work/said"
empty
result 'the pages fit in 80 columns'

# What a page refers to is there, or is no page of ours.
sed -n 's/^\.Xr \(abrun[a-z-]*\) \([0-9]\).*/src\/man\/\1.\2/p' \
    src/man/*.[157] | sort -u | while read -r page; do
	[ -f "$page" ] || echo "$page"
done >"$work/said"
empty
result 'pages that are referred to are there'

block netbsd.sh "$hooks" >"$work/netbsd.sh"
cp "$common" "$work/"
shellcheck -x "$work/netbsd.sh" >"$work/said" 2>&1
result 'the OS program of abrun-hooks(7) is clean'

# A value with all that must be escaped, and frames after a failure.
value=$(printf 'a\\b\tc\r\n\nd\n\nx')
value=${value%x}
{
	echo abrun_fed=yes
	cat "$common" "$work/netbsd.sh"
	# shellcheck disable=SC2016 # the program's own $2
	printf '%s\n' 'knob_read() { value=$2; }'
	echo '{'
	printf '%s\n' "abrun_call 1f get sysctl '$value'"
	echo 'abrun_call 1f no_such_verb x'
	echo 'abrun_call 1f hello'
	echo 'exit 0'
	echo '}'
} >"$work/call"
{
	printf 'BEGIN 1f get protocol=1\n'
	printf 'value\ta\\\\b\\tc\\r\\n\\nd\\n\\n\n'
	printf 'END 1f get 0\n'
	printf 'BEGIN 1f no_such_verb protocol=1\n'
	printf 'error\tthis program has no such verb\n'
	printf 'END 1f no_such_verb 3\n'
	printf 'BEGIN 1f hello protocol=1\nprotocol\t1\nos\tnetbsd\n'
	printf 'uid\t%s\nuser\t%s\ntmp\t/tmp\n' "$(id -u)" "$(id -un)"
	printf 'END 1f hello 0\n'
} >"$work/wanted"
for shell in dash bash; do
	TMPDIR=/tmp "$shell" -s <"$work/call" >"$work/seen" 2>&1
	diff "$work/wanted" "$work/seen" >"$work/said" 2>&1
	result "it speaks the protocol under $shell"
done

sh "$work/netbsd.sh" get smt on >"$work/said"
[ $? -eq 2 ] && grep -q '^END by-hand get 2$' "$work/said"
result 'it can be run by hand'

echo "1..$n"
