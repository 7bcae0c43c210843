#!/bin/sh
# abrun killed at any moment of its changes: what it stored is enough to bring
# the host back, and the next cell is not misled.
set -u
B=${B:-build}
. tests/lib/sshd.sh
# shellcheck source=tests/lib/seeded.sh
. tests/lib/seeded.sh
seeded 100
kills=$count
dir=$(mktemp -d /tmp/abrun-undo-XXXXXX) || exit 1
pid=
cleanup()
{
	[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
	sshd_remove "$dir/sshd"
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT PIPE TERM

vm=$dir/root/proc/sys/vm
random=$dir/root/proc/sys/kernel/random
mkdir -p "$vm" "$random" || exit 1
echo boot-one >"$random/boot_id"
echo 60 >"$vm/swappiness"
echo 50 >"$vm/other"
cat >"$dir/shell" <<END
#!/bin/sh
ABRUN_ROOT=$dir/root
export ABRUN_ROOT
exec /bin/sh "\$@"
END
chmod 755 "$dir/shell"
sshd_make "$dir/sshd" shell="$dir/shell" && sshd_start "$dir/sshd" || exit 1
run=$("$B/tests/lib/storetool" create "$dir/reports") || exit 1

# What a killed process had sent may still be at work on the host.
quiet()
{
	tries=0
	while [ -n "$(sshd_sessions "$dir/sshd")" ] && [ "$tries" -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}
undotool()
{
	what=$1
	shift
	"$B/tests/lib/undotool" "$what" "$run" "$dir/sshd/ssh_config" "$@" \
		>"$dir/out" 2>&1
}
echo 1..$((kills + 2))
test=0
changed=0
# shellcheck disable=SC2013 # one word a line
for delay in $(awk -v seed="$seed" -v n="$kills" 'BEGIN { srand(seed)
    for (i = 0; i < n; i++) printf "%.3f\n", rand() * (i % 2 ? 0.1 : 0.5) }'); do
	test=$((test + 1))
	# Two cells after each other; the second sets but one of the knobs.
	# shellcheck disable=SC2016 # for the inner shell
	setsid sh -c '
		"$1" apply "$2" "$3" sysctl:vm.swappiness=1$4 \
		    sysctl:vm.other=2$4 && exec "$1" apply "$2" "$3" \
		    -sysctl:vm.swappiness=1 sysctl:vm.other=3$4' cells \
		"$B/tests/lib/undotool" "$run" "$dir/sshd/ssh_config" "$test" \
		>"$dir/killed" 2>&1 &
	pid=$!
	# Every other one is killed after the first change, however long it
	# takes to come.
	tries=0
	while [ $((test % 2)) -eq 0 ] && [ "$tries" -lt 500 ] &&
		[ "$(cat "$vm/swappiness")" = 60 ]; do
		tries=$((tries + 1))
		sleep 0.01
	done
	sleep "$delay"
	kill -s KILL -- "-$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
	quiet
	then="$(cat "$vm/swappiness") $(cat "$vm/other")"
	[ "$then" = '60 50' ] || changed=$((changed + 1))
	status=0
	if [ $((test % 3)) -eq 0 ]; then
		undotool apply sysctl:vm.swappiness=5 -sysctl:vm.other=1 &&
			[ "$(cat "$vm/swappiness")" = 5 ] &&
			[ "$(cat "$vm/other")" = 50 ] || status=1
	fi
	if [ "$status" -eq 0 ] && undotool all &&
		! grep -q left "$dir/out" &&
		[ "$(cat "$vm/swappiness") $(cat "$vm/other")" = '60 50' ]; then
		echo "ok $test - killed after $delay s at $then: undone"
	else
		echo "not ok $test - killed after $delay s at $then"
		sed 's/^/# /' "$dir/out"
	fi
done
open=$(sqlite3 "$run/run.db" \
	"SELECT count(*) FROM undo WHERE state <> 'undone'")
[ "$open" -eq 0 ] && echo "ok $((kills + 1)) - no row is left open" ||
	echo "not ok $((kills + 1)) - rows left open: $open"
[ "$changed" -gt 0 ] &&
	echo "ok $((kills + 2)) - some had changed the host ($changed)" ||
	echo "not ok $((kills + 2)) - no kill came after a change"
