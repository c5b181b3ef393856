#!/usr/bin/env bash
# What a schedule of the library costs: `cargo check` of a program with interleaved 1F1B at P 16, V 4, M 64 beside the same
# program at P 2, V 1, M 2, its communication inserted and proven; and with V-Half, whose order is searched for.
#
# Usage: scripts/bench-compile-library.sh [--runs N] [--limit SECONDS]
#   --runs    runs of each program; medians count (5)
#   --limit   what interleaved 1F1B may take more at the large size (3.0)
# Fails over the limit. Needs GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=5 limit=3.0
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2 && shift 2 ;;
        --limit) limit=$2 && shift 2 ;;
        *) echo "unknown option $1: see the head of $0" >&2 && exit 2 ;;
    esac
done
[ -x /usr/bin/time ] || { echo "needs GNU time as /usr/bin/time" >&2 && exit 2; }

root=$PWD
work=${CARGO_TARGET_DIR:-$root/target}/bench-compile-library
export CARGO_TARGET_DIR=$work/target CARGO_INCREMENTAL=0
mkdir -p "$work/src"
cat >"$work/Cargo.toml" <<END
[package]
name = "library-at-a-size"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
counterpart = { path = "$root", default-features = false }

[workspace]
END
cp Cargo.lock "$work/"

# `measure SCHEDULE SIZES`: median seconds of wall time, and the most MiB of memory.
measure() {
    cat >"$work/src/main.rs" <<END
counterpart::schedule! {
    pub schedule Pipeline = $1;
    message Act[s, m]:  [f32; 32, 64];
    message Grad[s, m]: [f32; 32, 64];
    instance Pipeline<$2>;
}
fn main() {}
END
    (cd "$work" && cargo check --quiet)
    for ((run = 0; run < runs; run++)); do
        touch "$work/src/main.rs"
        (cd "$work" && /usr/bin/time -f '%e %M' cargo check --quiet 2>&1 | tail -n 1)
    done | sort -n | awk '{ at[NR] = $1; if ($2 > most) most = $2 } END { print at[int((NR + 1) / 2)], int(most / 1024) }'
}

read -r small _ <<<"$(measure Interleaved1F1B '2, 1, 2')"
echo "interleaved 1F1B, P 2, V 1, M 2:    $small s"
read -r large memory <<<"$(measure Interleaved1F1B '16, 4, 64')"
more=$(awk "BEGIN { printf \"%.2f\", $large - $small }")
echo "interleaved 1F1B, P 16, V 4, M 64:  $large s, $more s more, $memory MiB (limit $limit s more)"
for sizes in '4, 8' '8, 32'; do
    read -r seconds memory <<<"$(measure VHalf "$sizes")"
    echo "V-Half, P ${sizes/, /, M }:    $seconds s, $memory MiB"
done
awk "BEGIN { exit !($more <= $limit) }" || { echo "over the limit" >&2 && exit 1; }
