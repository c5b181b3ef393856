//! Every rank exchanges with every other in one batch of ten, more than a driver keeps on its stack.

use counterpart::backend::Backend;
use counterpart::backend::threads::{self, Config, Threads};
use counterpart::{Read, Schedule, StepResult, Write};

counterpart::schedule! {
    /// All ranks to all others.
    schedule Exchange();

    message Part[from, to]: [u64; 2];

    compute fill(r in 0..6) {
        writes Part[r, (r + 1) % 6];
        writes Part[r, (r + 2) % 6];
        writes Part[r, (r + 3) % 6];
        writes Part[r, (r + 4) % 6];
        writes Part[r, (r + 5) % 6];
    }
    compute check(r in 0..6) {
        reads Part[(r + 1) % 6, r];
        reads Part[(r + 2) % 6, r];
        reads Part[(r + 3) % 6, r];
        reads Part[(r + 4) % 6, r];
        reads Part[(r + 5) % 6, r];
    }

    rank r in 0..6 {
        fill(r);
        batch {
            for q in 0..6 {
                send Part[r, q] to q if q != r;
                recv Part[q, r] from q if q != r;
            }
        }
        check(r);
    }
}

type Out<'a> = Write<'a, exchange::Part, Threads>;
type In<'a> = Read<'a, exchange::Part, Threads>;

struct Rank;

impl exchange::Compute for Rank {
    fn fill(&mut self, r: usize, a: Out<'_>, b: Out<'_>, c: Out<'_>, d: Out<'_>, e: Out<'_>) -> StepResult {
        for (far, mut part) in (1..).zip([a, b, c, d, e]) {
            part.copy_from_slice(&[r as u64, (r as u64 + far) % 6]);
        }
        Ok(())
    }

    fn check(&mut self, r: usize, a: In<'_>, b: In<'_>, c: In<'_>, d: In<'_>, e: In<'_>) -> StepResult {
        for (far, part) in (1..).zip([a, b, c, d, e]) {
            assert_eq!(*part, [(r as u64 + far) % 6, r as u64]);
        }
        Ok(())
    }
}

#[test]
fn every_part_arrives() {
    threads::run(6, Config::new(), |mut backend: Threads| {
        let mut driver = Exchange::PROOF.driver(&mut backend)?;
        assert_eq!(driver.buffers(), 10);
        for _ in 0..2 {
            driver.run(&mut backend, &mut Rank)?;
        }
        backend.finish()
    })
    .unwrap();
}
