#!/bin/sh
# How remote commands end, and how they are ended: src/target/ssh_run.c.

# shellcheck disable=SC2016,SC2088,SC2154
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh

# How commands end.

run true 'exit 3' 'echo hello; echo there >&2; exit 255'
says 'end=exit status=0 signal=- killed=no out=0+0 err=0+0' \
	'end=exit status=3 ' \
	'end=exit status=255 signal=- killed=no out=6+0 err=6+0' \
	'out: hello' 'err: there' 'alive=yes'
result "exit statuses and both streams"

run 'kill -s KILL $$' 'kill -s TERM $$'
says 'end=signal status=-1 signal=KILL' 'end=signal status=-1 signal=TERM'
result "a command that dies of a signal"

run 'echo only >&2'
says 'end=exit status=0 signal=- killed=no out=0+0 err=5+0' 'err: only'
result "a command that writes to standard error alone"

run 'exec >&- 2>&-; sleep 1; exit 4'
says 'end=exit status=4'
result "closed streams are not the end"

run --input-bytes 1000000 true 'exec wc -c'
says 'end=exit status=0 signal=- killed=no out=0+0' 'out: 1000000'
result "input that nobody reads, and input that is read"

run --input-bytes 20000000 --cap 100 true cat
says 'end=exit status=0 signal=- killed=no out=0+0' 'out=100+19999900'
result "20 MB there and back"

run --cap 1000 --out "$work/out" --err "$work/err" \
	'head -c 50000000 /dev/zero >&2 & head -c 50000000 /dev/zero; wait'
says 'end=exit status=0 signal=- killed=no out=1000+49999000 err=1000+49999000'
result "50 MB on both streams, capped"

run "sleep $nap & echo bg"
says 'end=exit status=0' 'out: bg' 'alive=yes' && [ -n "$(sleepers)" ]
result "a child left in the background does not hold the command"
end_sleepers

printf 'echo noise; echo noise >&2; printf half >&2\n' >"$lab/home/.bashrc"
run 'echo word >&2'
says 'word' 'end=exit status=0' && says_not abrun- && says noise
result "noise of a start-up file stays, our mark goes"
rm "$lab/home/.bashrc"

run 'echo a
echo b'
says 'error: a word for a login shell must not hold a newline'
result "a newline in a command is refused"

# Deadlines and cancel.

stubborn="trap '' TERM; sleep $nap & sleep $nap & sleep $nap; echo over"
run --timeout 1000 "$stubborn" true
says 'end=timeout status=-1 signal=- killed=yes' 'end=exit status=0' &&
	[ -z "$(sleepers)" ]
result "the deadline kills a group that ignores TERM, the session lives on"

run --cancel 1000 "$stubborn"
says 'end=cancel status=-1 signal=- killed=yes' && [ -z "$(sleepers)" ]
result "cancel likewise"

run --cancel 1000 "sleep 2; exit 3" "sleep $nap"
says 'end=cancel' 'error: interrupted' && says_not 'end=timeout'
result "nothing is started once cancel was asked"

mkdir "$work/bin"
cat >"$work/bin/sudo" <<END
#!/bin/sh
echo "\$*" >>$work/sudo_said
[ "\$1" = -n ] && shift && exec "\$@"
END
chmod 755 "$work/bin/sudo"
echo "PATH=$work/bin:\$PATH" >"$lab/home/.bashrc"
run --sudo --timeout 500 "exec sudo -n sleep $nap"
says 'end=timeout status=-1 signal=- killed=yes' && [ -z "$(sleepers)" ] &&
	grep -q '^-n /bin/sh -c .*kill -s TERM' "$work/sudo_said"
result "what sudo started is killed by sudo"
rm "$lab/home/.bashrc"

run --timeout 1000 "setsid sleep $nap; true" true
says 'end=timeout status=-1 signal=- killed=yes' 'end=exit status=0'
result "a session of its own escapes, and harms nothing else"
end_sleepers

run "echo up >$work/up; sleep $nap" &
client=$!
wait_for [ -s "$work/up" ]
for pid in $(session_sshd); do
	kill -s KILL "$pid"
done
wait "$client"
says 'end=lost status=-1 signal=- killed=no' 'alive=no'
result "sshd killed under a command: lost, and no status"
rm "$work/up"
end_sleepers

run --timeout 1500 "echo up >$work/up; sleep $nap" true &
client=$!
wait_for [ -s "$work/up" ]
stopped=$(session_sshd)
for pid in $stopped; do
	kill -s STOP "$pid"
done
wait "$client"
says 'end=timeout status=-1 signal=- killed=no' 'is gone' && says_not status=0
result "a host that hangs: time-out, and known not to be killed"
for pid in $stopped; do
	kill -s CONT "$pid"
done
end_sleepers

kill -s STOP "$(cat "$lab/pid")"
run --open-timeout 1000 true
says 'accepted the connection, but the SSH handshake did not finish' \
	'no answer in time'
result "a listener that hangs"
run --open-timeout 20000 --cancel 500 true
says 'handshake did not finish: interrupted'
result "cancel while a listener hangs"
kill -s CONT "$(cat "$lab/pid")"

# Login shells.

# try SHELL: a server of its own, so that all can be tried at once.
try() {
	dir=$work/sshd_$1
	sshd_make "$dir" shell="$(command -v "$1")" && sshd_start "$dir" ||
		return 1
	"$tool" run --ssh lab --config "$dir/ssh_config" --timeout 3000 \
		'echo "it'\''s \ ! $HOME" | cat; exit 5' 'exec /bin/sh -s' \
		"trap '' TERM; sleep $2 & sleep $2 & sleep $2; echo over" \
		>"$work/said_$1" 2>&1
	[ -z "$(sleepers_of "$2")" ] || echo "survivors" >>"$work/said_$1"
	sshd_remove "$dir"
}

shells="csh tcsh fish bash dash"
tries=
i=0
for shell in $shells; do
	i=$((i + 1))
	try "$shell" "$i$nap" &
	tries="$tries $!"
done
for pid in $tries; do
	wait "$pid"
done
for shell in $shells; do
	mv "$work/said_$shell" "$work/said"
	says 'end=exit status=5' "out: it's \ ! $work/sshd_$shell/home" \
		'end=exit status=0' \
		'end=timeout status=-1 signal=- killed=yes' &&
		says_not survivors
	result "login shell $shell: quotes, script, and the kill"
done

lab_plan
