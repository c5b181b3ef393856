//! What ran: the schedule in numbers.

use std::fmt;

use counterpart::Peak;
use counterpart::core::Plan;

/// A schedule in numbers.
#[derive(Debug)]
pub struct Summary {
    name: String,
    transfers: usize,
    bytes: u64,
    peak: &'static [Peak],
}

impl Summary {
    /// The numbers of a schedule, from the schedule as data and the buffers of each rank.
    pub fn new(plan: &Plan, peak: &'static [Peak]) -> Summary {
        let steps = (0..plan.ranks()).flat_map(|rank| plan.steps(rank));
        let sends: Vec<_> = steps.flat_map(|step| plan.items(step)).filter(|item| item.send).collect();
        let bytes = sends.iter().map(|item| item.payload.bytes()).sum();
        Summary { name: plan.name.clone(), transfers: sends.len(), bytes, peak }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { name, transfers, bytes, peak } = self;
        write!(f, "{name} ran on {} ranks: {transfers} transfers in every step, ", peak.len())?;
        write!(f, "{} KiB", bytes / 1024)?;
        for (rank, peak) in peak.iter().enumerate() {
            let counts: Vec<_> = peak.buffers.iter().map(|b| format!("{} {}", b.count, b.family)).collect();
            match counts.is_empty() {
                true => write!(f, "\n  rank {rank} needs no buffers")?,
                false => write!(
                    f,
                    "\n  rank {rank} needs buffers for {} at its peak, {} KiB",
                    counts.join(" and "),
                    peak.bytes() / 1024
                )?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::OneF1B;
    use counterpart::Schedule;

    fn text<S: Schedule>() -> String {
        Summary::new(&S::plan(), S::PEAK).to_string()
    }

    #[test]
    fn a_schedule_in_numbers() {
        let expected = "\
OneF1B<3, 4> ran on 3 ranks: 16 transfers in every step, 128 KiB
  rank 0 needs buffers for 1 Act and 1 Grad at its peak, 16 KiB
  rank 1 needs buffers for 3 Act and 2 Grad at its peak, 40 KiB
  rank 2 needs buffers for 1 Act and 1 Grad at its peak, 16 KiB";
        assert_eq!(text::<OneF1B<3, 4>>(), expected);
        let alone = text::<OneF1B<1, 4>>();
        assert!(alone.ends_with("0 transfers in every step, 0 KiB\n  rank 0 needs no buffers"), "{alone}");
    }
}
