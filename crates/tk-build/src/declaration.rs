//! Lists of kernels in the files of the kernels: a block of comments, as Python scripts have one for their dependencies (PEP 723).
//!
//! ```text
//! # /// tk
//! # [[kernel]]
//! # signature = "*fp32:16,*fp32:16,i32"
//! # constexpr = { BLOCK = 1024 }
//! # ///
//! ```

use std::path::Path;
use tk_diag::{Diagnostic, Result, SourceFile, USAGE};

const FIRST: &str = "# /// tk";

const LAST: &str = "# ///";

/// The TOML of the block of a file. Its lines stand at the lines of the file, in whose columns they are, so that places of the one are
/// places of the other.
pub(crate) fn block(source: &SourceFile, path: &Path) -> Result<String> {
    let refuse = |what: &str| {
        let help = "write `# /// tk`, lines of TOML behind `# `, and `# ///`; or list the kernels in a .toml file";
        Err(Diagnostic::error(USAGE, format!("{}: {what}", path.display())).help(help).boxed())
    };
    let whole = source.text();
    let mut lines = whole.split_inclusive('\n');
    let mut list = String::new();
    // Spaces instead of what is no list keep every place.
    let blank = |text: &str| {
        text.chars().map(|c| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) }).collect::<String>()
    };
    loop {
        let Some(line) = lines.next() else { return refuse("there is no list of kernels in its comments") };
        list.push_str(&blank(line));
        if line.trim_end() == FIRST {
            break;
        }
    }
    for line in lines {
        if line.trim_end() == LAST {
            return Ok(list);
        }
        match line.strip_prefix('#') {
            Some(text) => list.push_str(&format!(" {text}")),
            None => return refuse("the list of kernels in its comments does not end"),
        }
    }
    refuse("the list of kernels in its comments does not end")
}
