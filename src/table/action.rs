//! Actions: what a cell says.

use core::fmt;

use counterpart_core::value::INDEX_LIMIT;

use super::error::shown;

/// What is done with a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `F`: forward.
    Forward,
    /// `B`: the whole backward, gradients of input and weights.
    Backward,
    /// `I`: the gradient of the input.
    InputGrad,
    /// `W`: the gradient of the weights.
    WeightGrad,
    /// `SEND_F`: activations leave the stage.
    SendForward,
    /// `RECV_F`: activations enter the stage.
    RecvForward,
    /// `SEND_B`: gradients leave the stage.
    SendBackward,
    /// `RECV_B`: gradients enter the stage.
    RecvBackward,
    /// `UNSHARD`: the parameters of the stage are gathered.
    Unshard,
    /// `RESHARD`: they are freed.
    Reshard,
    /// `REDUCE_GRAD`: the gradients of the stage are reduced.
    ReduceGrad,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 11] = [
        Kind::Forward,
        Kind::Backward,
        Kind::InputGrad,
        Kind::WeightGrad,
        Kind::SendForward,
        Kind::RecvForward,
        Kind::SendBackward,
        Kind::RecvBackward,
        Kind::Unshard,
        Kind::Reshard,
        Kind::ReduceGrad,
    ];

    /// The word in a table of the current notation.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Forward => "F",
            Kind::Backward => "B",
            Kind::InputGrad => "I",
            Kind::WeightGrad => "W",
            Kind::SendForward => "SEND_F",
            Kind::RecvForward => "RECV_F",
            Kind::SendBackward => "SEND_B",
            Kind::RecvBackward => "RECV_B",
            Kind::Unshard => "UNSHARD",
            Kind::Reshard => "RESHARD",
            Kind::ReduceGrad => "REDUCE_GRAD",
        }
    }

    /// Does a micro-batch go with it?
    pub const fn has_microbatch(self) -> bool {
        !matches!(self, Kind::Unshard | Kind::Reshard | Kind::ReduceGrad)
    }

    /// Is it a send or a receive?
    pub const fn is_communication(self) -> bool {
        matches!(self, Kind::SendForward | Kind::RecvForward | Kind::SendBackward | Kind::RecvBackward)
    }

    /// Does it compute on a micro-batch?
    pub const fn is_compute(self) -> bool {
        self.has_microbatch() && !self.is_communication()
    }
}

/// How the words of a table are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Notation {
    /// As PyTorch 2.6 and later write it: `I`, `W`, and `B` for both together.
    #[default]
    Current,
    /// As PyTorch 2.5 wrote it (`_ComputationType` in `torch/distributed/pipelining/schedules.py`): `B` was the gradient of
    /// the input in schedules with `W`, and the whole backward in all others, by a flag beside the table. Versions between
    /// 2.5 and 2.6 had `BW` for the whole backward (pull request 131762), so that in a table with `BW` a `B` is the gradient
    /// of the input as well. Pull request 138886 made these `I` and `B`.
    Older,
}

impl Notation {
    /// The kind that a word names. In the older notation what `B` means depends on the table:
    /// [`Kind::InputGrad`] here.
    fn kind(self, word: &str) -> Option<Kind> {
        match (self, word) {
            (Notation::Older, "B") => Some(Kind::InputGrad),
            (Notation::Older, "BW") => Some(Kind::Backward),
            (Notation::Older, "I") => None,
            _ => Kind::ALL.into_iter().find(|kind| kind.name() == word),
        }
    }
}

/// A kind, a stage, and a micro-batch for the kinds that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// What is done.
    pub kind: Kind,
    /// With which stage.
    pub stage: u32,
    /// With which micro-batch; 0 for a kind without.
    pub microbatch: u32,
}

/// What a cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// One unit.
    One(Unit),
    /// `OVERLAP_F_B`: forwards and backwards at once, mostly one of each.
    Overlap(Vec<Unit>),
}

impl Action {
    /// The units that it is made of.
    pub fn units(&self) -> &[Unit] {
        match self {
            Action::One(unit) => core::slice::from_ref(unit),
            Action::Overlap(units) => units,
        }
    }

    /// The units that it is made of, to be changed.
    pub(super) fn units_mut(&mut self) -> &mut [Unit] {
        match self {
            Action::One(unit) => core::slice::from_mut(unit),
            Action::Overlap(units) => units,
        }
    }

    /// Reads a cell, all of it.
    pub(super) fn parse(text: &str, notation: Notation) -> Result<Action, Wrong> {
        let Some(rest) = text.strip_prefix('(') else { return unit(text, notation).map(Action::One) };
        let Some(inside) = rest.strip_suffix(")OVERLAP_F_B") else {
            return Err(Wrong::new(
                "a bracket does not end in `)OVERLAP_F_B`",
                "write `(0F1;7B3)OVERLAP_F_B`",
            ));
        };
        if inside.contains('(') {
            return Err(Wrong::new("what overlaps is not nested", "write `(0F1;7B3)OVERLAP_F_B`"));
        }
        let units =
            inside.split(';').map(|member| unit(member.trim(), notation)).collect::<Result<Vec<_>, _>>()?;
        if !overlap(&units) {
            return Err(Wrong::new(
                "what overlaps is forwards and backwards, at least one of each",
                match notation {
                    Notation::Current => "write `(0F1;7B3)OVERLAP_F_B`, the second one `B` or `I`",
                    Notation::Older => "write `(0F1;7B3)OVERLAP_F_B`, the second one `B` or `BW`",
                },
            ));
        }
        Ok(Action::Overlap(units))
    }
}

/// Can these run at once? Forwards and backwards do, at least one of each.
pub(super) fn overlap(units: &[Unit]) -> bool {
    let is_forward = |unit: &Unit| unit.kind == Kind::Forward;
    let is_backward = |unit: &Unit| matches!(unit.kind, Kind::Backward | Kind::InputGrad);
    units.iter().any(is_forward)
        && units.iter().any(is_backward)
        && units.iter().all(|unit| is_forward(unit) || is_backward(unit))
}

/// What is wrong with a cell.
#[derive(Debug)]
pub(super) struct Wrong {
    pub message: String,
    pub help: String,
}

impl Wrong {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Wrong {
        Wrong { message: message.into(), help: help.into() }
    }
}

/// Reads `3F5`: a stage, a kind, a micro-batch.
fn unit(text: &str, notation: Notation) -> Result<Unit, Wrong> {
    const FORM: &str = "write stage, kind, micro-batch, such as `3F5`, and commas between cells";
    if text.is_empty() {
        return Err(Wrong::new("a member of what overlaps is missing", "write `(0F1;7B3)OVERLAP_F_B`"));
    }
    let after_stage = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = after_stage.trim_end_matches(|c: char| c.is_ascii_digit());
    let stage = &text[..text.len() - after_stage.len()];
    let microbatch = &after_stage[word.len()..];
    if stage.is_empty() {
        return Err(Wrong::new("it does not begin with a stage", FORM));
    }
    let Some(kind) = notation.kind(word) else {
        if word.is_empty() {
            return Err(Wrong::new("it has no kind", FORM));
        }
        let known = word.char_indices().map(|(end, c)| &word[..end + c.len_utf8()]);
        // `F1xyz` has the word `F1xyz`: what follows a whole action is what is wrong.
        if known.filter_map(|start| notation.kind(start)).next().is_some()
            && word.contains(|c: char| c.is_ascii_digit())
        {
            return Err(Wrong::new("something follows the action", FORM));
        }
        return Err(Wrong::new(format!("`{}` is no kind of action", shown(word)), kinds(notation, word)));
    };
    match (kind.has_microbatch(), microbatch.is_empty()) {
        (true, true) => Err(Wrong::new(
            format!("the micro-batch of `{word}` is missing"),
            format!("write `{stage}{word}0` for micro-batch 0"),
        )),
        (false, false) => {
            Err(Wrong::new(format!("`{word}` takes no micro-batch"), format!("write `{stage}{word}`")))
        }
        (_, true) => Ok(Unit { kind, stage: number(stage, "stage")?, microbatch: 0 }),
        (_, false) => {
            Ok(Unit { kind, stage: number(stage, "stage")?, microbatch: number(microbatch, "micro-batch")? })
        }
    }
}

fn number(digits: &str, what: &str) -> Result<u32, Wrong> {
    let number: Option<u32> = digits.parse().ok();
    // The stage after this one has to be a number too.
    number.filter(|&number| u64::from(number) + 1 < INDEX_LIMIT).ok_or_else(|| {
        Wrong::new(
            format!("{what} {} is too large", shown(digits)),
            format!("a {what} is below {}", INDEX_LIMIT - 1),
        )
    })
}

fn kinds(notation: Notation, word: &str) -> String {
    match (notation, word) {
        (Notation::Current, "BW") => {
            "`BW` is the older word for `B`: read the table in the older notation".to_owned()
        }
        (Notation::Older, "I") => {
            "`I` is the current word for `B`: read the table in the current notation".to_owned()
        }
        (Notation::Older, _) => {
            "kinds are F, B, W, BW, SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD and REDUCE_GRAD"
                .to_owned()
        }
        (Notation::Current, _) => {
            "kinds are F, I, W, B, SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD and REDUCE_GRAD"
                .to_owned()
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.stage, self.kind.name())?;
        if self.kind.has_microbatch() { write!(f, "{}", self.microbatch) } else { Ok(()) }
    }
}

impl fmt::Display for Action {
    /// The cell in the current notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::One(unit) => write!(f, "{unit}"),
            Action::Overlap(units) => {
                write!(f, "(")?;
                for (n, unit) in units.iter().enumerate() {
                    write!(f, "{}{unit}", if n > 0 { ";" } else { "" })?;
                }
                write!(f, ")OVERLAP_F_B")
            }
        }
    }
}
