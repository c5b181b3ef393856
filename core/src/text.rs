//! Text that can be built in const evaluation, where `format!` cannot.

/// Bytes that a [`Text`] holds; what does not fit is cut off.
const CAPACITY: usize = 6144;

/// A text of bounded length, built piece by piece. A fault is worded in one place for rustc, the macro and the
/// library alike, so the wording must work in const evaluation.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Default for Text {
    fn default() -> Self {
        Text::new()
    }
}

impl Text {
    /// An empty text.
    pub const fn new() -> Text {
        Text { bytes: [0; CAPACITY], len: 0 }
    }

    /// Appends `s` whole, or nothing when it does not fit.
    pub const fn str(&mut self, s: &str) {
        let s = s.as_bytes();
        if self.len + s.len() > CAPACITY {
            return;
        }
        let mut i = 0;
        while i < s.len() {
            self.bytes[self.len] = s[i];
            self.len += 1;
            i += 1;
        }
    }

    /// Appends a number in decimal.
    pub const fn num(&mut self, n: u64) {
        let mut digit = 1;
        while n / digit >= 10 {
            digit *= 10;
        }
        while digit > 0 && self.len < CAPACITY {
            self.bytes[self.len] = b'0' + (n / digit % 10) as u8;
            self.len += 1;
            digit /= 10;
        }
    }

    /// Appends a number in decimal, with its sign where it is negative.
    pub const fn int(&mut self, n: i64) {
        if n < 0 {
            self.str("-");
        }
        self.num(n.unsigned_abs());
    }

    /// Is there nothing in it?
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(s) => s,
            Err(_) => "",
        }
    }
}

/// Panics with the text: in const evaluation, the compile error.
///
/// # Panics
/// Always.
#[track_caller]
pub const fn stop(text: &Text) -> ! {
    panic!("{}", text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        let mut t = Text::new();
        t.num(0);
        t.str(" ");
        t.num(u64::MAX);
        t.str(" ");
        t.int(-70);
        assert_eq!(t.as_str(), "0 18446744073709551615 -70");
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let mut t = Text::new();
        for _ in 0..2000 {
            t.str("word");
        }
        t.num(12345);
        assert_eq!(t.as_str().len(), CAPACITY);
    }
}
