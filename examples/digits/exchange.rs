//! Two copies of the model, each of which has seen half of the micro-batches, learn the same: the one adds up its gradients,
//! the other adds its own to that and sends the sum back. So they are added in the order of the micro-batches, as in one piece.

use counterpart::backend::Threads;
use counterpart::{Driver, Error, Read, StepResult, Write, schedule};

use crate::drive::Drive;
use crate::model::{LAYERS, Parameters, WIDTH};
use crate::rank::Rank;
use exchange::{Compute, Part, Tally, Total};

/// Numbers of the largest layer.
const NUMBERS: usize = WIDTH * WIDTH + WIDTH;
/// The rank that knows the score of a batch in the end.
pub const REPORTER: usize = 0;

schedule! {
    /// Stage `s` is on rank `s` for the first half of the micro-batches, and on rank `P - 1 - s` for the second.
    schedule Exchange(P, L);

    /// The gradient of layer `l` of stage `s`, summed over the first half.
    message Part[s, l]:  [f32; NUMBERS];
    /// The same over all of them.
    message Total[s, l]: [f32; NUMBERS];
    /// Loss and images recognised of the first half.
    message Tally: [f32; 2];

    compute begin(s in 0..P, l in 0..L) on s { writes Part[s, l]; }
    compute finish(s in 0..P, l in 0..L) on P - 1 - s { reads Part[s, l]; writes Total[s, l]; }
    compute end(s in 0..P, l in 0..L) on s { reads Total[s, l]; }
    compute tally on P - 1 { writes Tally; }
    compute count on 0 { reads Tally; }

    comms auto;

    rank r in 0..P {
        tally() if r == P - 1;
        for l in 0..L { begin(r, l); }
        for l in 0..L { finish(P - 1 - r, l); }
        for l in 0..L { end(r, l); }
        count() if r == 0;
    }

    instance Exchange<2, 4>;
    instance Exchange<4, 2>;
}

impl Compute for Rank {
    fn begin(&mut self, s: usize, l: usize, mut part: Write<'_, Part, Threads>) -> StepResult {
        self.add_gradients((s, l), 0..self.micro_batches() / 2);
        write(self.sum((s, l)), &mut part);
        Ok(())
    }

    fn finish(
        &mut self,
        s: usize,
        l: usize,
        part: Read<'_, Part, Threads>,
        mut total: Write<'_, Total, Threads>,
    ) -> StepResult {
        read(self.sum((s, l)), &part);
        self.add_gradients((s, l), self.micro_batches() / 2..self.micro_batches());
        write(self.sum((s, l)), &mut total);
        Ok(())
    }

    fn end(&mut self, s: usize, l: usize, total: Read<'_, Total, Threads>) -> StepResult {
        read(self.sum((s, l)), &total);
        Ok(())
    }

    fn tally(&mut self, mut tally: Write<'_, Tally, Threads>) -> StepResult {
        self.add_scores(0..self.micro_batches() / 2);
        // Counts of this size are exact.
        tally.copy_from_slice(&[self.score().loss, self.score().correct as f32]);
        Ok(())
    }

    fn count(&mut self, tally: Read<'_, Tally, Threads>) -> StepResult {
        (self.score().loss, self.score().correct) = (tally[0], tally[1] as usize);
        self.add_scores(self.micro_batches() / 2..self.micro_batches());
        Ok(())
    }
}

/// Weights first, biases after them; what is left of the message means nothing.
fn write(from: &Parameters, to: &mut [f32]) {
    to.iter_mut().zip(from.weight.iter().chain(&from.bias)).for_each(|(to, from)| *to = *from);
}

fn read(to: &mut Parameters, from: &[f32]) {
    to.weight.iter_mut().chain(&mut to.bias).zip(from).for_each(|(to, from)| *to = *from);
}

/// What takes the exchange of a rank.
///
/// # Errors
/// When there is none for so many ranks, or the driver cannot be made.
pub fn driver(ranks: usize, backend: &mut Threads) -> Result<Box<dyn Drive>, Error> {
    match ranks {
        2 => Ok(Box::new(Driver::<Exchange<2, { LAYERS / 2 }>, Threads>::new(backend)?)),
        4 => Ok(Box::new(Driver::<Exchange<4, { LAYERS / 4 }>, Threads>::new(backend)?)),
        other => Err(Error::Usage(format!("there is no exchange between {other} ranks"))),
    }
}
