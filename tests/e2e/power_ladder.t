#!/bin/sh
# A ladder of means to cut the power of a pretended host: each has its time, and
# the next one is tried; where none is left the host is given up.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

# A switched outlet, which says what it does in words of its own.
cat >"$work/bin/outlet" <<END
#!/bin/sh
case \$2 in
on) rm -f '$FB/off' ;;
off) : >'$FB/off' ;;
status) [ -e '$FB/dark' ] && echo "outlet \$1: OFF" || echo "outlet \$1: ON" ;;
esac
END
chmod 755 "$work/bin/outlet"
means=$fb_keys
fb_keys='power = [ "ipmi box-bmc", "command outlet 3" ]; power_rest = "1ms";
	power_timeout = "3s";'
fb_patience=1s

# A matrix that boots nothing, so that what takes time is the power.
plain()
{
	kernels=$1
	matrix "$1" <<-END
		title = "Power";
		factors: { x = ( { name = "a"; env = [ "X=a" ]; } ); };
		loads = ( { use = "command"; name = "true"; command = "true"; } );
		visit = [ "pull" ];
		design: { rounds = 1; runs = 1; warmup = 0; };
	END
}
# lose: its power goes as the first visit begins.
mkdir -p "$work/hooks/visit"
cat >"$work/hooks/visit/pull" <<END
#!/bin/sh
[ "\$ABRUN_WHEN" = before ] && rm '$work/plugged' 2>/dev/null || exit 0
: >'$FB/off'
until [ -e '$FB/dark' ]; do
	sleep 0.1
done
END
chmod 755 "$work/hooks/visit/pull"
lose()
{
	: >"$work/plugged"
	fresh
	night "$kernels" --new
}
# tell FAULT [X]: one night with a BMC that fails so, and what came of it.
tell()
{
	plain ladder
	fb_fault "$@"
	lose
	fb_mend "$1"
	is "$*: the next means is taken" "$status $(visits)" \
		"0 a|interrupted|HOST_LOST
a|valid|-"
}
outlet="command outlet 3: the host is off
command outlet 3: on: accepted
command outlet 3: the host is on, N s after the first look"
events()
{
	power | sed -e 's/^ipmi box-bmc: /ipmi: /' -e 's/after [0-9]* s/after N s/' \
		-e 's/the hook "\([^"]*\)"/\1/'
}
tell bmc-hangs status
is "A21: after its time" "$(events | sed -e 's/, last:.*//')" \
	"ipmi: given up: the host is not off after N s
$outlet"
refused="ipmi on box-bmc ended with status 1: Set Chassis Power Control to Up/On failed: Command not supported in present state"
tell bmc-refuses on
is "A19: when it has refused thrice" "$(events)" "ipmi: the host is off
$(for _ in 1 2 3; do echo "ipmi: on: $refused"; done)
ipmi: given up: on failed 3 times, last: $refused
$outlet"
tell bmc-lies on
is "when it does not do what it says" "$(events)" "ipmi: the host is off
ipmi: on: accepted
ipmi: given up: the host is not on after N s
$outlet"
fb_fault bmc-slow 1
plain slow
lose
fb_mend bmc-slow
is "one that takes its time is waited for" "$status $(events)" "0 ipmi: the host is off
ipmi: on: accepted
ipmi: the host is on, N s after the first look"

# abrun check asks each of them, and does no more.
plain ladder
fb_fault bmc-dead
: >"$FB/bmc.ledger"
"$B/abrun" check "$work/ladder.cfg" >"$work/said" 2>&1
says "command outlet 3 says that it is on" "ipmi box-bmc would be of no use" \
	"Error: Unable to establish IPMI v2 / RMCP+ session"
result "abrun check tells who would be of use"
fb_mend bmc-dead
is "and asks for the status alone" "$(fb_bmc_ledger)" status

# Nothing helps.
fb_keys=$means
plain dead
fb_fault bmc-dead
lose
is "no means is left: the host is given up" "$status $(visits)" \
	"1 a|interrupted|HOST_LOST
a|interrupted|HOST_LOST"
says "its power could not be turned off and on" "status failed 3 times" \
	"Error: Unable to establish IPMI v2 / RMCP+ session"
result "which is said"
night_plan
