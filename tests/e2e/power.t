#!/bin/sh
# Nights on a pretended host whose reboots hang, so that only its power brings it
# back: off, seen to be off, on, seen to be on, and then the default kernel.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

kernels never
fb_fault never ULE
fresh
night never
is "a kernel that does not come up costs its block" "$status $(visits)" \
	"3 ULE|failed|BOOT_TIMEOUT
ULE|failed|BOOT_TIMEOUT
4BSD|valid|-"
is "each time the power is cut, and the default boots" "$(fb_ledger)" \
	"ULE kernel ULE kernel kernel kernel"
is "off, seen, on, seen: never a bare cycle" "$(fb_bmc_ledger)" \
	"status off status on status off status on status"
is "each step is stored" "$(power)" "$cycle
$cycle"
is "and so is each boot that it gave" "$(sql "SELECT wanted,
	coalesce(failure, 'good'), reason LIKE '%its power was cut%'
	FROM reboot ORDER BY id LIMIT 2" never)" "ULE|BOOT_TIMEOUT|1
kernel|good|1"
posts "box: power: ipmi box-bmc bench" "off: accepted" "the host is off" \
	"BOOT_TIMEOUT: asked to boot kernel ULE, it did not come back within" \
	"its power was cut, and its default kernel kernel runs"
result "which the post tells"
fb_mend never

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
night_plan
