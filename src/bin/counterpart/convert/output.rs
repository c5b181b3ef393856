//! Where the text goes, and what it must not go over.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Format;
use crate::report::failure::Failure;

/// Where to write, and in which format.
#[derive(clap::Args, Debug)]
pub struct Target {
    /// The format to write; without it, what the ending of OUT says.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The file to write; standard output without it, or where it is `-`.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Overwrite OUT where it exists. The file that is read is never overwritten.
    #[arg(long)]
    force: bool,
}

impl Target {
    /// The format that is asked for, if any is.
    pub fn format(&self) -> Option<Format> {
        self.to.or_else(|| Format::of(self.output.as_deref()?))
    }

    /// The file to write, if it is one.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|output| *output != Path::new("-"))
    }

    /// Refuses to write over what is read, or over anything else without `--force`.
    ///
    /// # Errors
    /// Where that would happen, or the ending of the file is that of no format.
    pub fn check(&self, inputs: &[&str]) -> Result<(), Failure> {
        let Some(output) = self.file() else { return Ok(()) };
        if self.format().is_none() {
            return Err(Failure::Usage(format!(
                "{}: an OUT ends in .json, .csv or .rs, or --to says what to write",
                output.display()
            )));
        }
        if !output.exists() {
            return Ok(());
        }
        if inputs.iter().any(|input| is_same(output, Path::new(input))) {
            return Err(Failure::Usage(format!("{} is what is read; write another file", output.display())));
        }
        // An empty file, such as one that a script has just made, holds nothing that could be lost.
        let is_empty = fs::metadata(output).is_ok_and(|file| file.is_file() && file.len() == 0);
        match self.force || is_empty {
            true => Ok(()),
            false => {
                Err(Failure::Usage(format!("{} is there already; --force overwrites it", output.display())))
            }
        }
    }

    /// Writes the text.
    ///
    /// # Errors
    /// When that fails.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        match self.file() {
            None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
            Some(path) => {
                let opened = OpenOptions::new().write(true).create(true).truncate(true).open(path);
                let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
                written.map_err(|error| Failure::File { file: path.display().to_string().into(), error })
            }
        }
    }
}

/// Are both the same file? Two links may lead to one.
fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    let path = |path: &Path| fs::canonicalize(path).ok();
    path(a).is_some() && path(a) == path(b)
}
