#!/bin/sh
# design.stop by width on two hosts: they wait for each other, and each must
# be narrow by itself.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
# shellcheck source=tests/lib/hosts.sh
. tests/lib/hosts.sh
# shellcheck source=tests/lib/stop_hosts.sh
. tests/lib/stop_hosts.sh

echo none >"$work/hold"
night hosts
is "the night of two ends well" "$status" 0
is "both went on for the one that was not narrow" "$(visits)" "one|6
two|6"
is "that was decided once, and stored" "$(decisions)" \
	"goes on|after 5 rounds the widest interval is +-0.30 % (two by itself), wanted is +-0.25 %: on to round 6
stopped|after 6 rounds by width: the widest interval is +-0.22 % (two by itself), wanted was +-0.25 %; first looked after 5 rounds, 9 would have been the most"
posts "Stopped after 6 rounds by width: the widest interval is +-0.22 % (two by itself)" \
	"(6 rounds, all visits valid)"
result "and stands in the post"
night hosts
says "is finished"
result "and is not decided again"

# Stopped while one waits for the other nothing is decided, but the next night.
sed -i 's/patience = "3s"/patience = "5min"/' "$work/hosts.cfg"
echo two24 >"$work/hold"
night_start hosts --new
wait_for test -e "$work/held"
host_down two
one_waits()
{
	[ "$(visits | grep one)" = "one|5" ]
}
wait_for one_waits
kill -s INT "$night"
night_wait
is "SIGINT ends the night while one waits: 130" "$status $(decisions)" "130 "
echo none >"$work/hold"
host_up two
night hosts
is "the next night goes on" "$status" 0
is "and decides" "$(visits) $(decisions | cut -c 1-35)" "one|6
two|6 goes on|after 5 rounds the widest i
stopped|after 6 rounds by width: th"
night_plan
