#!/bin/sh
# The clock of a pretended FreeBSD is set while a load runs on it, and with it
# the time of its boot: that is no reboot, be there an id of the boot or not.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
fb_up

matrix clock <<END
title = "Clock";
factors: { kernel = ( { name = "ULE"; kernel = "ULE"; } ); };
loads = ( { use = "command"; name = "wait"; timeout = "1h";
    command = ": >$work/loaded; while [ -e $work/hold ]; do sleep 0.1; done"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END

# stepped SECONDS: a night during which it is.
stepped()
{
	: >"$work/hold"
	rm -f "$work/loaded"
	night_start clock --new
	wait_for test -e "$work/loaded"
	fb_clock_step "$1"
	rm "$work/hold"
	night_wait
}
is_no_reboot()
{
	is "$1" "$status $(sql "SELECT status FROM visit") $(sql "SELECT count(*)
		FROM event WHERE kind = 'unexpected reboot'")" "0 valid 0"
}

if [ -n "${LONG-}" ]; then
	stepped -300
	is_no_reboot "A10: five minutes back are no reboot"
fi
fb_fault no-id
rm -f "$FB/oid/kern.boot_id"
stepped 300
is_no_reboot "A10: five minutes forward are none, of one without a boot id"
night_plan
