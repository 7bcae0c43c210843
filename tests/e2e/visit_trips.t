#!/bin/sh
# How often a visit of one load speaks to the target: six times at most, also
# where a knob is looked at, and less where there is none.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab

# trips: what each visit of the last night took, "N N N", without the looks at
# a server that has not answered: after 1.5 s, then 3 s later, ...  On a
# quiet machine there is none.
trips()
{
	awk '
		/ ready after [0-9]* ms$/ {
			looks = 0
			for (left = $(NF - 1) - 1500; left >= 0; left -= 1500 * 2 ^ looks)
				looks++
		}
		/: visit took [0-9]* round trips$/ {
			took = $(NF - 2)
			while (looks-- > 0 && took > wanted)
				took--
			printf "%d ", took
		}' wanted="$1" "$work/said"
}

matrix plain <<'END'
title = "what a visit takes";
factors: { allocator = ( { name = "libc"; },
                         { name = "jemalloc"; preload = "jemalloc"; } ); };
loads = ( { use = "command"; name = "nothing"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night plain -v
is "a night of two visits ends well" "$status" 0
is "a visit takes five calls" "$(trips 5)" "5 5 "
is "its starts know the binary" "$(sql "SELECT count(*) FROM start
	WHERE length(exe_sha256) = 64")" 2
is "the binary is proved on both sides" "$(sql "SELECT count(*) FROM proof
	WHERE what = 'binary' AND verdict = 'yes'")" 4

# Set to what it is: no other test on this machine must notice.
swappiness=$(cat /proc/sys/vm/swappiness)
matrix knob <<END
title = "what a visit with a knob takes";
factors: { swap = ( { name = "as it is"; },
    { name = "set"; sysctl = [ "vm.swappiness=$swappiness" ];
      expect = [ "arch=$(uname -m)" ]; } ); };
loads = ( { use = "command"; name = "nothing"; command = "true"; } );
design: { rounds = 1; runs = 1; warmup = 0; };
END
night knob -v
is "a night with a knob ends well" "$status" 0
is "looking at a knob takes one more" "$(trips 6)" "6 6 "
is "a fact that is expected is looked up" "$(sql "SELECT count(*) FROM proof
	WHERE what = 'expect' AND verdict = 'yes'" knob)" 2
is "nothing is left" "$(left_over)" ""
night_plan
