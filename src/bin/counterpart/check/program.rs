//! A few steps of the ranks that a fault is about, in words.

use std::io::Write;

use anstyle::Style;

use crate::input::Subject;
use crate::report::failure::Failure;
use crate::report::plain;

/// Steps that are shown before and after one that is at fault.
const AROUND: usize = 2;

/// The surroundings of each of these steps, given by rank and number, with a mark at the step. Two that are close to each
/// other have theirs together.
pub fn write(out: &mut impl Write, subject: &Subject, spots: &[(usize, usize)]) -> Result<(), Failure> {
    let mut left = spots.to_vec();
    while let Some(&(rank, step)) = left.first() {
        let is_near = |spot: &(usize, usize)| spot.0 == rank && spot.1.abs_diff(step) <= 2 * AROUND + 1;
        let marked: Vec<usize> = left.extract_if(.., |spot| is_near(spot)).map(|(_, step)| step).collect();
        let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
        writeln!(out, "  {dim}rank {rank}{dim:#}")?;
        let first = marked.iter().min().unwrap_or(&step).saturating_sub(AROUND);
        let last = marked.iter().max().unwrap_or(&step).saturating_add(AROUND);
        for at in first..=last {
            let Some(words) = subject.plan.words(rank, at) else { continue };
            match marked.contains(&at) {
                true => writeln!(out, "  {bold}> {at:>5}  {}{bold:#}", plain(&words))?,
                false => writeln!(out, "    {at:>5}  {}", plain(&words))?,
            }
        }
    }
    Ok(())
}
