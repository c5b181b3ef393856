//! Schedules of the field, and those of the language's own tests.

use std::fs;
use std::path::Path;

use counterpart_lang::compile;
use counterpart_testkit::schedules;

use super::compare::check;

#[test]
fn schedules_of_the_language() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schedules");
    let mut found = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let compiled = compile(fs::read_to_string(path).unwrap().parse().unwrap(), "source.txt");
            for instance in &compiled.instances {
                check(&instance.plan);
                found += 1;
            }
        }
    }
    assert!(found >= 5);
}

#[test]
fn schedules_of_the_field() {
    for (p, m) in [(2, 1), (2, 2), (3, 5), (4, 8), (8, 32)] {
        check(&schedules::one_f1b(p, m));
        check(&schedules::gpipe(p, m));
    }
    for (p, v, m) in [(2, 2, 2), (4, 2, 8), (3, 3, 6)] {
        check(&schedules::interleaved(p, v, m));
    }
    (2..9).for_each(|p| drop(check(&schedules::ring(p))));
}

#[test]
fn a_pipeline_reads_well() {
    let printed = check(&schedules::one_f1b(8, 32));
    let wanted = "\
compute backward(s in 0..8, m in 0..32) {
    after  forward[s, m];
    reads  Grad[s + 1, m] if s < 7;
    writes Grad[s, m]     if s > 0;
}
";
    assert!(printed.body.contains(wanted), "{}", printed.body);
    let wanted = "\
rank r in 1..6 {
    for m in 0..7 - r {
        recv Act[r, m] from r - 1;
        forward(r, m);
        send Act[r + 1, m] to r + 1;
    }
";
    assert!(printed.body.contains(wanted), "{}", printed.body);
    assert!(printed.body.lines().count() < 110, "{}", printed.body);
}

#[test]
fn a_long_schedule_takes_no_longer_than_it_should() {
    let printed = check(&schedules::interleaved(16, 4, 64));
    assert!(printed.body.len() < 1 << 20);
}
