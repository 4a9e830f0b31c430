//! `tk-cases FOLDER` writes the generated cases as `.tk` files, to be run with `tk test FOLDER/*.tk --device sim|cuda`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: tk-cases FOLDER");
        return ExitCode::FAILURE;
    };
    match tk_cases::write(Path::new(&folder)) {
        Ok(written) => {
            let cases: usize = written.iter().map(|file| file.cases).sum();
            println!("{cases} cases in {} files in {folder}", written.len());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
