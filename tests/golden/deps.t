#!/bin/sh
# tests/lib/deps.sh with a pretended dpkg-query and apt-get: it installs what
# is missing and nothing else, and forbids services to start only meanwhile.
set -u
deps=$(pwd)/tests/lib/deps.sh
work=$(mktemp -d /tmp/abrun-deps.XXXXXX) || exit 1
export work
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n=0

# result NAME: the outcome from $?, with $work/said when not ok.
result() {
	if [ $? -eq 0 ]; then
		n=$((n + 1))
		echo "ok $n - $1"
	else
		n=$((n + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$work/said" "$work/calls"
	fi
}

# run ARG...: deps.sh on the pretended machine; its status.
run() {
	: >"$work/calls"
	rm -f "$work/forbidden"
	(
		cd "$work" && PATH="$work/bin:$PATH" TMPDIR="$work" \
			POLICY_RC_D="$work/policy" sh "$deps" "$@"
	) >"$work/said" 2>&1
}

# called TEXT: was apt-get called with arguments that begin so?
called() {
	grep -q -e "^apt-get $1" "$work/calls"
}

# installed: the packages that the last run asked for, one a line.
installed() {
	sed -n 's/^apt-get install [^a-z]*-y -q --no-install-recommends //p' \
		"$work/calls" | tr ' ' '\n'
}

mkdir "$work/bin"
# Says of every package but those in the file "missing" that it is there, as
# dpkg-query does; one may be left behind by a removal.
cat >"$work/bin/dpkg-query" <<'END'
#!/bin/sh
echo "dpkg-query" >>"$work/calls"
status=0
for word; do
	case $word in
	-*) continue ;;
	esac
	if grep -q -x -e "$word" "$work/missing"; then
		echo "dpkg-query: no packages found matching $word" >&2
		status=1
	elif grep -q -x -e "$word" "$work/removed"; then
		echo "$word config-files"
	else
		echo "$word installed"
	fi
done
exit $status
END
# Remembers its call and whether services were forbidden then.
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*" >>"$work/calls"
echo "it says something"
if [ "$1" = install ]; then
	[ -x "$work/policy" ] && "$work/policy"
	[ $? -eq 101 ] && : >"$work/forbidden"
	[ ! -e "$work/killing" ] || kill -s TERM $PPID
fi
[ ! -e "$work/failing.$1" ] || { echo "E: it failed"; exit 100; }
END
chmod 755 "$work/bin/dpkg-query" "$work/bin/apt-get"
: >"$work/missing"
: >"$work/removed"

echo 1..22

for set in demo check vm; do
	run $set && [ ! -s "$work/said" ] && ! called ''
	result "$set: nothing missing, nothing said, nothing called"
	[ "$(grep -c dpkg-query "$work/calls")" -eq 1 ]
	result "$set: one look at all packages is enough"
done

printf '%s\n' libjemalloc2 iproute2 >"$work/missing"
echo r-mathlib >"$work/removed"
run demo && called update
result "with packages missing the lists are brought up to date"
printf '%s\n' r-mathlib libjemalloc2 iproute2 >"$work/wanted"
installed >"$work/asked"
cmp -s "$work/wanted" "$work/asked"
result "only what is missing is installed, or was removed"
grep -q '^installing: r-mathlib libjemalloc2 iproute2$' "$work/said" &&
	! grep -q 'it says' "$work/said"
result "it says what it installs, and no more"
[ -e "$work/forbidden" ]
result "meanwhile no service may start"
[ ! -e "$work/policy" ]
result "afterwards services may start again"
[ -z "$(find "$work" -name 'tmp.*')" ]
result "no log is left"
run check && ! called ''
result "a package that only the demo needs is not the tests' matter"

: >"$work/failing.install"
run demo
[ $? -eq 1 ] && grep -q 'E: it failed' "$work/said" &&
	grep -q 'could not install them' "$work/said"
result "a failed installation is an error, in apt-get's words"
[ -e "$work/forbidden" ] && [ ! -e "$work/policy" ]
result "and services may start again after it"
log=$(sed -n 's/.*the whole log is //p' "$work/said")
grep -q 'it says something' "$log"
result "the log it names holds all of them"
mv "$work/failing.install" "$work/failing.update"
run demo
[ $? -eq 1 ] && ! called install && [ ! -e "$work/policy" ]
result "without the lists nothing is installed"
rm "$work/failing.update"

: >"$work/killing"
! run demo && [ -e "$work/forbidden" ] && [ ! -e "$work/policy" ]
result "services may start again after it was ended by a signal"
rm "$work/killing"

printf '#!/bin/sh\nexit 101\n# of the machine\n' >"$work/policy"
chmod 755 "$work/policy"
run demo && grep -q 'of the machine' "$work/policy"
result "a rule that the machine has is left alone"
rm "$work/policy"

for words in '' everything; do
	# shellcheck disable=SC2086 # no word or one
	run $words
	[ $? -eq 2 ] && grep -q '^usage: deps.sh demo|check|vm$' "$work/said" &&
		! called ''
	result "usage is told for \"$words\""
done
# Without apt-get: nothing of the real machine's may be found.
mkdir "$work/few"
for tool in sh cat grep rm; do
	ln -s "$(command -v $tool)" "$work/few/$tool"
done
ln -s "$work/bin/dpkg-query" "$work/few/dpkg-query"
: >"$work/calls"
PATH="$work/few" sh "$deps" demo >"$work/said" 2>&1
[ $? -eq 1 ] && grep -q 'no Debian: install what corresponds to: r-mathlib' \
	"$work/said"
result "another system is told which packages it must have"
