//! Orders that are searched for, against tables of the original and against all orders of small problems.

use counterpart_core::search::{Goal, Kept, SearchError, search};
use counterpart_core::simulate::{Costs, Ticks};
use counterpart_core::tape::{NONE, Role};
use counterpart_core::{Model, Plan, comms};

/// Forward, input gradient, weight gradient.
type Times = [Ticks; 3];

/// A pipeline of `p` ranks with one stage each, or two on a V, its backwards in halves. Families `F`, `I`, `W`.
fn pipeline(p: usize, m: usize, is_v: bool) -> Plan {
    let stages = if is_v { 2 * p } else { p };
    let mut plan = Plan::new("pipeline");
    for rank in 0..p {
        plan.begin_rank();
        for s in [rank, 2 * p - 1 - rank].into_iter().filter(|&s| s < stages) {
            for k in 0..m {
                let mut value = |name: &str, s: usize| plan.value(&format!("{name}[{s},{k}]"));
                let [f, i, w] = ["F", "I", "W"].map(|kind| value(kind, s));
                let [act, grad] = ["Act", "Grad"].map(|family| [value(family, s), value(family, s + 1)]);
                let is = |is: bool, one: (Role, _)| is.then_some(one);
                let (first, last) = (s == 0, s + 1 == stages);
                let forward = [is(!first, (Role::Read, act[0])), is(!last, (Role::Write, act[1]))];
                let input = [
                    Some((Role::After, f)),
                    is(!last, (Role::Read, grad[1])),
                    is(!first, (Role::Write, grad[0])),
                ];
                plan.compute(f, &forward.into_iter().flatten().collect::<Vec<_>>(), NONE);
                plan.compute(i, &input.into_iter().flatten().collect::<Vec<_>>(), NONE);
                plan.compute(w, &[(Role::After, i)], NONE);
            }
        }
    }
    plan
}

fn goal(plan: &mut Plan, [f, i, w]: Times, transfer: Ticks, until: &str, most: &[u64]) -> Goal {
    let [forward, input, weight, until] = ["F", "I", "W", until].map(|kind| plan.family(kind, 2));
    let costs = Costs::new().compute(forward, f).compute(input, i).compute(weight, w).transfer(transfer);
    Goal { costs, kept: vec![Kept { from: forward, until, most: most.to_vec() }] }
}

/// How long a compute order takes where links have no limits.
fn ideal(plan: &Plan, costs: &Costs) -> Ticks {
    let goal =
        comms::Goal { costs: costs.clone(), rule: Some(comms::Rule::Paired), ..comms::Goal::default() };
    comms::auto(plan, &goal).expect("it can run").choice.ideal
}

/// Searches, and checks what is found: every step once, within the bounds, as long as it says.
fn found(plan: &Plan, goal: &Goal) -> Ticks {
    let found = search(plan, goal).expect("there is an order");
    for rank in 0..plan.ranks() {
        let names = |plan: &Plan| {
            let mut names: Vec<_> =
                plan.steps(rank).iter().map(|step| plan.words(rank, step.number as usize)).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(plan), names(&found.plan));
        for kept in &goal.kept {
            let most = found.plan.most_kept(rank, kept.from, kept.until) as u64;
            assert!(most <= kept.most[rank], "rank {rank} keeps {most}, and may keep {}", kept.most[rank]);
        }
    }
    assert_eq!(ideal(&found.plan, &goal.costs), found.makespan);
    assert!(found.bound <= found.makespan);
    found.makespan
}

/// A table of the original, its makespan, and what each rank keeps of `F` until `W` and until `I`.
fn original(text: &str, p: usize, times: Times) -> (Ticks, Vec<u64>, Vec<u64>) {
    let cells: Vec<Vec<(char, usize, usize)>> = text
        .lines()
        .map(|row| {
            row.split(',')
                .map(|cell| {
                    let at = cell.find(|c: char| c.is_ascii_alphabetic()).expect("a kind");
                    let number = |text: &str| text.parse().expect("a number");
                    (cell.as_bytes()[at] as char, number(&cell[..at]), number(&cell[at + 1..]))
                })
                .collect()
        })
        .collect();
    let is_v = cells.iter().flatten().any(|cell| cell.1 >= p);
    let mut listed = pipeline(p, 8, is_v);
    let mut plan = listed.emptied();
    for (rank, row) in cells.iter().enumerate() {
        plan.begin_rank();
        for (kind, s, k) in row {
            let name = listed.value(&format!("{kind}[{s},{k}]"));
            let mut steps = listed.steps(rank).iter();
            let at = steps.position(|step| listed.compute_names(step).next() == Some(name));
            plan.copy(&listed, rank, at.expect("it is a step of this rank"));
        }
    }
    let goal = goal(&mut plan, times, 0, "W", &[]);
    let [f, i, w] = ["F", "I", "W"].map(|kind| plan.family(kind, 2));
    let kept = |until| (0..p).map(|rank| plan.most_kept(rank, f, until) as u64).collect();
    (ideal(&plan, &goal.costs), kept(w), kept(i))
}

#[test]
fn in_the_memory_of_the_originals_it_takes_no_longer() {
    let tables = [
        ("ZB-H1", include_str!("data/zb_zbh1_p4_m8_compute.csv"), "W", 27),
        ("ZB-H2", include_str!("data/zb_zbh2_p4_m8_compute.csv"), "I", 27),
        ("V-Half", include_str!("data/zb_vhalf_p4_m8_compute.csv"), "W", 53),
        ("V-Min", include_str!("data/zb_vmin_p4_m8_compute.csv"), "W", 59),
    ];
    for (name, text, until, known) in tables {
        for times in [[1, 1, 1], [4, 5, 3]] {
            let (makespan, weight, input) = original(text, 4, times);
            let mut plan = pipeline(4, 8, text.contains("7F"));
            let goal = goal(&mut plan, times, 0, until, if until == "W" { &weight } else { &input });
            let ours = found(&plan, &goal);
            println!("{name} {times:?}: original {makespan}, found {ours}");
            assert!(times != [1, 1, 1] || makespan == known, "{name} takes {makespan}");
            assert!(ours <= makespan, "{name} at {times:?} takes {ours}, the original {makespan}");
        }
    }
}

#[test]
fn closed_forms_are_reached() {
    for p in [1, 2, 3, 4, 6, 8] {
        for m in [p, 8, 16, 32] {
            let m64 = m as u64;
            let mut plan = pipeline(p, m, false);
            let h1 = goal(&mut plan, [1, 1, 1], 0, "W", &vec![p as u64; p]);
            let takes = 3 * m64 + (p as u64 - 1);
            assert_eq!(found(&plan, &h1), takes, "ZB-H1 p {p} m {m}");
            let h2 = goal(&mut plan, [1, 1, 1], 0, "I", &vec![2 * p as u64 - 1; p]);
            assert_eq!(found(&plan, &h2), takes, "ZB-H2 p {p} m {m}");
        }
    }
}

/// Steps of some ranks that wait for each other at random, some of them in pairs that take and leave a place.
fn random(rng: &mut fastrand::Rng) -> (Plan, Goal) {
    let (ranks, steps) = (rng.usize(1..4), rng.usize(1..9));
    let mut plan = Plan::new("random");
    let [take, leave, other] = ["take", "leave", "other"].map(|kind| plan.family(kind, 1));
    let home: Vec<usize> = (0..steps).map(|_| rng.usize(0..ranks)).collect();
    let mut listed = vec![Vec::new(); ranks];
    for (n, &rank) in home.iter().enumerate() {
        let reads = (0..n).filter(|_| rng.u8(0..4) == 0).map(|before| (Role::Read, format!("v[{before}]")));
        let mut uses: Vec<_> = reads.collect();
        uses.push((Role::Write, format!("v[{n}]")));
        if rng.bool() {
            listed[rank].push((format!("other[{n}]"), uses));
        } else {
            let end = vec![(Role::After, format!("take[{n}]")), (Role::Read, format!("v[{n}]"))];
            listed[rank].push((format!("take[{n}]"), uses));
            listed[rank].push((format!("leave[{n}]"), end));
        }
    }
    for mut steps in listed {
        rng.shuffle(&mut steps);
        plan.begin_rank();
        for (name, uses) in steps {
            let name = plan.value(&name);
            let uses: Vec<_> = uses.into_iter().map(|(role, label)| (role, plan.value(&label))).collect();
            plan.compute(name, &uses, NONE);
        }
    }
    let costs = Costs::new()
        .compute(take, rng.u64(1..4))
        .compute(leave, rng.u64(1..4))
        .compute(other, rng.u64(1..4))
        .transfer(rng.u64(0..3));
    let most = (0..ranks).map(|_| rng.u64(1..4)).collect();
    (plan, Goal { costs, kept: vec![Kept { from: take, until: leave, most }] })
}

/// The shortest makespan of all orders within the bounds, by trying them all; `None` where there is none.
fn shortest(plan: &Plan, goal: &Goal) -> Option<Ticks> {
    let mut orders: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for rank in 0..plan.ranks() {
        let mut all = vec![Vec::new()];
        for step in 0..plan.steps(rank).len() {
            let longer = |order: Vec<usize>| {
                (0..=order.len()).map(move |at| [&order[..at], &[step], &order[at..]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        let with = |before: &Vec<Vec<usize>>| {
            let before = before.clone();
            all.iter()
                .map(move |order| [&before[..], std::slice::from_ref(order)].concat())
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(with).collect();
    }
    let takes = |order: Vec<Vec<usize>>| {
        let mut listed = plan.emptied();
        for (rank, order) in order.iter().enumerate() {
            listed.begin_rank();
            order.iter().for_each(|&step| listed.copy(plan, rank, step));
        }
        let kept = &goal.kept[0];
        let fits = |rank| listed.most_kept(rank, kept.from, kept.until) as u64 <= kept.most[rank];
        let laid = comms::paired(&listed).ok().filter(|_| (0..plan.ranks()).all(fits))?;
        laid.verify(Model::PORTABLE).is_safe().then(|| ideal(&listed, &goal.costs))
    };
    orders.into_iter().filter_map(takes).min()
}

#[test]
fn small_problems_are_solved_well_and_never_beyond_their_bounds() {
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut best, mut all) = (0, 0);
    for _ in 0..400 {
        let (plan, goal) = random(&mut rng);
        match search(&plan, &goal) {
            Ok(_) => {
                let ours = found(&plan, &goal);
                let orders: usize =
                    (0..plan.ranks()).map(|rank| (1..=plan.steps(rank).len()).product::<usize>()).product();
                if orders <= 5_000 {
                    let shortest = shortest(&plan, &goal).expect("there is the order that was found");
                    assert!(shortest <= ours, "{ours} is less than the shortest, {shortest}");
                    (best, all) = (best + usize::from(ours == shortest), all + 1);
                }
            }
            Err(SearchError::NoRoom { most, needed, .. }) => assert!(most < needed),
            Err(other) => panic!("{other}"),
        }
    }
    println!("{best} of {all} small problems are solved best");
    assert!(all > 100 && best * 10 >= all * 9, "only {best} of {all} are solved best");
}

#[test]
fn what_has_no_order_says_why() {
    let mut plan = pipeline(2, 2, true);
    let narrow = goal(&mut plan, [1, 1, 1], 0, "W", &[4, 1]);
    let error = search(&plan, &narrow).expect_err("two chunks of one micro-batch do not fit");
    assert_eq!(
        error.to_string(),
        "rank 1 keeps 2 `F` until their `W` in a block of steps that depend on each other, but may keep 1 only: allow 2 or more, or write the order by hand"
    );

    let mut circle = Plan::new("circle");
    let [a, b, x, y] = ["a", "b", "x", "y"].map(|label| circle.value(label));
    circle.begin_rank();
    circle.compute(a, &[(Role::Read, y), (Role::Write, x)], NONE);
    circle.compute(b, &[(Role::Read, x), (Role::Write, y)], NONE);
    let error = search(&circle, &Goal::default()).expect_err("each waits for the other");
    assert_eq!(error.to_string(), "these steps wait for each other for ever: `a` for `b`");

    let mut lost = Plan::new("lost");
    let [a, b, x] = ["a", "b", "x"].map(|label| lost.value(label));
    lost.begin_rank();
    lost.compute(a, &[(Role::Read, x)], NONE);
    let error = search(&lost, &Goal::default()).expect_err("nothing writes it");
    assert_eq!(error.to_string(), "rank 0: `a` reads `x`, which no step writes");
    lost.begin_rank();
    lost.compute(b, &[(Role::After, a), (Role::Write, x)], NONE);
    let error = search(&lost, &Goal::default()).expect_err("the other is on another rank");
    assert_eq!(error.to_string(), "rank 1: `b` runs after `a`, which is not on its rank");

    let endless = Goal { costs: Costs::new().others(u64::MAX), ..Goal::default() };
    let error = search(&pipeline(2, 1, false), &endless).expect_err("no sum fits");
    assert_eq!(
        error.to_string(),
        "the costs of all steps together do not fit into 62 bits: take a larger unit"
    );

    let communicates = comms::paired(&pipeline(2, 1, false)).expect("it can run");
    let error = search(&communicates, &Goal::default()).expect_err("it has communication");
    assert_eq!(
        error.to_string(),
        "rank 0, step 1 is communication: an order is searched for compute steps only"
    );
}
