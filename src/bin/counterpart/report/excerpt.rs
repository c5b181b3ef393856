//! Excerpts of sources with pointers, in the look that rustc's messages have.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{plain, width};

/// A place to point at; the first one of a report is what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Line and column in characters, from 1.
    pub at: (usize, usize),
    /// Characters to underline; without it, to the end of the statement or cell.
    pub len: Option<usize>,
    /// What to write there.
    pub label: Option<String>,
}

/// A report: a title, the places with their lines, and what follows them.
pub fn render(
    level: Level<'_>,
    title: &str,
    file: &str,
    text: &str,
    marks: &[Mark],
    footer: &[(Level<'_>, &str)],
) -> String {
    let renderer = Renderer::styled().term_width(width());
    let title = plain(title);
    let footer = footer.iter().map(|(level, text)| (level.clone(), plain(text)));
    if marks.is_empty() {
        let mut report = renderer.render(&[Group::with_title(level.primary_title(&*title))]);
        for (level, text) in footer {
            let line = renderer.render(&[Group::with_title(level.primary_title(text))]);
            report.push_str(&format!("\n  = {line}"));
        }
        return report;
    }
    let mut group = level.primary_title(&*title).elements(marks.iter().enumerate().map(|(n, mark)| {
        let (number, line, start) = line(text, mark.at);
        let kind = if n == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(span(line, start, mark.len)).label(mark.label.clone());
        Snippet::source(line).line_start(number).path(file).fold(false).annotation(annotation)
    }));
    for (level, text) in footer {
        group = group.element(level.message(text));
    }
    renderer.render(&[group])
}

/// A line: its number, its text, and where in bytes the column begins. A place behind the end is at the end.
fn line(text: &str, (number, column): (usize, usize)) -> (usize, &str, usize) {
    // Not `lines`: behind the last line break there is a line, too, where a text that ends too soon ends.
    let number = number.clamp(1, text.matches('\n').count() + 1);
    let line = text.split('\n').nth(number - 1).unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let start = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    (number, line, start)
}

/// What to underline.
fn span(line: &str, start: usize, len: Option<usize>) -> Range<usize> {
    let rest = &line[start..];
    let chars = match len {
        Some(len) => len,
        None => {
            let (mut depth, mut chars) = (0, 0);
            for c in rest.chars() {
                match c {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' if depth == 0 => break,
                    ')' | ']' | '}' => depth -= 1,
                    ',' if depth == 0 => break,
                    ';' if depth == 0 => {
                        chars += 1;
                        break;
                    }
                    _ => {}
                }
                chars += 1;
            }
            chars
        }
    };
    let end = rest.char_indices().nth(chars.max(1)).map_or(line.len(), |(at, _)| start + at);
    start..end.max(start)
}
