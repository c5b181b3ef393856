//! The one catalogue of fault messages, for the macro, for rustc's const evaluator and for the library.
//!
//! Messages are lower case and have no full stop. They name rank and step of both ends. [`describe`] says what is wrong,
//! [`mend`] what would mend it.

mod cycle;
mod mend;
mod words;

use crate::tape::Tape;
use crate::text::Text;
use crate::value::Value;
use crate::verify::findings::{Detail, Finding, Findings};
pub(crate) use cycle::wait;
pub(crate) use mend::mend;
pub(crate) use words::payload;
use words::{at, at_other, both, brought, item, label, used};

/// What is wrong.
pub(crate) const fn describe(tape: &Tape<'_>, all: &Findings, finding: &Finding, t: &mut Text) {
    let f = *finding;
    match f.detail {
        Detail::PeerOutside => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": there is no rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(", the ranks are 0..");
            t.num(tape.ranks() as u64);
        }
        Detail::PeerSelf => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": a rank cannot exchange with itself");
        }
        Detail::TwoBlocks => {
            at(tape, f.step, t);
            t.str("the batch has two blocks in one direction for rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(", ");
            item(tape, f.other_item, t);
            t.str(" and ");
            item(tape, f.item, t);
        }
        Detail::Unbalanced => {
            at(tape, f.step, t);
            t.str("the batch does not balance: it exchanges with rank ");
            t.num(tape.steps[f.other_step as usize].rank as u64);
            t.str(" all at once, but there its partners are two steps, ");
            both(tape, f.other_step, f.number, t);
        }
        Detail::SendWithoutRecv => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(" has no receive for it");
        }
        Detail::RecvWithoutSend => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": rank ");
            t.int(tape.items[f.item as usize].peer as i64);
            t.str(" has no send for it");
        }
        Detail::OtherValue => {
            let (recv, send) = (tape.items[f.item as usize], tape.items[f.other_item as usize]);
            let alike = recv.payload.agrees(send.payload);
            at(tape, f.step, t);
            t.str("expects `");
            label(tape, recv.value, t);
            t.str("`");
            if !alike {
                t.str(", ");
                payload(recv.payload, t);
            }
            t.str(", but ");
            at_other(tape, f.other_step, t);
            t.str("sends `");
            label(tape, send.value, t);
            t.str("`");
            if !alike {
                t.str(", ");
                payload(send.payload, t);
            }
        }
        Detail::OtherPayload => {
            at(tape, f.step, t);
            t.str("expects `");
            label(tape, tape.items[f.item as usize].value, t);
            t.str("` as ");
            payload(tape.items[f.item as usize].payload, t);
            t.str(", but ");
            at_other(tape, f.other_step, t);
            t.str("sends ");
            payload(tape.items[f.other_item as usize].payload, t);
        }
        Detail::Cycle => cycle::chain(tape, all, t),
        Detail::SentTooSoon => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": `");
            label(tape, tape.items[f.item as usize].value, t);
            t.str("` is not there yet");
        }
        Detail::ReadTooSoon => {
            used(tape, f, " reads `", t);
            t.str("`, which is not there yet");
        }
        Detail::WrittenTwice => {
            used(tape, f, " writes `", t);
            t.str("`, which ");
            at_other(tape, f.other_step, t);
            t.str(brought(tape, f.other_step));
            t.str(" already");
        }
        Detail::ReceivedTwice => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": it is there already, step ");
            t.num(tape.steps[f.other_step as usize].number as u64);
            t.str(" ");
            t.str(brought(tape, f.other_step));
            t.str(" it");
        }
        Detail::Unused => {
            at(tape, f.step, t);
            item(tape, f.item, t);
            t.str(": no later step of this rank reads or sends it");
        }
        Detail::AfterMissing => {
            used(tape, f, " has to run after `", t);
            t.str("`, which has not run on this rank");
        }
        Detail::Missing => {
            t.str("compute step `");
            label(tape, Value(f.element), t);
            t.str("` is declared, but no rank runs it");
            if f.number > 1 {
                t.str(" (nor ");
                t.num(f.number as u64 - 1);
                t.str(if f.number == 2 { " other" } else { " others" });
                t.str(" of the same kind)");
            }
        }
        Detail::Repeated => {
            at(tape, f.step, t);
            t.str("`");
            label(tape, tape.uses[f.item as usize].value, t);
            t.str("` runs a second time, ");
            at_other(tape, f.other_step, t);
            t.str("ran it already");
        }
        Detail::OutsideDomain => {
            at(tape, f.step, t);
            t.str("`");
            label(tape, tape.uses[f.item as usize].value, t);
            t.str("` lies outside the declared domain");
        }
    }
}
