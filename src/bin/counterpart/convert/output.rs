//! Where the text goes, and what it must not go over.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::report::failure::Failure;

/// Refuses to write over the input, or over anything else without `--force`.
///
/// # Errors
/// Where that would happen.
pub fn check(output: Option<&Path>, input: &str, force: bool) -> Result<(), Failure> {
    let Some(output) = output.filter(|output| output.exists()) else { return Ok(()) };
    let same = |path: &Path| fs::canonicalize(path).ok();
    if same(output).is_some() && same(output) == same(Path::new(input)) {
        return Err(Failure::Usage(format!("{} is what is read; write another file", output.display())));
    }
    match force {
        true => Ok(()),
        false => Err(Failure::Usage(format!("{} is there already; --force overwrites it", output.display()))),
    }
}

/// Writes the text.
///
/// # Errors
/// When that fails.
pub fn put(text: &str, output: Option<&Path>) -> Result<(), Failure> {
    match output {
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
        Some(path) => {
            let opened = OpenOptions::new().write(true).create(true).truncate(true).open(path);
            let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|error| Failure::File { file: path.display().to_string().into(), error })
        }
    }
}
