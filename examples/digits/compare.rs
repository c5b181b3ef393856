//! Two loss curves, bit for bit.

use core::fmt;

/// How far two curves agree.
#[derive(Debug, PartialEq)]
pub enum Agreement {
    /// Every value of the one has the bits of the other.
    Identical {
        /// Values in each.
        steps: usize,
    },
    /// They differ.
    Different {
        /// Values in each.
        steps: usize,
        /// How many of them differ.
        differing: usize,
        /// The first one, from 1, and both its values.
        first: (usize, f32, f32),
        /// The largest difference.
        largest: f32,
    },
}

impl Agreement {
    /// Compares two curves of the same length.
    pub fn of(a: &[f32], b: &[f32]) -> Agreement {
        let steps = a.len().min(b.len());
        let mut pairs = (1..).zip(a).zip(b).filter(|((_, a), b)| a.to_bits() != b.to_bits()).peekable();
        match pairs.peek() {
            None => Agreement::Identical { steps },
            Some(&((step, &x), &y)) => {
                let gaps: Vec<f32> = pairs.map(|((_, a), b)| (a - b).abs()).collect();
                let largest = gaps.iter().copied().fold(0.0, f32::max);
                Agreement::Different { steps, differing: gaps.len(), first: (step, x, y), largest }
            }
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Agreement::Identical { steps } => write!(f, "identical to the last bit over {steps} steps"),
            Agreement::Different { steps, differing, first: (step, x, y), largest } => write!(
                f,
                "{differing} of {steps} steps differ, by up to {largest:e}; the first is step {step}, {x:e} and {y:e}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_counts() {
        let a = [2.0, 1.0, 0.5];
        let b = [2.0, f32::from_bits(1.0_f32.to_bits() + 1), 0.5];
        assert_eq!(Agreement::of(&a, &a), Agreement::Identical { steps: 3 });
        let found = Agreement::of(&a, &b);
        assert_eq!(
            found,
            Agreement::Different { steps: 3, differing: 1, first: (2, 1.0, b[1]), largest: f32::EPSILON }
        );
        assert_eq!(
            found.to_string(),
            "1 of 3 steps differ, by up to 1.1920929e-7; the first is step 2, 1e0 and 1.0000001e0"
        );
    }
}
