//! `vprintf` and `__assertfail`, which PTX calls without defining them.

use super::{Flow, Machine, Step, space_of};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::program::{External, Memory};
use crate::undefined::Source;
use crate::warp::Warp;
use tk_diag::ASSERTION_FAILED;

/// Longest text read from device memory.
const MAX_TEXT: u64 = 4096;

impl Machine<'_> {
    pub(super) fn external(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        match &self.env.program.externals[index as usize] {
            External::Print { format, arguments, result } => {
                for lane in lanes_of(active) {
                    if *result != u32::MAX {
                        let size = self.env.program.local_bytes as usize;
                        let start = lane * size + *result as usize;
                        warp.local[start..start + 4].copy_from_slice(&1u32.to_le_bytes());
                        warp.local_undefined.set(start, 4, 0, Source::Predicate);
                    }
                    if self.counters.printed.is_full() {
                        continue;
                    }
                    let format = self.text(warp, lane, self.local_word(warp, lane, *format, 8));
                    let arguments = self.local_word(warp, lane, *arguments, 8);
                    let (line, undefined) = self.format(warp, lane, &format, arguments);
                    if let Some(source) = undefined {
                        return Err(self.depends("a value that this prints", source).lane(lane));
                    }
                    self.counters.printed.add(self.block.index, line);
                }
                Ok(Flow::Next)
            }
            External::AssertFail { message, file, line, function } => {
                let lane = active.trailing_zeros() as usize & 31;
                let text = |at: u32| self.text(warp, lane, self.local_word(warp, lane, at, 8));
                let line = self.local_word(warp, lane, *line, 4);
                let place = format!("{}:{line} in {}", text(*file), text(*function));
                let message = format!("device assertion failed: {}", text(*message));
                Err(Fault::new(ASSERTION_FAILED, message).lane(lane).note(format!("asserted at {place}")))
            }
        }
    }

    fn local_word(&self, warp: &Warp, lane: usize, at: u32, bytes: usize) -> u64 {
        let start = lane * self.env.program.local_bytes as usize + at as usize;
        warp.local[start..start + bytes].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    fn text(&self, warp: &Warp, lane: usize, address: u64) -> String {
        let bytes = (0..MAX_TEXT).map_while(|i| self.byte(warp, lane, address + i).filter(|b| *b != 0));
        String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
    }

    /// C formatting of the conversions that kernels use; arguments lie at their natural alignment. The source of an argument that
    /// nothing wrote, too.
    fn format(&self, warp: &Warp, lane: usize, format: &str, arguments: u64) -> (String, Option<Source>) {
        let mut out = String::new();
        let mut at = arguments;
        let mut undefined = None;
        let size = self.env.program.local_bytes as usize;
        let mut read = |bytes: u64| {
            at = at.next_multiple_of(bytes);
            if let (Memory::Local, place) = space_of(at)
                && place as usize + bytes as usize <= size
            {
                let (holes, source) =
                    warp.local_undefined.get(lane * size + place as usize, bytes as usize, self.block.pc);
                undefined = undefined.or(Some(source).filter(|_| holes != 0));
            }
            let value =
                (0..bytes).fold(0u64, |v, i| v | u64::from(self.byte(warp, lane, at + i).unwrap_or(0)) << (8 * i));
            at += bytes;
            value
        };
        let mut rest = format.chars().peekable();
        while let Some(c) = rest.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut spec = String::new();
            while let Some(c) = rest.next_if(|c| !c.is_ascii_alphabetic() && *c != '%') {
                spec.push(c);
            }
            let mut long = false;
            while rest.next_if(|c| matches!(c, 'l' | 'h' | 'z' | 'j')).is_some_and(|c| c != 'h') {
                long = true;
            }
            let bytes = if long { 8 } else { 4 };
            let text = match rest.next() {
                Some('%') => "%".to_string(),
                Some('d' | 'i') if long => (read(8) as i64).to_string(),
                Some('d' | 'i') => (read(4) as i32).to_string(),
                Some('u') => read(bytes).to_string(),
                Some('x') => format!("{:x}", read(bytes)),
                Some('X') => format!("{:X}", read(bytes)),
                Some('o') => format!("{:o}", read(bytes)),
                Some('p') => format!("{:#x}", read(8)),
                Some('c') => char::from(read(4) as u8).to_string(),
                Some('s') => self.text(warp, lane, read(8)),
                Some('e' | 'E') => format!("{:e}", f64::from_bits(read(8))),
                Some('f' | 'F' | 'g' | 'G' | 'a') => {
                    let digits = spec.split('.').nth(1).and_then(|d| d.parse().ok()).unwrap_or(6usize);
                    format!("{:.*}", digits.min(60), f64::from_bits(read(8)))
                }
                _ => String::new(),
            };
            let width: usize =
                spec.split('.').next().unwrap_or("").trim_start_matches(['-', '+', ' ', '#', '0']).parse().unwrap_or(0);
            let width = width.min(200);
            out.push_str(&match spec.chars().next() {
                Some('-') => format!("{text:<width$}"),
                Some('0') if !text.starts_with('-') => format!("{text:0>width$}"),
                _ => format!("{text:>width$}"),
            });
        }
        (out, undefined)
    }
}
