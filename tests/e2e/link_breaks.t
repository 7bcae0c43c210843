#!/bin/sh
# The link to a host breaks while a load runs there: the load goes on by
# itself and is collected, unless what it ran on is no more the same.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh

# The host's boot id is a file of ours, in a mount namespace of its own.
mkdir -p "$work/program"
boot=$work/boot_id
echo 11111111-0000-4000-8000-000000000001 >"$boot"
cat >"$work/program/sshd" <<END
#!/bin/sh
exec unshare -m sh -c 'mount --bind "$boot" \
    /proc/sys/kernel/random/boot_id && exec "\$0" "\$@"' \
    $(command -v sshd || echo /usr/sbin/sshd) "\$@"
END
chmod 755 "$work/program/sshd"
PATH=$work/program:$PATH
night_lab

# cut: ends the sessions of the lab's sshd, and nothing that they have begun.
cut_sessions()
{
	for pid in $(sshd_sessions "$lab"); do
		if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ]; then
			kill -s KILL "$pid"
		fi
	done
}
# The same, and nobody listens until sshd_start.
cut_all()
{
	kill -s STOP "$(cat "$lab/pid")"
	cut_sessions
	kill -s KILL "$(cat "$lab/pid")"
	wait "$(cat "$lab/pid")" 2>/dev/null
}

# The load waits for a file; what it did is counted.
cat >"$work/load" <<END
echo x >>"$work/count"
while [ ! -e "$work/go" ]; do sleep 0.2; done
echo "figure: 7"
END
matrix link <<END
title = "Link";
factors: { x = ( { name = "only"; } ); };
loads = ( { use = "command"; name = "held"; timeout = "1min";
    command = "sh $work/load";
    metrics = ( { name = "figure"; unit = "1"; better = "higher";
	regex = "^figure: (\\\\S+)\$"; choice = "only"; } );
    primary = "figure"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END

# begin: a night whose only load is under way.
begin()
{
	rm -f "$work/go" "$work/count"
	night_start link --new
	wait_for test -e "$work/count"
}
# finish: lets the load end, and all loads after it.
finish()
{
	: >"$work/go"
	night_wait
}
how()
{
	sql "SELECT v.status, v.attempt, r.good,
		CAST(s.value AS INTEGER) FROM visit v
		LEFT JOIN run r ON r.visit = v.id
		LEFT JOIN sample s ON s.run = r.id AND s.metric = 'figure'
		ORDER BY v.id" link
}

begin
cut_sessions
wait_for says "logging in again"
finish
is "a link that broke: 0" "$status" 0
is "B35: the run whose link broke is good" "$(how)" "valid|1|1|7"
is "its load ran once" "$(wc -l <"$work/count")" 1
is "it is flagged" "$(sql "SELECT flag FROM run" link)" \
	"the link to its host broke while it ran; it was logged into again, and the run collected"
is "and told" "$(sql "SELECT text FROM event
	WHERE kind = 'load collected'" link)" \
	"the link broke during load_run; whether it was carried out is not known"
posts "One run was flagged" "the link to its host broke"
result "in the post, too"
is "server and boot are proved after it" "$(sql "SELECT verdict, what FROM
	proof WHERE after AND what IN ('boot', 'process') ORDER BY what" link)" \
	"yes|boot
yes|process"
is "nothing is left" "$(left_over)" ""

begin
cut_all
wait_for says "logging in again"
sleep 1
sshd_start "$lab"
finish
is "B35: nor does it matter that nobody listens for a while" \
	"$status $(how)" "0 valid|1|1|7"

begin
cut_sessions
wait_for says "logging in again"
sleep 0.5
cut_sessions
finish
is "a link may break twice" "$status $(how)" "0 valid|1|1|7"

# server_dies: at once, as by a power failure.
server_dies()
{
	kill -s KILL "$(cat "$lab/data/abrun.pid")"
}

begin
cut_all
server_dies
echo 22222222-0000-4000-8000-000000000002 >"$boot"
: >"$work/go"
sshd_start "$lab"
night_wait
says "it has booted since it was last spoken to: boot wanted 11111111-0000-4000-8000-000000000001, seen 22222222-0000-4000-8000-000000000002"
result "a run of another boot is not collected"
is "its visit is made again" "$(how)" "interrupted|1||
valid|2|1|7"

begin
cut_all
server_dies
: >"$work/go"
sshd_start "$lab"
night_wait
says "the server is gone"
result "a run whose server died is not collected"
is "its visit is invalid" "$(how)" "invalid|1||"
is "nothing is left of it but the dead server's socket" "$(left_over)" \
	"$lab/mysqld.sock"

# The measured window: from the load's first line to its last the host's sshd
# is spoken to by nobody, counted in packets with data.
cat >"$work/load" <<END
packets()
{
	ss -Htin state established "sport = :$(cat "$lab/port")" |
		tr ' ' '\n' | grep '^data_segs_in' | sort
}
sleep 0.2
packets >"$work/before"
sleep 1
packets >"$work/after"
echo "figure: 7"
END
night link --new
is "B37: nothing is sent to the host while it is measured" \
	"$status $(cat "$work/after")" "0 $(cat "$work/before")"
is "which was counted" "$(grep -c data_segs_in "$work/before")" \
	"$(wc -l <"$work/before")"
night_plan
