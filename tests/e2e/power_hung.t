#!/bin/sh
# A night on a pretended host whose shutdown hangs once, so that only its power
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
night_plan
