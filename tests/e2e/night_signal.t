#!/bin/sh
# abrun interrupted at any moment: it leaves the host as it was, and the same
# matrix then stores what an undisturbed night does.

# shellcheck source=tests/lib/night.sh disable=SC2119
. tests/lib/night.sh
night_lab
# shellcheck source=tests/lib/moments.sh
. tests/lib/moments.sh
moments INT 50
night_plan
