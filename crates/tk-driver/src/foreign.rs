//! MLIR of other compilers: what of it tk does in another way is rewritten, and what tk cannot do is refused, at its place in the text.

use crate::back_end::read as read_text;
use tk_diag::{BAD_IR, Diagnostic, LineColumn, Result, SourceFile, Span};
use tk_ir::{Context, Module, Op};
use tk_passes::unite_warp_groups::{Refused, unite_warp_groups};

/// Reads MLIR that is to be compiled on.
///
/// # Errors
/// Text that is no MLIR, and operations that tk has no equivalent of.
pub(crate) fn read<'c>(context: &'c Context, source: &SourceFile) -> Result<Module<'c>> {
    let module = read_text(context, source)?;
    // A refusal leaves the module as it is no longer in the text, so places are found by number before.
    let numbered = module.op().descendants();
    let number = |op: Op<'_>| numbered.iter().position(|other| *other == op);
    if let Err(Refused { op, why }) = unite_warp_groups(&module) {
        return Err(refused(source, op, number(op), &why));
    }
    let inside = module.functions().into_iter().flat_map(|function| function.descendants().into_iter().skip(1));
    let Some(op) = inside.into_iter().find(|op| !tk_codegen::has_code(op.kind())) else { return Ok(module) };
    Err(refused(source, op, number(op), "tk has no equivalent of it"))
}

fn refused(source: &SourceFile, op: Op<'_>, number: Option<usize>, why: &str) -> Box<Diagnostic> {
    let place = number.and_then(|number| place(source, number)).unwrap_or_default();
    let error = Diagnostic::error(BAD_IR, format!("`{}` cannot be compiled: {why}", op.name())).at(source, place, "");
    match op.loc().file_line_col() {
        Some((file, line, column)) if file != source.name() => {
            error.note(format!("it comes from {file}:{line}:{column}")).boxed()
        }
        _ => error.boxed(),
    }
}

/// Where the text has its operation of this number. Operations know where they come from, so the text is read again without that.
fn place(source: &SourceFile, number: usize) -> Option<Span> {
    let bare = SourceFile::new(source.name(), without_locations(source.text()));
    let context = Context::new();
    let module = Module::parse(&context, &bare).ok()?;
    let (_, line, column) = module.op().descendants().get(number)?.loc().file_line_col()?;
    let start = source.offset(LineColumn { line, column }) as usize;
    Some(Span::new(start, start + 1)).filter(|_| source.text().is_char_boundary(start + 1))
}

/// The text with blanks in the place of locations: `loc(…)` behind operations, and lines that define `#loc…`.
fn without_locations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with("#loc") {
            kept.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            continue;
        }
        let mut rest = line;
        while let Some(at) = rest.find(" loc(") {
            let end = end_of_location(&rest[at..]).map_or(rest.len(), |length| at + length);
            kept.push_str(&rest[..at]);
            kept.extend(rest[at..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[end..];
        }
        kept.push_str(rest);
    }
    kept
}

/// The length of a location up to its closing parenthesis.
fn end_of_location(text: &str) -> Option<usize> {
    let (mut depth, mut is_quoted) = (0usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' if !is_quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_become_blanks_of_their_length() {
        let text = "#loc1 = loc(\"a.py\":1:2)\n  %a = f(%b) : i32 loc(\"x)\"(#loc1)) {\n  g() loc(#loc1)\n";
        let bare = without_locations(text);
        assert_eq!(bare.len(), text.len());
        assert_eq!(
            bare.lines().map(str::trim_end).collect::<Vec<_>>(),
            ["", format!("  %a = f(%b) : i32{}{{", " ".repeat(18)).as_str(), "  g()"]
        );
    }
}
