# Sourced by tests of hooks/os: TAP, what there is to be fed, and the answers of verbs.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of whoever sources it

tab='	'
nl='
'
tests=0
shell=dash
# What abrun feeds, in that order.
parts="hooks/os/common.sh hooks/os/linux.sh hooks/os/linux-boot.sh"

pass()
{
	tests=$((tests + 1))
	echo "ok $tests - $shell: $1"
}

fail()
{
	tests=$((tests + 1))
	echo "not ok $tests - $shell: $1"
	shift
	for remark in "$@"; do
		printf '%s\n' "$remark" | sed -e 's/^/# /'
	done
}

# is NAME GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got: $2" "wanted: $3"
	fi
}

# ok NAME COMMAND...: passes if the command succeeds.
ok()
{
	name=$1
	shift
	if "$@"; then
		pass "$name"
	else
		fail "$name" "failed: $*" "$(head -c 1000 "$work/answer")"
	fi
}

# ask VERB [ARG...]: the frame into $work/answer, its status into $status.
ask()
{
	"$shell" hooks/os/linux.sh "$@" >"$work/answer" 2>"$work/noise"
	status=$?
}

# all KEY: its values, one a line, still escaped.
all()
{
	sed -n -e "s/^$1$tab//p" "$work/answer"
}

# value KEY: its first value, unescaped.
value()
{
	# The x keeps newlines at the end of the value.
	unescaped=$(printf '%bx' "$(all "$1" | head -n 1)")
	printf '%s' "${unescaped%x}"
}

# keys: all keys in order, each once.
keys()
{
	sed -n -e "s/^\\([a-z0-9_]*\\)$tab.*/\\1/p" "$work/answer" | uniq |
	    tr '\n' ' '
}

# until_true COMMAND...: waits for what must come, at most ten seconds.
until_true()
{
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 200 ] || return 1
		sleep 0.05
	done
}

# running PID: it lives, and is no zombie.
running()
{
	[ -e "/proc/$1/stat" ] &&
	    ! grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null
}

finish()
{
	echo "1..$tests"
}
