# shellcheck shell=sh # frozen for tests/golden/plan.t
