#!/bin/sh
# Nights on a pretended host whose shutdown hangs once, so that only its power
# brings it back.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

kernels hung
fb_fault hang once
fresh
night hung
is "a shutdown that does not end" "$status $(visits)" \
	"0 ULE|failed|HUNG_SHUTDOWN
ULE|valid|-
4BSD|valid|-"
is "costs an attempt, and the power" "$(fb_ledger), $(power)" \
	"kernel ULE kernel kernel, $cycle"

# Whoever does not answer keeps what was chosen: the default with a tunable.
kernels wedged
sed -i -e 's/name = "ULE"; kernel = "ULE"/name = "off"; loader = [ "hw.test=7" ]/' \
	"$work/wedged.cfg"
fb_fault wedge
fresh
night wedged
is "a shutdown that ends with nobody there" "$status $(visits)" \
	"0 off|failed|BOOT_TIMEOUT
off|valid|-
4BSD|valid|-"
is "the power boots what was chosen, and then the default is booted without" \
	"$(fb_ledger), $(power)" \
	"kernel kernel kernel kernel kernel, $cycle"
is "which is stored" "$(sql "SELECT wanted, coalesce(failure, 'good') FROM
	reboot ORDER BY id" wedged)" "kernel hw.test=7|BOOT_TIMEOUT
kernel|good
kernel|good
kernel hw.test=7|good
kernel|good
kernel|good"
night_plan
