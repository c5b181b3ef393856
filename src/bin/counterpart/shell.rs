//! `counterpart completions` and `counterpart man`: what shells and manuals need.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Outcome;
use crate::command::Cli;
use crate::report::failure::Failure;

/// Write completions for a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  counterpart completions bash > ~/.local/share/bash-completion/completions/counterpart
  counterpart completions zsh > ~/.zfunc/_counterpart")]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

/// Write the manual pages.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  counterpart man | man -l -
  counterpart man check | man -l -
  counterpart man --out ~/.local/share/man/man1")]
pub struct Manual {
    /// The verb whose page to write; without it, the page of the command.
    verb: Option<String>,
    /// Write all pages into this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    out: Option<PathBuf>,
}

/// Writes completions to standard output.
///
/// # Errors
/// When the output can't be written.
pub fn completions(args: &Completions) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "counterpart", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(Outcome::Good)
}

/// Writes a page to standard output, or all of them into a folder.
///
/// # Errors
/// When there is no such verb, or the output can't be written.
pub fn manual(args: &Manual) -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    command.build();
    let verbs: Vec<Command> =
        command.get_subcommands().filter(|verb| verb.get_name() != "help").cloned().collect();
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder)?;
        for page in verbs.into_iter().chain([command]) {
            Man::new(page).generate_to(folder)?;
        }
        return Ok(Outcome::Good);
    }
    let page = match &args.verb {
        None => command,
        Some(name) => {
            let known: Vec<String> = verbs.iter().map(|verb| verb.get_name().to_owned()).collect();
            verbs.into_iter().find(|verb| verb.get_name() == name).ok_or_else(|| {
                Failure::Usage(format!("there is no verb `{name}`, there is {}", known.join(", ")))
            })?
        }
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    io::stdout().lock().write_all(&text)?;
    Ok(Outcome::Good)
}
