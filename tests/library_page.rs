//! `docs/schedules.md` is made of the texts of the library. `BLESS=1 cargo test --test library_page` writes it anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use counterpart_lang::library::{ENTRIES, Entry};

const HEAD: &str = "\
The library of schedules. Each is written in the language of `schedule!` and proven at the sizes that are
asked for:

```
counterpart::schedule! {
    /// The schedule of our trainer.
    pub schedule Training = ZBV;
    message Act[s, m]:  [f32; 32, 64];
    message Grad[s, m]: [f32; 32, 64];
    instance Training<4, 8>;
}
# fn main() {}
```

`counterpart schedule zbv p=4 m=8 -o plan.json` makes a plan of one, or a table, or a program that can be changed;
`counterpart schedules zbv` shows its text. P is the number of ranks, V of stages on each, M of micro-batches. F is the time
of a forward, B of a backward, which is made of I, the gradient of the input, and W, that of the weights; where a rank has
several stages, these are the times of one of them, a chunk. Formulas are for transfers that take no time. A picture shows
when each compute step runs if all take the same time: kind, micro-batch, and stage of the rank, `a` being its first.

";

/// The documentation of a schedule, as it stands in its text.
fn documentation(entry: &Entry) -> String {
    let lines = entry.text.lines().skip(1).map_while(|line| line.trim_start().strip_prefix("///"));
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for entry in ENTRIES {
        let params = entry.params().into_iter().map(|(name, default)| match default {
            Some(default) => format!("{name} = {default}"),
            None => name,
        });
        let params: Vec<String> = params.collect();
        let _ = write!(
            page,
            "# {}: `{}({})`\n\n{}\n",
            entry.name,
            entry.schedule,
            params.join(", "),
            documentation(entry)
        );
    }
    page.trim_end().to_owned() + "\n"
}

#[test]
fn the_page_is_what_the_library_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schedules.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, page()).expect("it can be written");
    }
    assert!(
        fs::read_to_string(path).expect("the page") == page(),
        "write docs/schedules.md anew with BLESS=1"
    );
}
