#!/bin/sh
# Hosts that answer anything: what they say stays within bounds, does nothing
# to a terminal or a post, and proves nothing.

# shellcheck source=tests/lib/night.sh disable=SC2016,SC2119
. tests/lib/night.sh
night_lab

# The login shell gives its output to $work/filter, if there is one.
cat >"$work/sh" <<END
#!/bin/sh
if [ -x $work/filter ]; then
	TMPDIR=$tmp /bin/sh "\$@" | $work/filter
else
	TMPDIR=$tmp exec /bin/sh "\$@"
fi
END
# filter AWK-PROGRAM
filter()
{
	# A lock is held by a call that answers and goes on: line by line.
	printf '#!/bin/sh\nexec mawk -W interactive '"'%s'\n" "$1" >"$work/filter.new"
	chmod 755 "$work/filter.new"
	mv "$work/filter.new" "$work/filter"
}
no_filter()
{
	rm -f "$work/filter"
}
matrix evil <<END
title = "Evil";
factors: { env = [ "A=1", "A=2" ]; };
loads = ( { use = "command"; name = "none"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; order = "listed"; };
END
# The bytes that no reader's screen may get: C0 but newline, DEL, C1 and the
# marks that reorder.
unsafe='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
clean()
{
	for _file in "$@"; do
		[ -s "$_file" ] || return 1
		! LC_ALL=C grep -q -P "$unsafe" "$_file" || return 1
	done
}

filter 'BEGIN { FS = OFS = "\t"
	evil = "\033]0;own\007\033[31m\342\200\256\302\205\342\200\250 | x\\nBcc: a@b\\n`id`" }
/^BEGIN / { split($0, words, " "); verb = words[3] }
verb == "facts" && NF == 2 && $1 != "boot_id" { $2 = $2 evil }
{ print }'
night evil
is "evil facts do not keep a night from its figures" \
	"$(sql "SELECT count(*) FROM run WHERE good")" 2
clean "$work/said" "$work/post" "$(run_dir evil)/post.txt" \
	"$(run_dir evil)/report.md"
result "and nothing of them reaches terminal, post or report as it is"
! grep -q '^Bcc' "$work/post"
result "nor a header of the post"

filter 'BEGIN { FS = OFS = "\t" }
/^BEGIN / { split($0, words, " "); verb = words[3]; calls += verb == "load_run" }
verb == "owner" && $1 == "comm" { $2 = "\033[2Jevil" }
verb == "owner" && $1 == "pid" { $2 = 1 }
{ print }'
night evil --new
clean "$work/said" "$work/post" && says '\x1b[2Jevil'
result "what they are refused for is shown so that it can be read"
is "and nothing is measured" "$status" 1

filter '{ print }
/^BEGIN [^ ]* facts/ { for (i = 0; i < 20000; i++) print "k" i "\tx" }'
night evil --new
is "a host that tells too much is not listened to" "$status" 1
says "facts: cannot tell: the answer does not come to an end"
result "and told so"
is "and nothing of it is kept" "$(sql "SELECT count(*) FROM fact
	WHERE scope <> 'experiment'")" 0

filter '/^BEGIN [^ ]* facts/ { print "hostname\t" ; split($0, w, " ") }
w[3] == "facts" && /^(cpu_model|kernel)\t/ { printf "%s\t", $1
	for (i = 0; i < 100000; i++) printf "0123456789"
	print ""; next }
{ print }'
night evil --new
is "values of a million bytes cost no figure" "$status" 0
[ "$(wc -c <"$work/post")" -lt 20000 ]
result "and no reader's time"

for program in 'BEGIN { while (1) if (getline > 0) last = $0; else exit }' \
	'{ sub(/^BEGIN [0-9a-f]*/, "BEGIN 0123456789abcdef0123456789abcdef") } { print }' \
	'/^END/ { exit } { print }' \
	'/^END/ { sub(/[0-9]$/, "9") } { print }' \
	'{ print; print }'; do
	filter "$program"
	night evil --new
	no_filter
	is "answers by '$program' prove nothing" \
		"$(sql "SELECT count(*) FROM visit WHERE status = 'valid'")" 0
done
night_plan
