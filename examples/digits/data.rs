//! The handwritten digits: loading, splitting, and cutting batches.

use flate2::read::GzDecoder;
use ndarray::{Array2, ArrayView2, Axis, Slice};

use crate::Result;

/// Pixels of an image, 8 rows of 8.
pub const PIXELS: usize = 64;
/// The digits 0 to 9.
pub const CLASSES: usize = 10;
/// Images in a micro-batch.
pub const ROWS: usize = 8;

const BRIGHTEST: u8 = 16;
/// One image in five is kept for the test.
const TEST_SHARE: usize = 5;
const FILE: &[u8] = include_bytes!("data/digits.csv.gz");

/// Images with their labels.
#[derive(Clone, Debug, Default)]
pub struct Digits {
    /// One image a row, pixels from 0 to 1.
    pub images: Array2<f32>,
    /// The digit on each image.
    pub labels: Vec<usize>,
}

/// The images of one micro-batch, `[ROWS, PIXELS]`, and their labels.
pub type MicroBatch<'a> = (ArrayView2<'a, f32>, &'a [usize]);

impl Digits {
    /// All 1,797 images.
    pub fn load() -> Result<Digits> {
        let mut lines = csv::ReaderBuilder::new().has_headers(false).from_reader(GzDecoder::new(FILE));
        let mut pixels = Vec::new();
        let mut labels = Vec::new();
        for (number, line) in lines.deserialize().enumerate() {
            let mut line: Vec<u8> = line?;
            let label = line.pop().unwrap_or(u8::MAX);
            if line.len() != PIXELS || usize::from(label) >= CLASSES || line.iter().any(|&p| p > BRIGHTEST) {
                return Err(format!("line {} of the digits is not 64 pixels and a digit", number + 1).into());
            }
            pixels.extend(line.iter().map(|&p| f32::from(p) / f32::from(BRIGHTEST)));
            labels.push(label.into());
        }
        Ok(Digits { images: Array2::from_shape_vec((labels.len(), PIXELS), pixels)?, labels })
    }

    /// Draws one image in five for the test, and returns the rest and the test set.
    pub fn split(&self, rng: &mut fastrand::Rng) -> (Digits, Digits) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        rng.shuffle(&mut order);
        let (test, train) = order.split_at(self.len() / TEST_SHARE);
        (self.select(train), self.select(test))
    }

    /// The batches of one epoch in random order, each of `micro_batches` micro-batches. The images that do not fill
    /// a last batch are left out; the next epoch leaves out others.
    pub fn batches(&self, micro_batches: usize, rng: &mut fastrand::Rng) -> Vec<Digits> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        rng.shuffle(&mut order);
        order.chunks_exact(micro_batches * ROWS).map(|rows| self.select(rows)).collect()
    }

    /// Micro-batch `m` of a batch.
    ///
    /// # Panics
    /// When the batch has fewer micro-batches.
    pub fn micro_batch(&self, m: usize) -> MicroBatch<'_> {
        let rows = m * ROWS..(m + 1) * ROWS;
        (self.images.slice_axis(Axis(0), Slice::from(rows.clone())), &self.labels[rows])
    }

    /// The number of images.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    fn select(&self, rows: &[usize]) -> Digits {
        Digits {
            images: self.images.select(Axis(0), rows),
            labels: rows.iter().map(|&row| self.labels[row]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_images_load() {
        let digits = Digits::load().unwrap();
        assert_eq!(digits.len(), 1797);
        assert_eq!(digits.images.dim(), (1797, PIXELS));
        assert!(digits.images.iter().all(|p| (0.0..=1.0).contains(p)));
        assert_eq!(digits.labels[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(digits.images[[0, 2]], 5.0 / 16.0);
    }

    #[test]
    fn split_keeps_every_image_once() {
        let digits = Digits::load().unwrap();
        let (train, test) = digits.split(&mut fastrand::Rng::with_seed(7));
        assert_eq!((train.len(), test.len()), (1438, 359));
        let sum = |d: &Digits| d.labels.iter().sum::<usize>();
        assert_eq!(sum(&train) + sum(&test), sum(&digits));
    }

    #[test]
    fn batches_are_full_and_follow_the_seed() {
        let digits = Digits::load().unwrap();
        let draw = |seed| digits.batches(8, &mut fastrand::Rng::with_seed(seed));
        let (a, b, c) = (draw(1), draw(1), draw(2));
        assert_eq!(a.len(), 1797 / 64);
        assert!(a.iter().all(|batch| batch.len() == 64));
        assert_eq!(a[0].images, b[0].images);
        assert_ne!(a[0].images, c[0].images);
        let (images, labels) = a[0].micro_batch(7);
        assert_eq!((images.dim(), labels), ((ROWS, PIXELS), &a[0].labels[56..]));
    }
}
