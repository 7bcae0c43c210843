#!/bin/sh
# A load that prints 300 MB costs neither host memory nor disk, and its last
# words are there.  What is kept of every run, and how it is marked.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

cat >"$work/bin/talk" <<'END'
#!/bin/sh
# talk BYTES: so many on each stream, then a result.
echo 'the first word'
yes 'what nobody ever reads, but somebody may want to see the end of it' |
	head -c "$1" | tee /dev/fd/2
printf '\nresult: 42\n'
printf '\nlast words\n' >&2
END
chmod 755 "$work/bin/talk"

# biggest FILE: the most that was in abrun's work directories, in kB, until
# the night ends; it looks all the time.
biggest()
{
	most=0
	while [ ! -e "$work/ended" ]; do
		size=$(du -sk "$tmp" 2>/dev/null | cut -f 1)
		[ "${size:-0}" -le "$most" ] || most=$size
		echo "$most" >"$1"
		sleep 0.05
	done
}

matrix loud <<END
factors: { level = ( { name = "a"; } ); };
loads = (
	{ use = "command"; name = "loud"; command = "$work/bin/talk 150000000";
	  metrics = ( { name = "answer"; regex = "^result: (\\\\S+)$"; } ); },
	{ use = "command"; name = "quiet"; command = "$work/bin/talk 300000";
	  metrics = ( { name = "answer"; regex = "^result: (\\\\S+)$"; } ); }
);
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
biggest "$work/most" &
helpers=$!
status=0
env time -q -f %M -o "$work/peak" "$B/abrun" --reports "$reports" \
	"$work/loud.cfg" >"$work/post" 2>"$work/said" </dev/null || status=$?
: >"$work/ended"
wait "$helpers"
helpers=

is "a night with 300 MB of output ends with 0" "$status" 0
is "its result is found at the end" "$(sql "SELECT l.name, s.value FROM sample s
	JOIN run r ON r.id = s.run JOIN load l ON l.id = r.load
	WHERE s.metric = 'answer' ORDER BY l.name")" "loud|42.0
quiet|42.0"
peak=$(cat "$work/peak")
[ "$peak" -gt 1000 ] && [ "$peak" -lt 65536 ]
result "the controller never had more than 64 MiB ($peak kB)"
# Of each stream its first and last 8 MiB, and what else there is.
most=$(cat "$work/most")
[ "$most" -gt 1000 ] && [ "$most" -lt 65536 ]
result "nor the target's disk ($most kB)"
raw=$(run_dir loud)/raw
loud=$(ls "$raw"/*loud*)
quiet=$(ls "$raw"/*quiet*)
size=$(wc -c <"$loud")
[ "$size" -gt 2000000 ] && [ "$size" -lt 2200000 ]
result "E69: 1 MiB of each stream is kept ($size bytes)"
is "its beginning" "$(sed -n 2p "$loud")" 'the first word'
is "a mark in each where something was cut" \
	"$(grep -c '^\[abrun: 14[0-9]* bytes cut\]$' "$loud")" 2
grep -qx 'result: 42' "$loud" && grep -qx 'last words' "$loud"
result "and the end of both"
size=$(wc -c <"$quiet")
[ "$size" -gt 600000 ] && ! grep -q '^\[abrun: ' "$quiet"
result "what is small is whole"
is "nothing is left" "$(left_over)" ""
night_plan
