//! Which of the declared uses of a compute step are there.

use std::collections::HashMap;

/// Lists of masks, one mask for each part of a compute step, each list stored once. List 0 is empty.
#[derive(Debug)]
pub struct Masks {
    list: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
}

impl Default for Masks {
    fn default() -> Masks {
        Masks { list: vec![Vec::new()], numbers: HashMap::from([(Vec::new(), 0)]) }
    }
}

impl Masks {
    /// The number of a list.
    pub fn number(&mut self, masks: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(masks) {
            return number;
        }
        self.list.push(masks.to_vec());
        self.numbers.insert(masks.to_vec(), self.list.len() as u32 - 1);
        self.list.len() as u32 - 1
    }

    /// All lists.
    pub fn into_list(self) -> Vec<Vec<u32>> {
        self.list
    }
}
