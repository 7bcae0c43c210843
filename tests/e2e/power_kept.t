#!/bin/sh
# What comes between off and on leaves no pretended host off: signals that end a
# night or abrun restore, and a disk on which nothing more can be stored.

if [ "${1-}" != inside ]; then
	exec unshare -m sh "$0" inside
fi
# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
mkdir "$reports"
mount -t tmpfs -o size=64m tmpfs "$reports" || { echo "Bail out! no mount"; exit 1; }
trap 'umount -l "$reports"; fb_clean' EXIT
fb_up
is_on()
{
	[ ! -e "$FB/off" ] && wait_for sshd_answers "$(cat "$lab/port")"
}

# A signal, and again, while it rests.
kernels signal
sed -i -e 's/power_rest = "1ms"/power_rest = "3s"/' "$work/signal.cfg"
fb_fault hang once
fresh
night_start signal
wait_for test -e "$FB/dark"
kill -s INT "$night"
wait_for says "once more leaves at once"
kill -s INT "$night"
wait_for says "it is turned on first"
night_wait
is "SIGINT twice between off and on ends the night" "$status" 130
is_on
result "with a host that is on"
is "which was asked for, and seen" "$(fb_bmc_ledger)" \
	"status off status on status"
says "or by abrun restore"
result "and how the rest is undone is told"
"$B/abrun" restore "$(run_dir signal)" >"$work/said" 2>&1
result "as it can be"

# A signal to abrun restore, which has nobody to ask it for a second one.
: >"$work/hold"
fb_mend hang
rm -f "$work/loaded"
night_start signal --new
wait_for test -e "$work/loaded"
kill -s KILL "$night"
night_wait
rm "$work/hold"
fb_fault hang once
fresh
"$B/abrun" restore "$(run_dir signal)" >"$work/said" 2>&1 &
restore=$!
helpers="$helpers $restore"
wait_for test -e "$FB/dark"
kill -s TERM $restore
status=0
wait $restore || status=$?
is "a signal between off and on ends abrun restore" "$status" 143
is_on
result "with a host that is on"
is "which was asked for, and seen" "$(fb_bmc_ledger)" \
	"status off status on status"
"$B/abrun" restore "$(run_dir signal)" >"$work/said" 2>&1
result "and once more it can be restored"

# A disk that is full as the host is seen to be off.
cat >"$work/bin/outlet" <<END
#!/bin/sh
echo "\$2" >>'$work/outlet.ledger'
case \$2 in
on) rm -f '$FB/off' ;;
off) : >'$FB/off' ;;
status) if [ -e '$FB/dark' ]; then
		cat /dev/zero >'$reports/ballast' 2>/dev/null
		echo off
	else
		echo on
	fi ;;
esac
END
chmod 755 "$work/bin/outlet"
fb_keys='power = "command outlet 3"; power_rest = "1ms";'
kernels full
fb_fault hang once
fresh
night full --new
is "what cannot be stored ends the night" "$status" 4
is_on
result "with a host that is on"
is "which was asked for, and seen" "$(uniq "$work/outlet.ledger" | tr '\n' ' ')" \
	"status off status on status "
says "box: STORE_FAILED"
result "and it is told"
night_plan
