#!/usr/bin/env bash
# What the driver costs: instructions of one run of 1F1B at P 4, M 256 on a backend that only counts its calls, beside
# those of a loop written by hand that makes the same calls. Counted, not timed, so a busy machine does not matter.
#
# Usage: scripts/bench-lowering.sh [highest ratio, 1.05 unless given]
# Needs valgrind. Fails when the driver takes more than that ratio on any rank, or makes other calls.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-1.05}
runs=2000

bench=$(cargo bench -p counterpart-benches --no-run --bench lowering 2>&1 | tee /dev/stderr | sed -n 's/.*Executable.*(\(.*\))/\1/p')
"$bench"

# Instructions of `$1` on rank `$2`, `$3` runs, set-up included.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

# Instructions of one run.
per_run() {
    local none all
    none=$(instructions "$1" "$2" 0)
    all=$(instructions "$1" "$2" "$runs")
    echo $(((all - none) / runs))
}

printf '\n%-6s %12s %12s %8s\n' rank driver 'by hand' ratio
failed=0
for rank in 0 1 2 3; do
    driver=$(per_run driver "$rank")
    by_hand=$(per_run by-hand "$rank")
    awk -v rank="$rank" -v driver="$driver" -v by_hand="$by_hand" -v limit="$limit" 'BEGIN {
        printf "%-6s %12d %12d %8.3f\n", rank, driver, by_hand, driver / by_hand
        exit driver > limit * by_hand
    }' || failed=1
done
if [ "$failed" = 1 ]; then
    echo "the driver takes more than $limit times the instructions of the loop by hand" >&2
    exit 1
fi
