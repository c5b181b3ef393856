//! Tables that are none.

use super::{Changes, Text};

pub fn malformed() -> Vec<Text> {
    let mut changes = Changes::of("table", "swapped.csv");
    changes.never();
    let good = changes.good.clone();
    let is_end = |at: usize| good.get(at).is_none_or(|byte| b",\n".contains(byte));
    let begins = (0..good.len()).filter(|&at| !is_end(at) && (at == 0 || is_end(at - 1)));
    for begin in begins {
        let end = (begin..).find(|&at| is_end(at)).unwrap();
        for junk in ["x", "-", "1.5F0 ", "F", "(", "SEND", "\u{1F600}", "0F0;", "99999999999999999999"] {
            changes.replace(begin..begin, junk);
        }
        for junk in ["x", "!", " F", "_", "(", ";", "B", ".0", "99999999999"] {
            changes.replace(end..end, junk);
        }
        for cell in
            ["0B", "0UNSHARD5", "(0F1;)OVERLAP_F_B", "(0F1;1F1", "0SEND_W0", "16777216F0", "0F16777216"]
        {
            changes.replace(begin..end, cell);
        }
        // Every micro-batch in this table has one digit, so a cell that ends too soon has none.
        for at in begin + 1..end {
            changes.add(format!("the first {at} bytes"), &good[..at]);
            changes.replace(at..end, "");
        }
        for at in (begin..end).filter(|&at| good[at].is_ascii_alphabetic() || good[at] == b'_') {
            let byte = char::from(good[at]);
            changes.replace(at..at, &byte.to_string());
            changes.replace(at..at + 1, &byte.to_ascii_lowercase().to_string().replace('_', "-"));
        }
    }
    changes.texts
}
