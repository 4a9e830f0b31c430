//! Which lines of the source spill: loads and stores of local memory in disassembled machine code.

use crate::assembly::disassemble_with_lines;
use std::path::Path;
use tk_why::{Place, Spill};

/// The lines at which machine code keeps registers in local memory, the worst first; none where there is no `nvdisasm` beside `ptxas`.
pub fn spills_by_line(ptxas: &Path, cubin: &[u8]) -> Vec<Spill> {
    disassemble_with_lines(ptxas, cubin).map(|text| spills_of(&text)).unwrap_or_default()
}

/// Most lines that are told.
const MOST: usize = 50;

/// The lines at which machine code keeps registers in local memory, the worst first, in the text of [`disassemble_with_lines`].
pub fn spills_of(text: &str) -> Vec<Spill> {
    let mut found: Vec<Spill> = Vec::new();
    let mut place = Place::default();
    for line in text.lines() {
        if let Some(next) = line_mark(line) {
            place = next;
            continue;
        }
        let Some(access) = local_access(line) else { continue };
        let at = match found.iter().position(|spill| (&spill.place.file, spill.place.line) == (&place.file, place.line))
        {
            Some(at) => at,
            None => {
                found.push(Spill { place: place.clone(), stores: 0, loads: 0 });
                found.len() - 1
            }
        };
        match access {
            LocalAccess::Store => found[at].stores += 1,
            LocalAccess::Load => found[at].loads += 1,
        }
    }
    found.sort_by_key(|spill| std::cmp::Reverse(spill.stores + spill.loads));
    found.truncate(MOST);
    found
}

/// `//## File "/folder/k.tk", line 12` → the place.
fn line_mark(line: &str) -> Option<Place> {
    let rest = line.trim_start().strip_prefix("//## File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(Place { file: file.to_string(), line: digits.parse().ok()?, column: 0 })
}

enum LocalAccess {
    Load,
    Store,
}

/// `/*0010*/ @P0 STL.64 [R1+0x4], R5 ;` is a store.
fn local_access(line: &str) -> Option<LocalAccess> {
    let mut words = line.trim_start().strip_prefix("/*")?.split_once("*/")?.1.split_whitespace();
    let word = words.next()?;
    let word = if word.starts_with('@') { words.next()? } else { word };
    match word.split('.').next()? {
        "STL" => Some(LocalAccess::Store),
        "LDL" => Some(LocalAccess::Load),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the form of `nvdisasm --print-line-info`.
    const TEXT: &str = "        .section .text.k\n\
        \t//## File \"/a/k.tk\", line 12\n        /*0010*/                   STL [R1+0x4], R5 ;\n\
        \t//## File \"/a/k.tk\", line 14 inlined at \"/a/k.tk\", line 30\n\
        /*0020*/              @!P0 STL.64 [R1+0x8], R6 ;\n        /*0030*/                   LDL.LU R5, [R1+0x4] ;\n\
        /*0040*/                   LDG.E R5, [R2.64] ;\n";

    #[test]
    fn local_memory_is_counted_by_line() {
        let spills = spills_of(TEXT);
        let rows: Vec<_> = spills.iter().map(|spill| [spill.place.line, spill.stores, spill.loads]).collect();
        assert_eq!(rows, [[14, 1, 1], [12, 1, 0]]);
        assert_eq!(spills[0].place.file_name(), "k.tk");
        assert_eq!(spills_of("STL\n/* broken\n//## File \"x\n"), []);
    }
}
