//! Mutants as lines, as JSON, and as plan files in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use counterpart::core::Model;
use counterpart::core::edit::Class;
use serde_json::{Value, json};

use super::Mutant;
use crate::report::{self, failure::Failure};

/// What was done, the verdict, the first fault.
pub(super) fn line(out: &mut impl Write, mutant: &Mutant) -> io::Result<()> {
    let (word, colour) = match mutant.is_safe() {
        true => ("safe  ", AnsiColor::Green.on_default()),
        false => ("unsafe", AnsiColor::Red.on_default()),
    };
    writeln!(out, "{colour}{word}{colour:#}  {}", report::plain(&mutant.words))?;
    match &mutant.first {
        Some(first) => writeln!(out, "        {}", report::plain(first)),
        None => Ok(()),
    }
}

/// How many mutants of each class are safe and unsafe.
pub(super) fn summary(
    out: &mut impl Write,
    counts: &BTreeMap<Class, (usize, usize)>,
    models: &[Model],
) -> Result<(), Failure> {
    let under = match models {
        [model] => model.to_string(),
        _ => "one of the nine models".to_owned(),
    };
    writeln!(out, "{:<16} {:>8} {:>8} {:>8}   unsafe: under {under}", "class", "mutants", "safe", "unsafe")?;
    let mut total = (0, 0);
    for (class, (safe, bad)) in counts {
        writeln!(out, "{:<16} {:>8} {safe:>8} {bad:>8}", class.name(), safe + bad)?;
        total = (total.0 + safe, total.1 + bad);
    }
    writeln!(out, "{:<16} {:>8} {:>8} {:>8}", "total", total.0 + total.1, total.0, total.1)?;
    Ok(())
}

/// A mutant for programs.
pub(super) fn entry(mutant: &Mutant, file: Option<&str>) -> Value {
    let verdicts: Vec<Value> = mutant
        .verdicts
        .iter()
        .map(|(model, kinds)| {
            json!({
                "channel": model.channel().name(),
                "batch": model.batch().name(),
                "verdict": if kinds.is_empty() { "safe" } else { "unsafe" },
                "kinds": kinds,
            })
        })
        .collect();
    json!({
        "class": mutant.edit.class.name(),
        "rank": mutant.edit.rank,
        "step": mutant.edit.step,
        "edit": mutant.words,
        "file": file,
        "fault": mutant.first,
        "verdicts": verdicts,
    })
}

/// A folder of mutants.
pub(super) struct Folder {
    path: PathBuf,
    index: Vec<Value>,
}

impl Folder {
    /// An empty folder, or one that may be written into all the same.
    pub(super) fn new(path: &Path, force: bool) -> Result<Folder, Failure> {
        fs::create_dir_all(path)?;
        if !force && fs::read_dir(path)?.next().is_some() {
            let message = format!("{} is not empty: name another folder, or give --force", path.display());
            return Err(Failure::Usage(message));
        }
        Ok(Folder { path: path.to_owned(), index: Vec::new() })
    }

    /// Writes a mutant; the name of its file.
    pub(super) fn put(&mut self, mutant: &Mutant) -> Result<String, Failure> {
        let edit = &mutant.edit;
        let number = self.index.len() + 1;
        let file = format!("{number:04}-{}-rank{}-step{}.json", edit.class, edit.rank, edit.step);
        fs::write(self.path.join(&file), mutant.plan.to_json())?;
        self.index.push(entry(mutant, Some(&file)));
        Ok(file)
    }

    /// Writes the index.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        let mut file = io::BufWriter::new(fs::File::create(self.path.join("index.json"))?);
        report::json(&mut file, &self.index)?;
        file.flush()?;
        Ok(())
    }
}
