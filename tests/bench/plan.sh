#!/bin/sh
# Prints how long `abrun plan` takes for a matrix of 100000 cells: reading it,
# expanding it, ordering a round, and writing the plan.  Fails nothing but a
# plan that is wrong.  From the top directory; B is the build directory.
set -eu

abrun=$(pwd)/${B:-build}/abrun
work=$(mktemp -d /tmp/abrun-bench.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cp -r hooks "$work/"
cd "$work"

ten='[ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 ]'
levels() {
	for level in 0 1 2 3 4 5 6 7 8 9; do
		printf '{ name = "%s"; env = [ "%s=%s" ]; }' $level "$1" $level
		[ $level = 9 ] || printf ', '
	done
}
cat >big.cfg <<EOF
title = "a hundred thousand cells";
targets = ( { name = "lab"; ssh = "lab"; os = "linux"; } );
factors: {
	a = ( $(levels A) );
	b = ( $(levels B) );
	c = ( $(levels C) );
	d = $ten;
	e = $ten;
};
loads = ( { use = "command"; name = "one"; command = "true {d} {e}"; },
          { use = "command"; name = "two"; command = "true {d}"; } );
design: { rounds = 5; order = "random"; };
EOF

for i in 1 2 3 4 5; do
	before=$(date +%s%N)
	"$abrun" plan big.cfg >plan.txt
	after=$(date +%s%N)
	grep -q '^100000 cells, 2 loads, 5 rounds' plan.txt
	echo "plan of 100000 cells, try $i: $(((after - before) / 1000000)) ms"
done
