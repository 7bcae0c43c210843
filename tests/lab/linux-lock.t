#!/bin/sh
# hooks/os/linux.sh keeps the lock of a host: who has it, its lease, its end.

set -u
work=$(mktemp -d /tmp/abrun-linux.XXXXXX) || exit 1
pids=
end()
{
	for pid in $pids; do
		kill -s KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM
. tests/lib/verbs.sh
ABRUN_LOCKS=$work/locks
export ABRUN_LOCKS

# hold ARG...: in the background, $holder, until descriptor 9 is closed.
hold()
{
	rm -f "$work/end"
	mkfifo "$work/end"
	"$shell" hooks/os/linux.sh lock_hold "$@" <"$work/end" \
	    >"$work/answer" 2>"$work/noise" &
	holder=$!
	pids="$pids $holder"
	exec 9>"$work/end"
	until_true grep -q '^END' "$work/answer"
	status=$(sed -n 's/^END .* //p' "$work/answer")
}

released()
{
	"$shell" hooks/os/linux.sh lock_show >"$work/answer" 2>"$work/noise" &&
	    value lock | grep -q "^released${tab}yes$"
}

# lock KEY: its value in what was told of the lock.
lock()
{
	value lock | sed -n -e "s/^$1$tab//p"
}

now()
{
	ask lock_show
	value now
}

gone()
{
	! running "$1"
}

locks_are_told()
{
	ask lock_show
	is 'lock_show: none' "$status $(keys)" \
	    '0 boot_id now place generation '
	is 'lock_show: place' "$(value place)" "$ABRUN_LOCKS"
	is 'lock_show: generation' "$(value generation)" 0
	hold 0 3 'tok	en' 'c\tl' me 42 '/run dir'
	is 'lock_hold: keys' "$status $(keys)" \
	    '0 boot_id now place generation lock '
	is 'lock_hold: generation' "$(value generation)" 1
	is 'lock_hold: boot' "$(lock boot_id)" \
	    "$(cat /proc/sys/kernel/random/boot_id)"
	is 'lock_hold: words, escaped twice' "$(lock token) $(lock controller)" \
	    'tok\ten c\\tl'
	is 'lock_hold: words' "$(lock user) $(lock pid) $(lock run)" \
	    'me 42 /run dir'
	is 'lock_hold: holder' "$(lock holder)" \
	    "$holder $(cut -d ' ' -f 22 "/proc/$holder/stat")"
	case $(lock since) in
	20[0-9][0-9]-[01][0-9]-[0-3][0-9]\ [0-2][0-9]:[0-5][0-9]:[0-5][0-9])
		pass 'lock_hold: since'
		;;
	*) fail 'lock_hold: since' "$(lock since)" ;;
	esac
	until=$(lock until)
	is 'lock_hold: lease' "$((until - $(value now) <= 300))" 1
	# It is renewed by the holder alone, after a third of the lease.
	until_true renewed
	ok 'lock_hold: the lease is renewed' renewed
	ok 'lock_hold: it holds on' running "$holder"
}

renewed()
{
	ask lock_show
	[ "$(lock until)" -gt "$until" ]
}

others_are_refused()
{
	(exec 9>&-; "$shell" hooks/os/linux.sh lock_hold 0 60 other b you 1 /x) \
	    >"$work/answer" 2>"$work/noise" </dev/null
	is 'lock_hold: another fails' "$? $(keys)" \
	    '1 boot_id now place generation lock error '
	is 'lock_hold: and is told' "$(lock user) $(value error)" \
	    'me the host is locked'
	exec 9>&-
	until_true released
	ok 'lock_hold: given back at end of file' released
	until_true gone "$holder"
	ok 'lock_hold: which ends it' gone "$holder"
	is 'lock_hold: and all that it started' \
	    "$(pgrep -f "$work/locks" | tr '\n' ' ')" ''
	hold 0 60 next b you 1 /x
	is 'lock_hold: then it is free' "$status $(value generation)" '0 2'
}

locks_are_taken_over()
{
	before=$holder
	exec 8>&9
	hold 1 60 third c they 1 /x
	is 'lock_hold: not by who knows an older one' "$status" 1
	exec 9>&-
	hold 2 60 third c they 1 /x
	is 'lock_hold: by who knows which it is' \
	    "$status $(value generation) $(lock user)" '0 3 they'
	until_true gone "$before"
	ok 'lock_hold: the holder before is ended' gone "$before"
	exec 8>&-
	is 'lock_hold: two files are kept' "$(cd "$ABRUN_LOCKS" && echo *)" \
	    'lock.2 lock.3'
	kill -s TERM "$holder"
	until_true released
	ok 'lock_hold: given back at a signal' released
	exec 9>&-
	touch "$ABRUN_LOCKS/lock.x" "$ABRUN_LOCKS/lock.9x"
	ask lock_show
	is 'lock_show: other files do not count' "$status $(value generation)" \
	    '0 3'
	ask lock_hold x 60 t c u 1 /x
	is 'lock_hold: no number fails' "$status" 1
	ask lock_hold 0 60 t c u 1
	is 'lock_hold: an argument less fails' "$status" 1
	rm -rf "$ABRUN_LOCKS"
	ln -s /tmp "$ABRUN_LOCKS"
	ask lock_show
	is 'lock_show: a link is refused' "$status $(value error)" \
	    "1 refused: $ABRUN_LOCKS is a link"
	rm "$ABRUN_LOCKS"
}

journals_are_kept()
{
	ask journal_list
	is 'journal_list: none' "$status $(keys)" '0 '
	text=$(printf 'a\tb\\n\ntwo\r\001\377 end\nx')
	ask journal_put run-1 3 disk "$text"
	is 'journal_put' "$status" 0
	ask journal_put run-1 12 boot "second"
	ask journal_put run-2 1 disk ''
	ask journal_list
	is 'journal_list: runs' "$(all run | tr '\n' ' ')" 'run-1 run-1 run-2 '
	is 'journal_list: rows' "$(all row | tr '\n' ' ')" '12 3 1 '
	is 'journal_list: any bytes' \
	    "$(printf %b "$(all text | sed -n 2p)" | od -An -tx1)" \
	    "$(printf %s "$text" | od -An -tx1)"
	ask journal_put run-1 12 boot 'again'
	ask journal_list
	is 'journal_put: again replaces' "$(all text | head -n 1)" again
	ask journal_keep run-1 3 99
	ask journal_list
	is 'journal_keep: others go' "$(all row | tr '\n' ' ')" '3 1 '
	ask journal_keep run-1
	is 'journal_keep: none' "$status $(ls "$ABRUN_LOCKS")" '0 undo.run-2'
	ask journal_keep run-1 5
	is 'journal_keep: of no run' "$status" 0
	for name in '' .. a/b 'a b'; do
		ask journal_put "$name" 1 disk x
		is "journal_put: refuses $name" "$status" 1
	done
	ask journal_put run-3 x disk x
	is 'journal_put: no number fails' "$status" 1
	# What cannot be put stops the call.
	ln -s /tmp "$ABRUN_LOCKS/undo.run-4"
	# shellcheck disable=SC2086 # words
	{
		echo abrun_fed=yes
		cat $parts
		echo '{
		abrun_call n hash /nowhere
		abrun_call n journal_put run-4 1 disk x
		abrun_call n hash /nowhere
		}'
	} | "$shell" -s >"$work/answer" 2>"$work/noise"
	is 'journal_put: one that fails stops what comes behind it' \
	    "$(sed -n 's/^END n //p' "$work/answer" | tr '\n' ' ')" \
	    'hash 0 journal_put 1 hash 1 '
	rm -r "$ABRUN_LOCKS"
}

for shell in dash bash; do
	journals_are_kept
	locks_are_told
	others_are_refused
	locks_are_taken_over
done
finish
