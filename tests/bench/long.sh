#!/bin/sh
# What a long run of abrun costs its controller: memory, descriptors, threads,
# room in the store and time, after a tenth of the visits and at the end.
# COUNT visits (10000; 200 take minutes) of a pretend load, `true`, without a
# server, over a real sshd on this machine.  With HOST=pretend the host is
# simulated behind its sshd (pretend.c), which takes a fraction of the time.
# Prints figures and ratios, fails only what does not work at all.  From the
# top directory; B is the build directory.
set -eu

B=${B:-build}
COUNT=${COUNT:-10000}
abrun=$(pwd)/$B/abrun
work=$(mktemp -d /tmp/abrun-bench.XXXXXX)
# shellcheck source=tests/lib/sshd.sh
. tests/lib/sshd.sh
# shellcheck source=tests/lib/sandbox.sh
. tests/lib/sandbox.sh
lab=$work/lab
night=

# shellcheck disable=SC2317 # called by the trap
down()
{
	set +e
	[ -z "$night" ] || kill -s INT "$night" 2>/dev/null
	[ -z "$night" ] || wait "$night"
	sandbox_down "$lab"
	rm -rf "$work"
}
trap down EXIT
trap 'exit 1' HUP INT TERM

cp -R hooks "$work"
mkdir "$lab"
host=real
set -- alias=lab
if [ "${HOST-}" = pretend ]; then
	host=simulated
	set -- "$@" "config=ForceCommand exec $(pwd)/$B/tests/bench/pretend"
fi
sshd_make "$lab" "$@" && sshd_start "$lab"
cat >"$work/long.cfg" <<END
title = "what a long run costs";
targets = ( { name = "lab"; ssh = "lab"; ssh_config = "$lab/ssh_config";
              os = "linux"; } );
factors: { level = ( { name = "a"; },
                     { name = "b"; env = [ "ABRUN_BENCH=1" ]; } ); };
loads = ( { use = "command"; name = "nothing"; command = "true"; } );
design: { rounds = $((COUNT / 2)); runs = 1; warmup = 0; others = "100%";
          quiet: { wait = "0s"; }; };
END

# A line of figures: visits, RSS in kB, threads, descriptors, store in bytes
# (its pages: the log beside run.db is not counted), raw/ in kB.
sample()
{
	for run in "$work"/reports/*; do :; done
	visits=$(sqlite3 -cmd '.timeout 5000' "file:$run/run.db?mode=ro" \
		"SELECT count(*) FROM visit WHERE status = 'valid'") || return 0
	awk -v visits="$visits" -v fds="$(find "/proc/$night/fd" -type l | wc -l)" \
		-v db="$(sqlite3 -cmd '.timeout 5000' \
			"file:$run/run.db?mode=ro" "SELECT page_count * page_size
			FROM pragma_page_count, pragma_page_size")" \
		-v raw="$(du -sk "$run/raw" | cut -f 1)" '
		/^VmRSS:/ { rss = $2 }
		/^Threads:/ { threads = $2 }
		END { if (rss > 0) print visits, rss, threads, fds, db, raw }' \
		"/proc/$night/status" >>"$work/samples"
}

printf '%s, %s CPUs, load average %s; %s visits, %s host\n' \
	"$(date -u '+%Y-%m-%d %H:%M UTC')" "$(nproc)" \
	"$(cut -d' ' -f1-3 /proc/loadavg)" "$COUNT" $host
(cd "$work" && exec "$abrun" --reports "$work/reports" long.cfg) \
	>"$work/post" 2>"$work/said" &
night=$!
while kill -0 "$night" 2>/dev/null; do
	sample 2>/dev/null || :
	sleep 1
done
status=0
wait "$night" || status=$?
night=
if [ "$status" -ne 0 ] || [ ! -s "$work/samples" ]; then
	echo "abrun ended with $status:"
	tail -n 20 "$work/said"
	exit 1
fi

awk -v count="$COUNT" '
	!early && $1 >= count / 10 { early = NR }
	{ for (i = 1; i <= NF; i++) value[NR, i] = $i }
	# While the reports are written fewer threads run.
	early && $3 >= value[early, 3] { late = NR }
	END {
		if (!early || value[late, 1] <= value[early, 1]) {
			print "too few visits between two looks: a larger COUNT"
			exit 1
		}
		split("visits|RSS, kB|threads|descriptors|run.db, bytes|raw/, kB",
		    name, "|")
		printf "%-16s %12s %12s %8s\n", "", "early", "late", "ratio"
		for (i = 1; i <= 6; i++)
			printf "%-16s %12d %12d %8.2f\n", name[i],
			    value[early, i], value[late, i],
			    value[late, i] / (value[early, i] > 0 ? value[early, i] : 1)
		visits = value[late, 1] - value[early, 1]
		printf "run.db grows by %.0f bytes a visit, raw/ by %.1f kB\n",
		    (value[late, 5] - value[early, 5]) / visits,
		    (value[late, 6] - value[early, 6]) / visits
	}' "$work/samples"
for run in "$work"/reports/*; do :; done
sqlite3 "$run/run.db" "
	WITH v AS (SELECT 1000 * (ended - began) AS ms,
	    ntile(10) OVER (ORDER BY id) AS tenth FROM visit)
	SELECT printf('a visit of the %s tenth: %d ms by the mean, %d at least',
	    CASE tenth WHEN 1 THEN 'first' ELSE 'last' END, avg(ms), min(ms))
	FROM v WHERE tenth IN (1, 10) GROUP BY tenth"
printf 'load average at the end %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
