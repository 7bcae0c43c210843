#!/bin/sh
# abrun check, of hosts without a tool, a library or a script, or with another
# version of abload.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab database=no
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh
here=$PWD

# Tools, libraries and scripts.
tool_definition
sed 's/^tool = "sh"/tool = "no-such-tool"/' "$work/hooks/load/tool.cfg" \
	>"$work/hooks/load/lacks.cfg"
more=', { name = "gone"; ssh = "127.0.0.1:9"; os = "linux"; }'
calm=$design
design='design: { rounds = 1; runs = 1; warmup = 0; quiet: { wait = "2s"; }; };'
simple lacks 'lib = ( { name = "libc"; }, { name = "none"; preload = "no-such-lib"; } );' \
	'{ use = "lacks"; file = "/no/such.script"; }'
more=
design=$calm
check lacks
grep -qE '^(ok  |warn) quiet: [0-9]+ % of its CPUs are busy' "$work/said"
result "how busy the host is, is told"
is "a missing tool, library, script: 1" "$status" 1
tells 'FAIL lib=none: MISSING_FILE: preload "no-such-lib" must name one library, found none' \
	"FAIL lacks: MISSING_TOOL: load " " needs no-such-tool, which was not found" \
	"install it on box" \
	"FAIL scripts: MISSING_FILE: /no/such.script is not there"
result "all of them are told at once"
tells "cells on box: 1 of 2" "ok lib=libc: " "4 things stand in the way"
result "and cells without that library are tried"
tells "gone FAIL login: HOST_LOST: "
result "and the next target after it"

# abload of this version, of another, none.
cp matrices/smacks/select-key.smack "$work/"
simple abload "$one" '{ use = "abload"; smack = "select-key.smack"; clients = 1; }'
check abload
is "no abload in that host's PATH: 1" "$status" 1
tells "FAIL abload: MISSING_TOOL: " "make build/abload" 
result "says how it gets there"
printf '#!/bin/sh\necho abload 0.0.1\n' >"$work/bin/abload"
chmod 755 "$work/bin/abload"
check abload
is "another version of it: 1" "$status" 1
tells "FAIL abload: $work/bin/abload: version wanted abload " \
	"seen abload 0.0.1" "make build/abload"
result "says which, and how the right one gets there"
ln -sf "$here/$B/abload" "$work/bin/abload"
check abload
is "the right one: 0" "$status" 0
tells "ok abload: $work/bin/abload, abload " "ok scripts: 1 copied"
result "is told, with its script"

is "nothing is left" "$(lying)" ""
night_plan
