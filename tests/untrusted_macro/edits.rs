//! The expansion of a schedule with one edit, as a broken macro would leave it.

use crate::rustc;

/// What is replaced in the expansion, by what, and what rustc says then.
type Edit<'a> = (&'a str, &'a str, &'a str, &'a str);

const EDITS: [Edit; 14] = [
    (
        "a send is lost",
        "Send<Rank<1>, Val<Act, (Ix<0>,)>>,",
        "",
        "mismatch: rank 1, step 0: expects `Act[0]`, but rank 0, step 2 sends `Act[1]`",
    ),
    (
        "an index is off by one",
        "Recv<Rank<0>, Val<Act, (Ix<1, 1>,)>>",
        "Recv<Rank<0>, Val<Act, (Ix<2, 1>,)>>",
        "mismatch: rank 1, step 2: expects `Act[2]`, but rank 0, step 3 sends `Act[1]`",
    ),
    (
        "a stride is off by one",
        "Batch<HList ! [Send<Rank<1>, Val<Act, (Ix<1, 1>,)>>",
        "Batch<HList ! [Send<Rank<1>, Val<Act, (Ix<1, 2>,)>>",
        "mismatch: rank 1, step 4: expects `Act[2]`, but rank 0, step 6 sends `Act[3]`",
    ),
    (
        "two values are mixed up",
        "Recv<Rank<1>, Val<Grad, (Ix<3>,)>>",
        "Recv<Rank<1>, Val<Act, (Ix<3>,)>>",
        "mismatch: rank 0, step 11: expects `Act[3]`, but rank 1, step 8 sends `Grad[3]`",
    ),
    (
        "a loop turns once too little",
        "Repeat<Times<3>",
        "Repeat<Times<2>",
        "mismatch: rank 0, step 8: expects `Grad[3]`, but rank 1, step 6 sends `Grad[2]`",
    ),
    (
        "a peer is off by one",
        "Send<Rank<1>, Val<Act, (Ix<0>,)>>",
        "Send<Rank<2>, Val<Act, (Ix<0>,)>>",
        "peer: rank 0, step 1: `send Act[0] to 2`: there is no rank 2, the ranks are 0..2",
    ),
    (
        "a batch is taken apart",
        "Batch<HList ! [Send<Rank<0>, Val<Grad, (Ix<0, 1>,)>>, Recv<Rank<0>, Val<Act, (Ix<1, 1>,)>>]>",
        "Send<Rank<0>, Val<Grad, (Ix<0, 1>,)>>, Recv<Rank<0>, Val<Act, (Ix<1, 1>,)>>",
        "batch: rank 0, step 3: the batch does not balance",
    ),
    (
        "two steps are swapped",
        "Compute<first, (Ix<0>,), HList ! [Writes<Val<Act, (Ix<0>,)>>]>, Send<Rank<1>, Val<Act, (Ix<0>,)>>",
        "Send<Rank<1>, Val<Act, (Ix<0>,)>>, Compute<first, (Ix<0>,), HList ! [Writes<Val<Act, (Ix<0>,)>>]>",
        "dataflow: rank 0, step 0: `send Act[0] to 1`: `Act[0]` is not there yet",
    ),
    (
        "the ranks are swapped",
        "Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>",
        "Program<Rank<1>, Rank1>, Program<Rank<0>, Rank0>",
        "the program of rank 1 stands where that of rank 0 belongs",
    ),
    (
        "the programs are swapped",
        "Program<Rank<0>, Rank0>, Program<Rank<1>, Rank1>",
        "Program<Rank<0>, Rank1>, Program<Rank<1>, Rank0>",
        "peer: rank 0, step 0: `recv Act[0] from 0`: a rank cannot exchange with itself",
    ),
    (
        "a write is left out",
        "HList ! [Writes<Val<Act, (Ix<0>,)>>]",
        "HList ! [Absent]",
        "dataflow: rank 0, step 1: `send Act[0] to 1`: `Act[0]` is not there yet",
    ),
    (
        "a read is left out",
        "HList ! [Reads<Val<Grad, (Ix<3>,)>>]",
        "HList ! [Absent]",
        "dataflow: rank 0, step 11: `recv Grad[3] from 1`: no later step of this rank reads or sends it",
    ),
    (
        "a compute step runs for the wrong micro-batch",
        "Compute<update, (Ix<3>,)",
        "Compute<update, (Ix<2>,)",
        "coverage: rank 0, step 12: `update[2]` runs a second time, rank 0, step 10 ran it already",
    ),
    (
        "the proof is left out",
        "const PROOF : :: counterpart :: Proof<Self> = :: counterpart :: Proof :: new () ;",
        "",
        "not all trait items implemented, missing: `PROOF`",
    ),
];

/// The expansion as text in which types are written as people do.
fn expansion() -> String {
    let source = include_str!("exchange.txt").parse().expect("the source consists of Rust tokens");
    let tokens = counterpart_lang::compile(source, "exchange.txt").into_tokens().to_string();
    tokens.replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}

#[test]
fn rustc_refuses_each() {
    let honest = expansion();
    assert!(rustc::errors("honest", &honest).is_empty());
    for (what, from, to, expected) in EDITS {
        assert!(honest.contains(from), "{what}: there is no `{from}` in\n{honest}");
        let errors = rustc::errors("edited", &honest.replacen(from, to, 1));
        let said: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
        assert!(said.iter().any(|message| message.contains(expected)), "{what}: {expected}\n{said:#?}");
    }
}
