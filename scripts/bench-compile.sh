#!/usr/bin/env bash
# What proving a schedule costs: time and memory of `cargo check` of a program that declares 1F1B, proves it and runs
# it, at several sizes, beside the same program at P 2, M 2. Each size once with `schedule!` and once with session
# types written by hand.
#
# Usage: scripts/bench-compile.sh [--runs N] [--small SECONDS] [--large SECONDS] [--memory MIB] [--user]
#   --runs    runs of each program; medians count (5)
#   --small   limit of the time that P 8, M 32 takes more than P 2, M 2 (0.5)
#   --large   the same for P 64, M 256 (2.5)
#   --memory  limit of the memory, for both of them (500)
#   --user    hold user time against the limits, not wall time: for a machine that does other work as well
# Fails when `schedule!` is over a limit. Needs GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=5 small=0.5 large=2.5 memory=500 judged=wall
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2 && shift 2 ;;
        --small) small=$2 && shift 2 ;;
        --large) large=$2 && shift 2 ;;
        --memory) memory=$2 && shift 2 ;;
        --user) judged=user && shift ;;
        *) echo "unknown option $1: see the head of $0" >&2 && exit 2 ;;
    esac
done
[ -x /usr/bin/time ] || { echo "needs GNU time as /usr/bin/time" >&2 && exit 2; }

root=$PWD
work=${CARGO_TARGET_DIR:-$root/target}/bench-compile
sizes=('2 2' '8 32' '16 64' '64 256' '64 1024')
export CARGO_TARGET_DIR=$work/target CARGO_INCREMENTAL=0

# The end of both programs: a stage per rank that computes nothing, and a run.
main() {
    cat <<END
fn main() -> Result<(), counterpart::Error> {
    threads::run($1, Config::new(), |mut backend: Threads| {
        let mut driver = Driver::<OneF1B<$1, $2>, _>::new(&mut backend)?;
        driver.run(&mut backend, &mut Stage)?;
        backend.finish()
    })?;
    Ok(())
}
END
}

with_macro() {
    cat <<END
use counterpart::backend::{Backend, Threads, threads::{self, Config}};
use counterpart::{Driver, Read, StepResult, Write};
use one_f1b::{Act, Grad};

counterpart::schedule! {
$(grep -v '^instance' "$root/lang/tests/schedules/one_f1b.txt")
instance OneF1B<$1, $2>;
}

struct Stage;

impl one_f1b::Compute for Stage {
    fn forward(
        &mut self, _: usize, _: usize, _: Option<Read<'_, Act, Threads>>, _: Option<Write<'_, Act, Threads>>,
    ) -> StepResult {
        Ok(())
    }

    fn backward(
        &mut self, _: usize, _: usize, _: Option<Read<'_, Act, Threads>>, _: Option<Read<'_, Grad, Threads>>,
        _: Option<Write<'_, Grad, Threads>>,
    ) -> StepResult {
        Ok(())
    }
}
END
    main "$@"
}

# The steps of rank `$1` of `$2` at `$3` micro-batches, as session types.
program() {
    local r=$1 p=$2 m=$3 first last
    local next=$((r + 1)) before=$((r - 1)) warm=$((p - 1 - r < m ? p - 1 - r : m))
    local steady=$((m - warm))
    first=$([ "$r" = 0 ] && echo 1 || true) last=$([ "$next" = "$p" ] && echo 1 || true)

    act_in() { echo "Val<Act, (Ix<$r>, Ix<$1>)>"; }
    act_out() { echo "Val<Act, (Ix<$next>, Ix<$1>)>"; }
    grad_in() { echo "Val<Grad, (Ix<$next>, Ix<$1>)>"; }
    grad_out() { echo "Val<Grad, (Ix<$r>, Ix<$1>)>"; }
    forward() {
        local reads writes
        reads=$([ "$first" ] && echo Absent || echo "Reads<$(act_in "$1")>")
        writes=$([ "$last" ] && echo Absent || echo "Writes<$(act_out "$1")>")
        echo "Compute<forward, (Ix<$r>, Ix<$1>), HList![$reads, $writes]>,"
    }
    backward() {
        local act grad writes
        act=$([ "$first" ] && echo Absent || echo "Reads<$(act_in "$1")>")
        grad=$([ "$last" ] && echo Absent || echo "Reads<$(grad_in "$1")>")
        writes=$([ "$first" ] && echo Absent || echo "Writes<$(grad_out "$1")>")
        echo "Compute<backward, (Ix<$r>, Ix<$1>), HList![After<forward, (Ix<$r>, Ix<$1>)>, $act, $grad, $writes]>,"
    }
    # Batches with the next rank and with the one before; the last of these has no receive.
    ahead() {
        [ "$last" ] || echo "Batch<HList![Send<Rank<$next>, $(act_out "$1")>, Recv<Rank<$next>, $(grad_in "$2")>]>,"
    }
    behind() {
        [ "$first" ] || echo "Batch<HList![Send<Rank<$before>, $(grad_out "$1")>, Recv<Rank<$before>, $(act_in "$2")>]>,"
    }

    echo "HList!["
    if [ "$warm" -gt 0 ]; then
        echo "Repeat<Times<$warm>, HList!["
        [ "$first" ] || echo "Recv<Rank<$before>, $(act_in 0,1)>,"
        forward 0,1
        echo "Send<Rank<$next>, $(act_out 0,1)>,"
        echo "]>,"
    fi
    if [ "$steady" -gt 0 ]; then
        [ "$first" ] || echo "Recv<Rank<$before>, $(act_in "$warm")>,"
        if [ "$steady" -gt 1 ]; then
            echo "Repeat<Times<$((steady - 1))>, HList!["
            forward "$warm,1"
            ahead "$warm,1" 0,1
            backward 0,1
            behind 0,1 "$((warm + 1)),1"
            echo "]>,"
        fi
        forward $((m - 1))
        ahead $((m - 1)) $((steady - 1))
        backward $((steady - 1))
        [ "$first" ] || echo "Batch<HList![Send<Rank<$before>, $(grad_out $((steady - 1)))>]>,"
    fi
    if [ "$warm" -gt 0 ]; then
        echo "Repeat<Times<$warm>, HList!["
        echo "Recv<Rank<$next>, $(grad_in "$steady,1")>,"
        backward "$steady,1"
        [ "$first" ] || echo "Send<Rank<$before>, $(grad_out "$steady,1")>,"
        echo "]>,"
    fi
    echo "]"
}

by_hand() {
    local p=$1 m=$2 r
    cat <<END
#![allow(long_running_const_eval)]
use counterpart::backend::{Backend, Threads, threads::{self, Config}};
use counterpart::drive::{Perform, Place};
use counterpart::session::*;
use counterpart::{Driver, Proof, Read, Schedule, StepResult, Write};

counterpart::message! { Act: [f32; 32, 64]; Grad: [f32; 32, 64]; }
counterpart::task! { forward; backward; }

struct OneF1B<const P: usize, const M: usize>;

impl Schedule for OneF1B<$p, $m> {
    const NAME: &'static str = "OneF1B<$p, $m>";
    type Ranks = HList![
END
    for ((r = 0; r < p; r++)); do
        ((r % 8)) || echo "Group<HList!["
        echo "Program<Rank<$r>, $(program "$r" "$p" "$m")>,"
        ((r % 8 == 7 || r == p - 1)) && echo "]>,"
    done
    cat <<END
    ];
    type Coverage = HList![
        Covers<forward, HList![Range<0, $p>, Range<0, $m>]>,
        Covers<backward, HList![Range<0, $p>, Range<0, $m>]>,
    ];
    const PROOF: Proof<Self> = Proof::new();
}
counterpart::prove!(OneF1B<$p, $m>);

struct Stage;

impl<B: Backend> Perform<B, Stage> for forward {
    type Buffers<'u> = HList![Place<Read<'u, Act, B>>, Place<Write<'u, Act, B>>];

    fn perform(_: &mut Stage, _: [usize; 4], _: Self::Buffers<'_>) -> StepResult {
        Ok(())
    }
}

impl<B: Backend> Perform<B, Stage> for backward {
    type Buffers<'u> = HList![Place<Read<'u, Act, B>>, Place<Read<'u, Grad, B>>, Place<Write<'u, Grad, B>>];

    fn perform(_: &mut Stage, _: [usize; 4], _: Self::Buffers<'_>) -> StepResult {
        Ok(())
    }
}
END
    main "$@"
}

# `crate KIND P M`: writes the program and checks it once, so that all it depends on is built.
crate() {
    local at="$work/$1-p$2-m$3"
    mkdir -p "$at/src"
    cat >"$at/Cargo.toml" <<END
[package]
name = "$(basename "$at")"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
counterpart = { path = "$root" }

[workspace]
END
    cp "$root/Cargo.lock" "$at/"
    "$1" "$2" "$3" >"$at/src/main.rs"
    (cd "$at" && cargo check --quiet)
}

# Checks a program anew, and adds seconds of wall time, seconds of user time and MiB of memory to its measurements.
measure() {
    local at="$work/$1-p$2-m$3"
    touch "$at/src/main.rs"
    (cd "$at" && /usr/bin/time -a -o measured -f '%e %U %M' cargo check --quiet --offline)
}

# The median of column `$2`.
median() {
    sort -n -k "$2,$2" "$1/measured" | awk -v column="$2" '{ all[NR] = $column } END { print all[int((NR + 1) / 2)] }'
}

mkdir -p "$work"
for kind in with_macro by_hand; do
    for size in "${sizes[@]}"; do
        # shellcheck disable=SC2086
        crate $kind $size
        rm -f "$work/$kind-p${size/ /-m}/measured"
    done
done
for ((run = 0; run < runs; run++)); do
    for kind in with_macro by_hand; do
        for size in "${sizes[@]}"; do
            # shellcheck disable=SC2086
            measure $kind $size
        done
    done
done

echo "cargo check, medians of $runs runs; load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
printf '%-10s %5s %5s %7s | %6s %6s %6s | %10s %10s\n' \
    program P M pairs 'wall s' 'user s' MiB 'more wall' 'more user'
failed=0
for kind in with_macro by_hand; do
    base_wall='' base_user=''
    for size in "${sizes[@]}"; do
        read -r p m <<<"$size"
        at="$work/$kind-p$p-m$m"
        wall=$(median "$at" 1) user=$(median "$at" 2) kib=$(median "$at" 3)
        base_wall=${base_wall:-$wall} base_user=${base_user:-$user}
        limit=''
        [ "$kind" = with_macro ] && case $size in '8 32') limit=$small ;; '64 256') limit=$large ;; esac
        awk -v kind="$kind" -v p="$p" -v m="$m" -v wall="$wall" -v user="$user" -v kib="$kib" \
            -v base_wall="$base_wall" -v base_user="$base_user" -v limit="$limit" -v memory="$memory" \
            -v judged="$judged" 'BEGIN {
                more = judged == "wall" ? wall - base_wall : user - base_user
                over = limit != "" && (more > limit + 0 || kib / 1024 > memory + 0)
                printf "%-10s %5d %5d %7d | %6.2f %6.2f %6.0f | %10.2f %10.2f%s\n", kind, p, m, 2 * (p - 1) * m, \
                    wall, user, kib / 1024, wall - base_wall, user - base_user, over ? "  over the limit" : ""
                exit over
            }' || failed=1
    done
done
exit "$failed"
