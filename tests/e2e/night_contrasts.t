#!/bin/sh
# design.contrasts: what a matrix asks to have compared is told, alone or
# besides the usual, and what is asked later is told as that.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab database=no
matrix_server()
{
	:
}

# Figures that are made up: of level 1, 2, 3 about 1000, 2000, 3000, and a
# little more or less each time.
cat >"$work/bin/figure" <<EOF
#!/bin/sh
echo >>"$work/runs-\$1"
echo tps \$((\$1 * 1000 + \$(wc -l <"$work/runs-\$1") * (\$1 * 2 - 3) % 7))
EOF
chmod 755 "$work/bin/figure"
mkdir -p "$work/hooks/load"
cat >"$work/hooks/load/made-up.cfg" <<EOF
help = "figures that are made up";
tool = "sh";
keys = ( { name = "level"; help = "of the factor"; } );
command = "$work/bin/figure {level}";
metrics = ( { name = "tps"; unit = "queries/s"; better = "higher";
              regex = "^tps (\\\\d+)"; } );
EOF
# asking NAME CONTRASTS
asking()
{
	matrix "$1" <<-EOF
	title = "Asked";
	factors: { level = [ 1, 2, 3 ]; };
	loads = ( { use = "made-up"; } );
	design: { rounds = 3; runs = 1; warmup = 0; $2 };
	EOF
}

asking few 'contrasts = ( "only", { name = "the last step";
	of: { level = 3; }; against: { level = 2; }; } );'
night few
is "a night with contrasts of its own ends well" "$status" 0
posts "Verdicts go by p adjusted after Holm over 1 contrast, those alone that the matrix asks for." \
	"the last step" "level 3 against level 2" \
	"level 3 is 5" "% faster than level 2" &&
	! posts "level 2 / 1" && ! posts "What is compared was changed"
result "the post tells what was asked, and that alone"
grep -q '| the last step ' "$(run_dir few)/report.md" &&
	grep -q 'those alone that the matrix asks for' "$(run_dir few)/report.md"
result "as does the report in Markdown"

# After looking, something else.
asking few 'contrasts = ( { of: { level = [ 2, 3 ]; };
	against: { level = 1; }; } );'
night few
is "asked of a finished run it is computed" "$status" 0
says "what is compared in $(run_dir few) is changed after looking"
result "which is said"
is "without another run" "$(sql "SELECT count(*) FROM visit" few)" 3
posts "What is compared was changed after looking, to: each factor's levels; 2|3 / 1." \
	"over 3 contrasts, of which the matrix asks for 1." \
	"level 2 or 3 / 1"
result "and stands in the post"
night few
is "once" "$(sql "SELECT count(*) FROM event WHERE kind = 'contrasts'" few)" 1

asking none 'contrasts = ( { name = "slip"; of: { level = 3; };
	against: { level = [ 2, 3 ]; }; } );'
night none
is "what cannot be compared is refused with 2" "$status" 2
says 'none.cfg:' 'design.contrasts: "slip" has 3 on both sides'
result "with its line"
is "and nothing is run" "$(find "$reports" -name 'none-*' | wc -l)" 0
night_plan
