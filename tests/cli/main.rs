//! The command `counterpart`, as it is called.

mod cases;
mod explain;
mod large;
mod library;
mod loss;
mod malformed;
mod shell;
mod transcripts;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// No call takes so long, on any machine.
const DEADLINE: Duration = Duration::from_secs(120);

/// The folder with files to read.
fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/inputs")
}

/// Starts the command in a folder, with something on its standard input.
fn start(folder: &Path, args: &[&str], stdin: &[u8]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpart"));
    command.current_dir(folder).args(args).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Who does not read its input has closed it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child
}

/// Waits for a call that was started.
fn end(mut child: Child, what: &str) -> Output {
    let begin = Instant::now();
    // Outputs are small, so that a call never waits for somebody to read them.
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("{what}: no answer");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.wait_with_output().unwrap()
}

/// Calls the command where the inputs are.
fn counterpart(args: &[&str], stdin: &[u8]) -> Output {
    start(&inputs(), args, stdin).wait_with_output().unwrap()
}
