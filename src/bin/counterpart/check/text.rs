//! Verdicts for people: each fault with the source of both ends.

use std::io::Write;
use std::time::Duration;

use annotate_snippets::Level;
use anstyle::AnsiColor;

use super::judge::{Found, Judged};
use super::{edge, program};
use crate::input::{Kind, Subject};
use crate::report::excerpt::{Mark, render};
use crate::report::failure::Failure;
use crate::report::{plain, took};

/// Waits of a deadlock that get an excerpt.
const MAX_WAITS: usize = 4;

/// The verdict on a schedule under a model, with the first `most` faults.
pub fn write(
    out: &mut impl Write,
    subject: &Subject,
    judged: &Judged,
    most: usize,
    time: Duration,
) -> Result<(), Failure> {
    let (name, file, model) = (plain(&subject.plan.name), &subject.file, judged.model);
    let took = took(time);
    if judged.is_safe() {
        let green = AnsiColor::Green.on_default().bold();
        writeln!(out, "{green}safe{green:#}: `{name}` under {model}, {}{took} ({file})", subject.size())?;
        return Ok(());
    }
    let folded = fold(subject, &judged.found);
    for (found, more) in folded.iter().take(most) {
        fault(out, subject, found, *more)?;
    }
    let total = judged.found.len() + judged.more;
    let shown: usize = folded.iter().take(most).map(|(_, more)| 1 + more).sum();
    let rest = match total - shown {
        0 => String::new(),
        rest if rest == total => ", not shown".to_owned(),
        rest => format!(", {rest} of them not shown"),
    };
    let red = AnsiColor::Red.on_default().bold();
    let faults = if total == 1 { "1 fault".to_owned() } else { format!("{total} faults") };
    let kinds = judged.found.first().map_or("", |found| found.kind);
    writeln!(out, "{red}unsafe{red:#}: `{name}` under {model}, {faults}{rest}{took} ({file})")?;
    writeln!(out, "for more about this kind: counterpart check --explain {kinds}\n")?;
    Ok(())
}

/// Faults of one kind at the same places in the source, such as those of a wrong loop, are one, with the number of the
/// others.
fn fold<'f>(subject: &Subject, found: &'f [Found]) -> Vec<(&'f Found, usize)> {
    let mut folded: Vec<(&Found, usize)> = Vec::new();
    let mut keys = Vec::new();
    for one in found {
        let here = one.place.or_else(|| subject.place(one.rank, one.step, one.item));
        let key =
            here.map(|here| (one.kind, here, subject.place(one.peer_rank, one.peer_step, one.peer_item)));
        let known = keys.iter().position(|known| key.is_some() && *known == key);
        match known {
            Some(at) => folded[at].1 += 1,
            None => {
                keys.push(key);
                folded.push((one, 0));
            }
        }
    }
    folded
}

fn fault(out: &mut impl Write, subject: &Subject, found: &Found, more: usize) -> Result<(), Failure> {
    let marks = marks(subject, found);
    let more = (more > 0).then(|| format!("and {more} more like it"));
    let mut footer = Vec::new();
    footer.extend(found.help.as_deref().map(|help| (Level::HELP, help)));
    footer.extend(more.as_deref().map(|more| (Level::NOTE, more)));
    let title = format!("{}: {}", found.kind, found.message);
    let report = render(Level::ERROR, &title, &subject.file, &subject.text, &marks, &footer);
    writeln!(out, "{report}")?;
    if subject.kind != Kind::Source && found.waits.is_empty() {
        let ends = [found.rank.zip(found.step), found.peer_rank.zip(found.peer_step)];
        program::write(out, subject, &ends.into_iter().flatten().collect::<Vec<_>>())?;
    }
    edge::write(out, subject, found)?;
    writeln!(out)?;
    Ok(())
}

/// The places that a fault is about, where the source has them: both ends, or the waits of a deadlock.
fn marks(subject: &Subject, found: &Found) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut add = |at: Option<(usize, usize)>, label: Option<String>| {
        if let Some(at) = at.filter(|at| marks.iter().all(|mark| mark.at != *at)) {
            marks.push(Mark { at, len: None, label });
        }
    };
    let name = |rank: Option<usize>, step: Option<usize>| Some(format!("rank {}, step {}", rank?, step?));
    if let Some(place) = found.place {
        add(Some(place), None);
    }
    let between = found.waits.iter().any(|wait| wait.rank != wait.on_rank);
    for wait in found.waits.iter().filter(|wait| !between || wait.rank != wait.on_rank).take(MAX_WAITS) {
        let (rank, step) = (Some(wait.rank), Some(wait.step));
        add(subject.place(rank, step, wait.item), name(rank, step));
    }
    if found.waits.is_empty() {
        add(subject.place(found.rank, found.step, found.item), name(found.rank, found.step));
        let other = subject.place(found.peer_rank, found.peer_step, found.peer_item);
        add(other, name(found.peer_rank, found.peer_step));
    }
    marks
}
