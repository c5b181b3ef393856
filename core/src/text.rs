//! Text that can be built in const evaluation, where `format!` cannot.

/// Bytes that a [`Text`] holds; where more is appended, it ends in [`CUT`].
const CAPACITY: usize = 6144;
const CUT: &[u8] = "…".as_bytes();

/// A text of bounded length, built piece by piece. A fault is worded in one place for rustc, the macro and the
/// library alike, so the wording must work in const evaluation.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; CAPACITY],
    len: usize,
    is_cut: bool,
}

impl Default for Text {
    fn default() -> Self {
        Text::new()
    }
}

impl Text {
    /// An empty text.
    pub const fn new() -> Text {
        Text { bytes: [0; CAPACITY], len: 0, is_cut: false }
    }

    /// Appends `s` whole. Where it does not fit, the text ends before it, and takes nothing more.
    pub const fn str(&mut self, s: &str) {
        self.append(s.as_bytes());
    }

    const fn append(&mut self, s: &[u8]) {
        let fits = self.len + s.len() + CUT.len() <= CAPACITY;
        let s = match (self.is_cut, fits) {
            (true, _) => return,
            (false, true) => s,
            (false, false) => CUT,
        };
        self.is_cut = !fits;
        let mut i = 0;
        while i < s.len() {
            self.bytes[self.len] = s[i];
            self.len += 1;
            i += 1;
        }
    }

    /// Appends a number in decimal.
    pub const fn num(&mut self, n: u64) {
        let mut digits = [0; 20];
        let (mut first, mut rest) = (digits.len(), n);
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.append(digits.split_at(first).1);
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
        t.num(1);
        assert_eq!(t.as_str(), format!("{}…", "word".repeat((CAPACITY - 3) / 4)));
    }
}
