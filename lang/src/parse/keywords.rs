//! The words that items and statements begin with.

/// Of items.
pub const ITEMS: &[&str] = &[
    "model", "let", "require", "fn", "message", "compute", "memory", "cost", "comms", "order", "rank",
    "instance",
];

/// Of statements.
pub const STATEMENTS: &[&str] =
    &["let", "for", "while", "if", "send", "recv", "batch", "overlap", "defer", "resume"];
