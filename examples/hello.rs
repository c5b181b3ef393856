//! Two ranks, each a thread: rank 0 asks, rank 1 answers.
//!
//! ```text
//! cargo run --example hello
//! ```
//!
//! Take out one of the two lines about `Answer` in the programs of the ranks, or swap those of rank 0: it no longer
//! compiles.
#![forbid(unsafe_code)]

use counterpart::backend::threads::{self, Config};
use counterpart::backend::{Backend, Threads};
use counterpart::{Driver, Error, Read, StepResult, Write, schedule};

schedule! {
    /// A question and its answer.
    schedule Hello;

    message Question: [f64; 3];
    message Answer:   [f64; 1];

    compute ask()    { writes Question; }
    compute answer() { reads Question; writes Answer; }
    compute listen() { reads Answer; }

    rank 0 {
        ask();
        send Question to 1;
        recv Answer from 1;
        listen();
    }
    rank 1 {
        recv Question from 0;
        answer();
        send Answer to 0;
    }
}

use hello::{Answer, Question};

/// What a rank knows.
#[derive(Default)]
struct Rank {
    heard: Option<f64>,
}

impl hello::Compute for Rank {
    fn ask(&mut self, mut question: Write<'_, Question, Threads>) -> StepResult {
        question.copy_from_slice(&[1.0, 2.0, 3.0]);
        Ok(())
    }

    fn answer(
        &mut self,
        question: Read<'_, Question, Threads>,
        mut answer: Write<'_, Answer, Threads>,
    ) -> StepResult {
        answer[0] = question.iter().sum();
        Ok(())
    }

    fn listen(&mut self, answer: Read<'_, Answer, Threads>) -> StepResult {
        self.heard = Some(answer[0]);
        Ok(())
    }
}

/// What each rank has heard.
fn run() -> Result<Vec<Option<f64>>, Error> {
    threads::run(2, Config::new(), |mut backend| {
        let mut rank = Rank::default();
        Driver::<Hello, _>::new(&mut backend)?.run(&mut backend, &mut rank)?;
        backend.finish()?;
        Ok(rank.heard)
    })
}

fn main() -> Result<(), Error> {
    println!("1 + 2 + 3 = {:?}", run()?[0]);
    Ok(())
}

#[test]
fn the_answer_arrives() {
    assert_eq!(run().unwrap(), [Some(6.0), None]);
}
