//! What is wrong must neither stop the parser nor hide the rest, and must never panic.

use counterpart_lang::compile;
use proc_macro2::{TokenStream, TokenTree};

#[test]
fn what_could_be_read_is_in_the_tree() {
    let source = "/// Documented.
        pub(crate) schedule Broken(P, 3);
        message Act[s, m]: [f32; 4];
        mesage Lost[s]: [f32; 4];
        message Grad[s, m]: [float; 4];
        compute forward(s in 0..P) { reads Act[s]; writse Act[s]; after forward[s] }
        compute backward(s) { writes Grad[ }
        rank r in 0..P { send Act[r] too 1; }
        instance Broken<4;
        message Late: [u8; 1];";
    let source = source.replace("Grad[ }", "Grad[] }");
    let compiled = compile(source.parse().unwrap(), "broken.txt");
    let schedule = compiled.schedule.expect("the header has a name");
    assert_eq!(schedule.name, "Broken");
    assert_eq!(schedule.attrs.len(), 1);
    let messages: Vec<String> = schedule.messages.iter().map(|m| m.name.to_string()).collect();
    assert_eq!(messages, ["Act", "Late"]);
    let computes: Vec<String> = schedule.computes.iter().map(|c| c.name.to_string()).collect();
    assert_eq!(computes, ["forward", "backward"]);
    assert_eq!(schedule.computes[0].uses.len(), 2);
    let lines: Vec<usize> = compiled.errors.iter().map(|error| error.place.line()).collect();
    assert_eq!(lines, [2, 4, 5, 6, 6, 7, 8, 9]);
}

#[test]
fn every_error_is_a_compile_error_at_its_place() {
    let source = "schedule S(P);\nmodel fast;\nmodel slow;\nrank 0 { }";
    let errors = compile(source.parse().unwrap(), "s.txt").errors;
    let tokens: Vec<TokenTree> = errors.into_tokens().into_iter().collect();
    let texts: Vec<String> =
        tokens.chunks(8).map(|call| TokenStream::from_iter(call.to_vec()).to_string()).collect();
    assert_eq!(texts.len(), 2);
    for (text, line) in texts.iter().zip([2, 3]) {
        assert!(text.starts_with(":: core :: compile_error ! { \"expected a channel"), "{text}");
        let at = tokens[(line - 2) * 8].span().start();
        assert_eq!((at.line, at.column), (line, 6));
    }
}

/// Every schedule with one token left out, doubled, or swapped with the next.
#[test]
fn no_mistake_of_one_token_panics() {
    let sources = [include_str!("schedules/language.txt"), include_str!("schedules/one_f1b.txt")];
    let mut parsed = 0;
    for source in sources {
        let source = source.replace("<4, 8>", "<2, 3>").replace("<4, 2>", "<3, 1>");
        let text = source.parse::<TokenStream>().unwrap().to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        for i in 0..words.len() {
            let (before, after) = words.split_at(i);
            let next = after.get(1).copied().unwrap_or_default();
            let rest = after.get(2..).unwrap_or_default();
            for middle in [vec![next], vec![after[0], after[0], next], vec![next, after[0]]] {
                let mutant = [before, &middle, rest].concat().join(" ");
                // Brackets must still be balanced.
                let Ok(tokens) = mutant.parse::<TokenStream>() else { continue };
                parsed += 1;
                let errors = compile(tokens, "mutant.txt").errors;
                assert!(errors.iter().all(|error| !error.message.text.is_empty()));
            }
        }
    }
    assert!(parsed > 1_000, "{parsed}");
}
