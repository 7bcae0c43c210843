#!/bin/sh
# A night on a pretended host whose boots hang, so that only its power brings it
# back: off, seen to be off, on, seen to be on, and then the default kernel.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/freebsd_host.sh
. tests/lib/freebsd_host.sh
# shellcheck source=tests/lib/power.sh
. tests/lib/power.sh
fb_up

# What it does is on its console, whatever it does.
fb_keys="$fb_keys console = \"echo hello; exec tail -n 0 -F $FB/console\";"
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
is "which is of its making, but for the one that it found" "$(sql "SELECT
	sum(made), count(*) FROM boot" never)" "3|4"
posts "box: power: ipmi box-bmc bench" "off: accepted" "the host is off" \
	"BOOT_TIMEOUT: asked to boot kernel ULE, it did not come back within" \
	"its power was cut, and its default kernel kernel runs"
result "which the post tells"
raw=$(run_dir never)/raw
is "the console is kept around each boot" "$(cd "$raw" && ls console-*)" \
	"console-box-back.txt
console-box-power-2.txt
console-box-power.txt
console-box-round1-block1-2.txt
console-box-round1-block1.txt
console-box-round1-block2.txt"
is "each line with its time" "$(sed -e 's/^[0-9:]\{8\} /T /' \
	"$raw/console-box-round1-block1.txt")" "T hello
T shutting down
T loading ULE
T can't load 'ULE'"
is "and its end is told where a boot fails" "$(sql "SELECT text FROM event
	WHERE kind = 'console' ORDER BY id LIMIT 1" never |
	sed -e 's/[0-9:]\{8\} /T /g')" "raw/console-box-round1-block1.txt ends: T hello / T shutting down / T loading ULE / T can't load 'ULE'"
posts "box: console: raw/console-box-round1-block1.txt ends:" \
	"can't load 'ULE'"
result "in the post, too"
fb_mend never
night_plan
