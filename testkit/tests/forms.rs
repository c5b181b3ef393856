//! The formulas against the ideal execution, at all sizes and with many costs.

use std::collections::BTreeMap;

use counterpart_core::simulate::Costs;
use counterpart_core::tape::StepKind;
use counterpart_core::{BatchRule, Channel, Model, Plan};
use counterpart_testkit::oracle::times;
use counterpart_testkit::tables::forms::{self, Form, Ticks};
use counterpart_testkit::tables::{self, CHUNKS, MOST_MICROS, Order, RANKS};

const TICKS: [[u64; 3]; 11] = [
    [1, 1, 1],
    [3, 3, 3],
    [1, 2, 1],
    [2, 2, 1],
    [4, 5, 3],
    [1, 3, 1],
    [5, 1, 1],
    [1, 1, 2],
    [2, 1, 3],
    [1, 4, 3],
    [1, 1, 0],
];

/// Plans with no more steps are run by the slow clock, too.
const SLOW: usize = 200;

fn eager() -> Model {
    Model::new(Channel::Eager, BatchRule::Item).expect("there is such a model")
}

fn costs(plan: &mut Plan, t: Ticks) -> Costs {
    let [f, b, i, w] = ["F", "B", "I", "W"].map(|kind| plan.family(kind, 2));
    Costs::new().compute(f, t.f).compute(b, t.b()).compute(i, t.i).compute(w, t.w).transfer(0)
}

/// When each rank begins its first compute step and ends its last, in the ideal execution.
fn spans(plan: &Plan, costs: &Costs) -> Vec<(u64, u64)> {
    let timeline = plan.simulate(eager(), costs).unwrap_or_else(|| panic!("{} does not run", plan.name));
    if plan.len() <= SLOW {
        let cost = |rank: usize, step: usize| costs.step(plan, &plan.steps(rank)[step]);
        let slow = times(plan, eager(), cost, |_, _, _| 0).expect("it runs");
        let ends: Vec<Vec<u64>> =
            slow.iter().map(|steps| steps.iter().map(|&(_, end)| end).collect()).collect();
        assert_eq!(timeline.end, ends, "{}", plan.name);
    }
    let span = |rank: usize| {
        let steps = plan.steps(rank);
        let is_compute = |s: &usize| steps[*s].kind == StepKind::Compute;
        let first = (0..steps.len()).find(is_compute).expect("it computes");
        let last = (0..steps.len()).rfind(is_compute).expect("it computes");
        (timeline.begin[rank][first], timeline.end[rank][last])
    };
    (0..plan.ranks()).map(span).collect()
}

#[derive(Default)]
struct Counts {
    sizes: usize,
    makespans: usize,
}

/// Holds the formula of a schedule against its order, with all costs.
fn hold(counts: &mut BTreeMap<String, Counts>, order: &Order, form: impl Fn(Ticks) -> Form) {
    let name = order.name.split(" in groups").next().and_then(|name| name.split(" p ").next());
    let counts = counts.entry(name.expect("a name").to_owned()).or_default();
    counts.sizes += 1;
    let mut plan = order.ideal();
    let kept = [order.most_kept('W'), order.most_kept('I')];
    for [f, i, w] in TICKS {
        let t = Ticks { f, i, w };
        let form = form(t);
        assert_eq!([form.kept, form.kept_until_input], kept, "{}", order.name);
        if let Some(makespan) = form.makespan {
            counts.makespans += 1;
            let costs = costs(&mut plan, t);
            let computed = spans(&plan, &costs).into_iter().map(|(_, end)| end).max();
            assert_eq!(computed, Some(makespan), "{}, {t:?}", order.name);
        }
    }
}

/// Every size of a schedule with one or two stages per rank.
fn each_size(visit: &mut dyn FnMut(usize, usize)) {
    for p in RANKS {
        (1..=MOST_MICROS).for_each(|m| visit(p, m));
    }
}

#[test]
fn formulas_hold_wherever_they_are_given() {
    let mut counts = BTreeMap::new();
    let counts = &mut counts;
    each_size(&mut |p, m| {
        hold(counts, &tables::gpipe(p, m), |t| forms::gpipe(p, m, t));
        hold(counts, &tables::one_f1b(p, m), |t| forms::one_f1b(p, m, t));
        hold(counts, &tables::deepspeed(p, m), |t| forms::one_f1b(p, m, t));
        hold(counts, &tables::zb_h1(p, m), |t| forms::zb_h1(p, m, t));
        hold(counts, &tables::zb_h2(p, m), |t| forms::zb_h2(p, m, t));
        if m + 1 >= 2 * p {
            hold(counts, &tables::zbv(p, m), |t| forms::zbv(p, m, t).expect("it has a formula"));
        }
        if m >= 2 * p {
            hold(counts, &tables::dual_pipe_v(p, m), |t| forms::dual_pipe_v(p, m, t));
            if p.is_multiple_of(2) && m.is_multiple_of(2) {
                hold(counts, &tables::dual_pipe(p, m), |t| forms::dual_pipe(p, m, t));
            }
        }
        if p.is_multiple_of(2) && m.is_multiple_of(p) {
            hold(counts, &tables::chimera(p, m), |t| forms::chimera(p, m, t));
        }
    });
    for (name, Counts { sizes, makespans }) in counts {
        println!("{name}: {sizes} sizes, {makespans} makespans");
        assert!(*sizes >= 33 && *makespans >= *sizes, "{name} has too few");
    }
}

#[test]
fn formulas_of_chunks_hold_wherever_they_are_given() {
    let mut counts = BTreeMap::new();
    let counts = &mut counts;
    each_size(&mut |p, m| {
        for v in CHUNKS {
            hold(counts, &tables::looped_bfs(p, v, m), |t| forms::looped_bfs(p, v, m, t));
            if let Some(g) = tables::equal_groups(p, m) {
                hold(counts, &tables::interleaved(p, v, m), |t| forms::interleaved(p, v, m, g, t));
                let order = tables::interleaved_zero_bubble(p, v, m);
                hold(counts, &order, |t| forms::interleaved_zero_bubble(p, v, m, g, t));
            }
            // All of them take a minute; the larger ones are no different.
            for g in (p..=m).filter(|&g| m <= 14 && tables::is_group(p, m, g)) {
                let order = tables::interleaved_in_groups(p, v, m, g);
                hold(counts, &order, |t| forms::interleaved(p, v, m, g, t));
                let order = tables::interleaved_zero_bubble_in_groups(p, v, m, g);
                hold(counts, &order, |t| forms::interleaved_zero_bubble(p, v, m, g, t));
            }
        }
    });
    for (name, Counts { sizes, makespans }) in counts {
        println!("{name}: {sizes} sizes, {makespans} makespans");
    }
}

#[test]
fn zero_bubble_means_that_no_rank_is_idle_once_it_has_begun() {
    let t = Ticks { f: 1, i: 1, w: 1 };
    each_size(&mut |p, m| {
        if m + 1 < 2 * p {
            return;
        }
        for (order, busy) in [(tables::zb_h2(p, m), 3 * m), (tables::zbv(p, m), 6 * m)] {
            let mut plan = order.ideal();
            let costs = costs(&mut plan, t);
            let longest = spans(&plan, &costs).into_iter().map(|(begin, end)| end - begin).max();
            assert_eq!(longest, Some(busy as u64), "{}", order.name);
        }
    });
}
