//! The command line of tk as a library, so that tests run it inside their own process.

pub mod arguments;

use std::io::Write;

/// Runs `tk` with these arguments (without the program's name). Returns the exit code.
pub fn run(_args: &[String], _out: &mut dyn Write, _err: &mut dyn Write) -> i32 {
    2
}
