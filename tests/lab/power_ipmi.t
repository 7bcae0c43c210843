#!/bin/sh
# hooks/power/ipmi: what it has ipmitool do, and what it makes of its words.
# ipmitool is pretended: it says what it was called with, or what $said holds.
set -u
work=$(mktemp -d /tmp/abrun-ipmi.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$work/ipmitool" <<END
#!/bin/sh
echo "\$*" >"$work/called"
if [ -s "$work/said" ]; then cat "$work/said"; fi
exit "\$(cat "$work/ends")"
END
chmod 755 "$work/ipmitool"
n=0
# is NAME WANTED WORD...: output and status of the program, given these words.
is()
{
	n=$((n + 1))
	_name=$1 _wanted=$2
	shift 2
	: >"$work/called"
	_got=$(PATH=$work:$PATH sh hooks/power/ipmi "$@" 2>&1)
	_got="$_got|$?|$(cat "$work/called")"
	if [ "$_got" = "$_wanted" ]; then
		echo "ok $n - $_name"
	else
		echo "not ok $n - $_name"
		printf 'got %s\nwanted %s\n' "$_got" "$_wanted" | sed 's/^/# /'
	fi
}

echo 0 >"$work/ends"
echo secret >"$work/secret"
: >"$work/said"
is "on" "|0|-I lanplus -H bmc -P  chassis power on" on bmc
is "off, as a user with a password" \
	"|0|-I lanplus -H bmc -U bench -f $work/secret chassis power off" \
	off bmc bench "$work/secret"
is "a port" "|0|-I lanplus -H 127.0.0.1 -p 1623 -P  chassis power on" \
	on 127.0.0.1:1623
is "an address of IPv6 has none" "|0|-I lanplus -H fe80::1 -P  chassis power on" \
	on fe80::1
# What ipmitool has no password for it asks the terminal for.
: >"$work/empty"
for file in "$work/empty" "$work/none"; do
	is "a password that is not there is told: ${file##*/}" \
		"ipmi: $file: there is no password to be read|1|" \
		on bmc bench "$file"
done
is "a user without one has an empty one" \
	"|0|-I lanplus -H bmc -U bench -P  chassis power on" on bmc bench
echo "Chassis Power is on" >"$work/said"
is "status" "on|0|-I lanplus -H bmc -P  chassis power status" status bmc
echo "Chassis Power is off" >"$work/said"
is "the other status" "off|0|-I lanplus -H bmc -P  chassis power status" status bmc
echo "Chassis Power is unknown" >"$work/said"
is "words that tell no status are told" \
	"ipmi: no status: Chassis Power is unknown|1|-I lanplus -H bmc -P  chassis power status" \
	status bmc
echo 1 >"$work/ends"
echo "Error: Unable to establish IPMI v2 / RMCP+ session" >"$work/said"
is "so is a refusal" "Error: Unable to establish IPMI v2 / RMCP+ session|1|-I lanplus -H bmc -P  chassis power status" \
	status bmc
is "cycle is none of its orders" "ipmi: on, off or status, not cycle|64|" \
	cycle bmc
is "nor is there a host without a BMC" \
	"usage: ipmi on|off|status BMC[:PORT] [USER [FILE]]|64|" on
echo "1..$n"
