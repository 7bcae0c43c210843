#!/bin/sh
# Verbs over a real sshd: whatever the login shell, whatever it says besides,
# and when the link or sudo fails.  src/target/target.c.

# shellcheck disable=SC2016,SC2154 # programs of the tests; ssh_lab.sh sets
# shellcheck source=tests/lib/ssh_lab.sh
. tests/lib/ssh_lab.sh
tool=$(cd "$B" && pwd)/tests/lib/targettool
program=$work/program.sh
cat hooks/os/common.sh hooks/os/linux.sh >"$program"

ask() {
	"$tool" --ssh lab --config "${server:-$lab}/ssh_config" \
		--program "$program" "$@" >"$work/said" 2>&1
}

# What does not depend on the time of asking, odd words among it.
odd=$(printf 'q'"'"'uote "dq" $HOME `id` !bang \\back\\n *\ttab\nnewline\rcr')
mkdir -p "$work/odd"
cp /etc/hosts "$work/odd/$odd"
same_everywhere() {
	ask "$@" -- hello , boot_id , hash "$work/odd/$odd" /nowhere \
	    "$(printf 'trailing\n')" '' , get sysctl no.such.thing , \
	    get sysctl kernel.ostype , process 1 , no_such_verb
}

same_everywhere
cp "$work/said" "$work/wanted"
sum=$(sha256sum <"$work/odd/$odd" | cut -d ' ' -f 1)
says 'hello 0' 'get 2' 'get 0' '  value=Linux' 'no_such_verb 3' \
	"  boot_id=$(cat /proc/sys/kernel/random/boot_id)" "  sha256=$sum" \
	'\ttab\nnewline\x0dcr' 'round trips: 1'
result "one call with many verbs, odd words and all statuses"
[ "$(grep -c torn "$work/said")" -eq 0 ]
result "every frame is whole"
says "fingerprint: $(ssh-keygen -l -f "$lab/host_key.pub" | cut -d ' ' -f 2)"
result "the fingerprint is kept"

# The start-up files of each shell, noisy on both streams, without newlines.
noisy_home() {
	mkdir -p "$1/.config/fish"
	printf 'echo out of rc; echo err of rc >&2; printf "no newline"\n' |
	    tee "$1/.bashrc" >"$1/.config/fish/config.fish"
	printf 'echo "out of rc"; sh -c "echo err of rc >&2"; printf "no newline"\n' |
	    tee "$1/.cshrc" >"$1/.tcshrc"
}

for name in dash bash csh tcsh fish; do
	server=$work/sshd-$name
	sshd_make "$server" shell="$(command -v $name)" && sshd_start "$server"
	same_everywhere
	sed -e '/^fingerprint/d' "$work/said" >"$work/got"
	sed -e '/^fingerprint/d' "$work/wanted" | cmp -s - "$work/got"
	result "$name as login shell: the same answers"
	noisy_home "$server/home"
	same_everywhere --noise "$work/noise-$name"
	sed -e '/^fingerprint/d' "$work/said" >"$work/got"
	sed -e '/^fingerprint/d' "$work/wanted" | cmp -s - "$work/got"
	result "$name with noisy start-up files: the same answers"
	# dash reads none.
	if [ $name != dash ]; then
		grep -q 'out of rc' "$work/noise-$name" &&
			grep -q 'no newline' "$work/noise-$name" &&
			grep -q 'err of rc' "$work/noise-$name"
		result "$name: the noise is kept apart"
	fi
	sshd_remove "$server"
done
unset server

# Values that came from a process, through every escape.
env -i "ODD=$odd" EMPTY= sleep $nap &
helpers="$helpers $!"
ask environ $! ODD EMPTY NOT
says '  env=EMPTY=' '\ttab\nnewline\x0dcr' && says_not NOT
result "variables of a process survive the way"

# PATH of the host.
mkdir "$work/bin"
printf '#!/bin/sh\n' >"$work/bin/its own tool"
chmod 755 "$work/bin/its own tool"
ask --path "$work/bin:/usr/bin:/bin" which 'its own tool'
says "  path=$work/bin/its own tool"
result "the host's path is used"

# A program of one's own, far over a read block, and too much output.
{
	cat "$program"
	awk 'BEGIN { while (i++ < 9000) print "# filling up the program" }'
} >"$work/long.sh"
program=$work/long.sh ask hello , hello
[ "$(grep -c '^hello 0$' "$work/said")" -eq 2 ]
result "a program of 200 kB"
printf '%s\n' 'abrun_call() {' 'yes | head -c 40000000' \
    'echo "BEGIN $1 $2 protocol=1"' 'echo "END $1 $2 0"' '}' \
    >"$work/loud.sh"
program=$work/loud.sh ask hello
says 'hello 3 torn' '  error=no answer' || says 'error: 1: lab: '
result "a frame behind too much noise is no answer"
printf '%s\n' 'abrun_call() {' 'echo "BEGIN $1 $2 protocol=1"' \
    'printf "a\tb\0c\n"' 'echo "END $1 $2 0"' '}' >"$work/nul.sh"
program=$work/nul.sh ask hello
says 'hello 3 torn'
result "a NUL byte in a value tears its frame"

# At a shutdown processes are killed before the link breaks.
printf '%s\n' 'abrun_call() {' 'echo "BEGIN $1 $2 protocol=1"' \
    'kill -s KILL $$' '}' >"$work/killed.sh"
program=$work/killed.sh ask hello
says 'error: 1: lab: its program was killed by signal KILL during hello; whether it was carried out is not known'
result "a program that is killed is like a link that breaks"

# The session dies between two calls: a fresh one is opened, once.
cat >"$work/cut" <<END
#!/bin/sh
. "$(pwd)/tests/lib/sshd.sh"
for pid in \$(sshd_sessions "$lab"); do
	if [ "\$(cat "/proc/\$pid/comm" 2>/dev/null)" = sshd ]; then
		kill -s KILL "\$pid"
	fi
done
sleep 0.3
END
chmod 755 "$work/cut"
ask --repeat 3 --between "$work/cut" hello
[ "$(grep -c '^hello 0$' "$work/said")" -eq 3 ] && says 'round trips: 3'
result "a session that died between calls is replaced"
boot=$(cat /proc/sys/kernel/random/boot_id)
ask --repeat 2 --between "$work/cut" --boot "$boot" hello
[ "$(grep -c '^hello 0$' "$work/said")" -eq 2 ] && says 'round trips: 4'
result "in the boot that is wanted"
ask --boot 11111111-0000-4000-8000-000000000001 hello
says 'error: 1: lab: it has booted since it was last spoken to: boot wanted 11111111-0000-4000-8000-000000000001, seen '"$boot" &&
	says_not 'hello 0'
result "A25: in another one nothing is asked but which it is"

# The link breaks within a call: told, not repeated, and the load collected.
mkdir "$work/loads"
cat >"$work/load" <<END
echo x >>"$work/loads/count"
while [ ! -e "$work/loads/go" ]; do sleep 0.05; done
echo finished
END
ask --noise "$work/noise" load_run "$work/loads/run.1" 60000 1000 '' 0 \
    "sh $work/load" &
call=$!
wait_for [ -e "$work/loads/count" ]
"$work/cut"
wait $call
says 'error: 1: lab: the link broke during load_run; whether it was carried out is not known'
result "a link that breaks within a call"
: >"$work/loads/go"
wait_for [ -e "$work/loads/run.1/status" ]
ask load_collect "$work/loads/run.1"
says 'load_collect 0' '  out=finished\n' '  exit=0' &&
	[ "$(wc -l <"$work/loads/count")" -eq 1 ]
result "the load ran once and is collected"

# Deadline and cancel end the load as well.
ask --timeout 1500 load_run "$work/loads/run.2" 60000 1000 '' 0 "sleep $nap"
says 'error: 2: lab: no answer to load_run in time; it was killed there'
result "a deadline is told"
ask --cancel 1000 load_run "$work/loads/run.3" 60000 1000 '' 0 "sleep $nap"
says 'error: 5: lab: stopped while waiting for load_run'
result "a cancel is told"
for pid in $helpers; do
	kill "$pid" 2>/dev/null
done
ask load_kill "$work/loads"
[ -z "$(sleepers)" ]
result "neither leaves its load behind"

# A host whose kernel still takes connections, and whose sshd hangs.
kill -s STOP "$(cat "$lab/pid")"
ask --timeout 1000 hello
says 'error: 1: lab' 'the SSH handshake did not finish: no answer in time'
result "a host that lets no one in is lost, not late"
kill -s CONT "$(cat "$lab/pid")"

# Hosts that do not run the program.
for reply in 'echo This account is closed.; exit 1' 'exit 0' 'kill -9 $$'; do
	server=$work/sshd-odd
	printf '#!/bin/sh\n%s\n' "$reply" >"$work/odd-shell"
	chmod 755 "$work/odd-shell"
	sshd_make "$server" shell="$work/odd-shell" && sshd_start "$server"
	ask hello
	says 'error: 1: lab: ' && says_not 'hello 0'
	result "a login shell that says: $reply"
	sshd_remove "$server"
done
grep -q 'signal KILL' "$work/said" || says 'ended with'
result "how such a shell ended is told"
unset server

# sudo, pretended: its own words, and that all runs under it.
mkdir "$work/sudo"
cat >"$work/sudo/sudo" <<END
#!/bin/sh
[ "\$1" = -n ] || exit 9
shift
reply=\$(cat "$work/sudo/reply")
if [ -n "\$reply" ]; then
	echo "sudo: \$reply" >&2
	exit 1
fi
SUDO_TEST=yes exec "\$@"
END
cat >"$work/sudo/shell" <<END
#!/bin/sh
PATH=$work/sudo:\$PATH exec /bin/sh "\$@"
END
chmod 755 "$work/sudo/sudo" "$work/sudo/shell"
server=$work/sshd-sudo
sshd_make "$server" shell="$work/sudo/shell" && sshd_start "$server"
echo 'a password is required' >"$work/sudo/reply"
ask --sudo hello
says 'error: 1: lab: sudo -n was refused: a password is required; let this account run /bin/sh without a password (NOPASSWD), or log in as root'
result "sudo that wants a password"
echo 'x is not in the sudoers file.' >"$work/sudo/reply"
ask --sudo hello
says 'error: 1: lab: sudo -n was refused: is not in the sudoers file'
result "sudo that does not know us"
: >"$work/sudo/reply"
printf '%s\n' 'abrun_call() {' 'echo "BEGIN $1 $2 protocol=1"' \
    'printf "sudo\t%s\n" "$SUDO_TEST"' 'echo "END $1 $2 0"' '}' \
    >"$work/sudo.sh"
program=$work/sudo.sh ask --sudo hello
says 'hello 0' '  sudo=yes'
result "sudo that allows it"
program=$work/sudo.sh ask hello
says 'hello 0' && says_not 'sudo=yes'
result "without sudo none is used"
sshd_remove "$server"
unset server

# Nobody there.
sshd_stop "$lab"
ask hello
says 'error: 1: ' 'lab' 'round trips: 0' 'fingerprint: none'
result "a host that is down"

lab_plan
