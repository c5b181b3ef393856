//! What `schedule!` leaves in place of itself, as a golden file that is compiled as well.
//!
//! `BLESS=1 cargo test --test expansion` writes the file anew; look at the difference before committing.

use std::fs;

use counterpart::{Peak, Schedule};
use proc_macro2::{Group, Punct, Spacing, TokenStream, TokenTree};

/// The golden file as it stands: what a person reads there is what rustc proves.
mod golden {
    include!("expansion/pipeline.rs");
}

const SOURCE: &str = include_str!("expansion/pipeline.txt");
const EXPANSION: &str = include_str!("expansion/pipeline.rs");

#[test]
fn the_expansion_is_as_written_down() {
    let compiled = counterpart_lang::compile(SOURCE.parse().unwrap(), "pipeline.txt");
    assert!(compiled.errors.is_empty());
    let found = pretty(compiled.into_tokens());
    if std::env::var_os("BLESS").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expansion/pipeline.rs"), &found).unwrap();
    } else {
        assert!(found == EXPANSION, "BLESS=1 writes the golden file anew; the expansion now is\n{found}");
    }
}

#[test]
fn the_expansion_fits_two_screens() {
    let lines = EXPANSION.lines().count();
    assert!(lines <= 120, "{lines} lines");
}

#[test]
fn the_expansion_is_a_schedule() {
    type Pipeline = golden::Pipeline<8>;
    let plan = <Pipeline as Schedule>::plan();
    assert_eq!((plan.ranks(), plan.steps(0).len(), plan.steps(1).len()), (2, 8 * 4, 8 * 3));
    assert_eq!(Pipeline::PEAK.iter().map(Peak::bytes).collect::<Vec<_>>(), [2 * 32 * 64 * 4; 2]);
}

/// Formatted. A formatter leaves alone what stands in the brackets of a macro, so lists of types pass as `HList<…>`.
fn pretty(expansion: TokenStream) -> String {
    let text = with_angles(expansion).to_string();
    with_brackets(&prettyplease::unparse(&syn::parse_file(&text).expect("the expansion is Rust")))
}

/// `HList![…]` to `HList<…>`.
fn with_angles(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            out.push(token);
            continue;
        };
        let inner = with_angles(group.stream());
        let [.., TokenTree::Ident(name), TokenTree::Punct(_)] = &out[..] else {
            out.push(Group::new(group.delimiter(), inner).into());
            continue;
        };
        if name == "HList" {
            out.pop();
            out.push(Punct::new('<', Spacing::Alone).into());
            out.extend(inner);
            out.push(Punct::new('>', Spacing::Alone).into());
        } else {
            out.push(Group::new(group.delimiter(), inner).into());
        }
    }
    out.into_iter().collect()
}

/// `HList<…>` to `HList![…]`.
fn with_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '<' => {
                open.push(out.ends_with("HList"));
                out.push_str(if out.ends_with("HList") { "![" } else { "<" });
            }
            '>' if !out.ends_with(['-', '=']) => {
                let is_list = open.pop().expect("every `>` closes a `<`");
                out.push(if is_list { ']' } else { '>' });
            }
            _ => out.push(c),
        }
    }
    out
}
