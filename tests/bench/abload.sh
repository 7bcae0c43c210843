#!/bin/sh
# What a query costs the client, in microseconds of its CPU: abload against
# sysbench, mariadb-slap and the floor (canned packets on a raw socket, see
# floor.c), on one CPU that server and client share, one after the other in
# each try.  What a run of one round or so takes, which is connecting and
# reading, is taken off.  Prints medians, their range, and the medians of the
# ratios that the tries have.  Fails nothing.
#
#     TRIES=5 SECONDS_EACH=3 CLIENTS='1 10 64' B=build sh tests/bench/abload.sh
set -eu
B=${B:-build}
tries=${TRIES:-5}
seconds=${SECONDS_EACH:-3}
counts=${CLIENTS:-1 10 64}
top=$(mktemp -d /tmp/abrun-bench.XXXXXX)
socket=$top/s
server=
down()
{
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$top"
}
trap down EXIT
trap 'exit 1' INT TERM HUP PIPE

mkdir "$top/tmp"
export TMPDIR="$top/tmp"
mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$top/data" \
	--auth-root-authentication-method=normal >"$top/log" 2>&1
mkdir -p "$top/data/test"
taskset -c 0 mariadbd --no-defaults --user="$(id -un)" --datadir="$top/data" \
	--socket="$socket" --skip-networking --max-connections=300 \
	--innodb-buffer-pool-size=128M >"$top/log" 2>&1 &
server=$!
waits=0
until mariadb --no-defaults --socket="$socket" --user=root -e 'select 1' \
	>/dev/null 2>&1 || [ $waits -ge 200 ]; do
	waits=$((waits + 1))
	sleep 0.1
done
sysbench oltp_point_select --mysql-socket="$socket" --mysql-user=root \
	--mysql-db=test --table-size=10000 prepare >"$top/log" 2>&1
# All ask for the same 9000 rows.
sql='SELECT c FROM sbtest1 WHERE id='
seq 1000 9999 >"$top/ids"
shuf -n 2000 "$top/ids" | sed "s/.*/$sql&;/" >"$top/queries"
cat >"$top/point.smack" <<END
dictionary "id" { type "rand"; source_type "file"; source "$top/ids"; }
query "point" { query "$sql'\$id'"; type "point"; has_result_set "y";
	parsed "y"; }
client "c" { db "test"; query_barrel "1 point"; }
main { c.init(); c.set_num_rounds(1); c.create_threads(\$1); c.connect();
	c.unload_query_barrel(); c.collect_threads(); c.disconnect(); }
END
"$B/abload" --socket="$socket" --user=root --prepare \
	matrices/smacks/select-key.smack >"$top/log"
# The script's file of words, which abload would make at each start.
mariadb --no-defaults --socket="$socket" --user=root -N test -e "select
	concat_ws(',', username, pass, uid, gid) from http_auth order by uid" \
	>"$top/words.dat"

# One run of a generator: its CPU time in $top/us, its queries in $queries.
generate() # NAME CLIENTS SECONDS, 0: as few queries as can be
{
	case $1 in
	floor-*)
		pinned "$B/tests/bench/floor" "$socket" "${1#floor-}" "$2" \
			"$3" "$sql'0000'"
		queries=$(cat "$top/out")
		;;
	abload-text | abload-prepared)
		abload "${1#abload-}" "$top/point.smack" "$2" "$3"
		;;
	select-key)
		abload text matrices/smacks/select-key.smack "$2" "$3"
		;;
	sysbench-text) sysbench_point disable "$2" "$3" ;;
	sysbench-prepared) sysbench_point auto "$2" "$3" ;;
	slap)
		# As many as the text ones would send in the time, about.
		queries=$((($3 * 20000 / $2 + 1) * $2))
		pinned mariadb-slap --no-defaults --socket="$socket" \
			--user=root --create-schema=test --no-drop \
			--concurrency="$2" --number-of-queries="$queries" \
			--delimiter=';' --query="$top/queries"
		;;
	esac
}
pinned()
{
	taskset -c 0 "$B/tests/bench/cost" "$top/us" "$@" >"$top/out" \
		2>"$top/err" || {
		cat "$top/out" "$top/err" >&2
		exit 1
	}
}
abload() # PROTOCOL SCRIPT CLIENTS SECONDS
{
	if [ "$4" -eq 0 ]; then set -- "$@" --rounds=1; else
		set -- "$@" --duration="$4"
	fi
	pinned "$B/abload" --socket="$socket" --user=root --output=json "$5" \
		--datadir="$top" --protocol="$1" "$2" "$3" 1
	queries=$(sed -n 's/^ "total_queries": \([0-9]*\),$/\1/p' "$top/out")
}
sysbench_point() # MODE CLIENTS SECONDS
{
	if [ "$3" -eq 0 ]; then set -- "$1" "$2" 0 --events="$2"; else
		set -- "$1" "$2" "$3" --events=0
	fi
	pinned sysbench oltp_point_select --mysql-socket="$socket" \
		--mysql-user=root --mysql-db=test --table-size=10000 \
		--rand-type=uniform --threads="$2" --time="$3" "$4" \
		--db-ps-mode="$1" run
	queries=$(sed -n 's/^ *queries: *\([0-9]*\) .*/\1/p' "$top/out")
}
# The least of three short runs: what NAME takes before it measures.
start_up() # NAME CLIENTS
{
	for _ in 1 2 3; do
		generate "$1" "$2" 0
		echo "$(cat "$top/us") $queries"
	done | sort -n | head -n 1
}

# Medians and ranges of the first column of a file, two decimals.
middle()
{
	sort -n | awk '{ v[NR] = $1 }
		END { m = v[int((NR + 1) / 2)]
			printf "%8.2f %8.2f %8.2f", m, v[1], v[NR] }'
}
# Ratios of two files, try by try.
ratio() # NAME OTHER
{
	paste "$top/$1" "$top/$2" | awk '{ print $1 / $2 }' | middle
}

echo "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) CPUs, load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo "server and client on one CPU; $tries tries of $seconds s, alternating"
names='floor-text abload-text sysbench-text slap floor-prepared
	abload-prepared sysbench-prepared select-key'
for n in $counts; do
	for name in $names; do
		start_up "$name" "$n" >"$top/$name.start"
		: >"$top/$name"
	done
	try=0
	while [ $try -lt "$tries" ]; do
		try=$((try + 1))
		for name in $names; do
			generate "$name" "$n" "$seconds"
			read -r start few <"$top/$name.start"
			awk -v us="$(cat "$top/us")" -v queries="$queries" \
				-v start="$start" -v few="$few" 'BEGIN {
				printf "%.3f\n", (us - start) / (queries - few) }' \
				>>"$top/$name"
		done
	done
	printf '\n%-36s %8s %8s %8s\n' "$n clients, us/query" median least most
	for name in $names; do
		printf '%-36s %s\n' "$name" "$(middle <"$top/$name")"
	done
	printf '%-36s %8s %8s %8s   %s\n' ratio median least most goal
	while read -r name other goal; do
		printf '%-36s %s   %s\n' "$name / $other" \
			"$(ratio "$name" "$other")" "$goal"
	done <<END
abload-text floor-text 1.22
abload-text sysbench-text .80
abload-text slap
abload-prepared floor-prepared 1.10
abload-prepared sysbench-prepared .88
select-key floor-text 1.32
END
done
echo
echo "load average at the end $(cut -d ' ' -f 1-3 /proc/loadavg)"
