#!/bin/sh
# design.stop by width on two hosts: one that is given up is not waited
# for, and need not be narrow by itself.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/hosts.sh
. tests/lib/hosts.sh
# shellcheck source=tests/lib/stop_hosts.sh
. tests/lib/stop_hosts.sh

# One that dies is given up, and the other is not kept waiting.
echo two24 >"$work/hold"
night_start hosts
wait_for test -e "$work/held"
host_down two
night_wait
is "where one is given up the night ends with 3" "$status" 3
is "the other decides by itself" "$(decisions)" \
	"stopped|after 5 rounds by width: the widest interval is +-0.15 % (one by itself), wanted was +-0.25 %; first looked after 5 rounds, 9 would have been the most; two did not count by itself, being given up"
is "and has its rounds" "$(visits | grep one)" "one|5"

# Back again it makes up for its rounds; what was decided stays.
rm "$work/held"
echo none >"$work/hold"
host_up two
night hosts
is "when it is back it makes its rounds" "$status $(visits)" "0 one|5
two|5"
is "and nothing is decided again" "$(decisions | wc -l)" 1

# It dies in the last visit that was planned: it is not there for the look.
echo two25 >"$work/hold"
night_start hosts --new
wait_for test -e "$work/held"
host_down two
night_wait
is "one that dies in its last visit is given up as well" "$status" 3
is "and the other does not go on for it" "$(decisions)" \
	"stopped|after 5 rounds by width: the widest interval is +-0.15 % (one by itself), wanted was +-0.25 %; first looked after 5 rounds, 9 would have been the most; two did not count by itself, being given up"
night_plan
