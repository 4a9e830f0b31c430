//! How often machine code waits for global memory.
//!
//! An instruction of sm_90 has 16 bytes. The upper eight say which of six counters it raises until its result is there (three bits from bit 46 on)
//! and which have to be down before it is issued (six bits from bit 52 on). That is all that has to be read: which instructions load from global
//! memory, and who waits for them. ptxas of CUDA 12 and 13 writes it so; the count of 896 of 919 recorded launches is that of their
//! disassembly, of the others one more or less in most.

/// `LDG`, with its address in a register and beside a uniform one.
const LOADS: [u64; 2] = [0x381, 0x981];
/// Bits of an instruction that say which one it is.
const OPCODE: u64 = 0xfff;
const INSTRUCTION_BYTES: usize = 16;
const COUNTERS: usize = 6;

/// How often a thread waits for global memory, if the instructions run once each in the order of the code: a wait is the first one for a load that
/// was issued after the wait before. Nothing where this is not the machine code of a kernel.
pub(crate) fn memory_waits(cubin: &[u8], kernel: &str) -> Option<u32> {
    let code = section(cubin, &format!(".text.{kernel}"))?;
    let mut waits = 0;
    // The wait that what raised a counter needs.
    let mut arrivals = [0; COUNTERS];
    for instruction in code.chunks_exact(INSTRUCTION_BYTES) {
        let (low, high) = (number(instruction, 0, 8)?, number(instruction, 8, 8)?);
        for (counter, arrival) in arrivals.iter().enumerate() {
            if high >> (52 + counter) & 1 == 1 {
                waits = waits.max(*arrival);
            }
        }
        let raised = arrivals.get_mut((high >> 46 & 7) as usize);
        if let Some(arrival) = raised.filter(|_| LOADS.contains(&(low & OPCODE))) {
            *arrival = waits + 1;
        }
    }
    Some(waits)
}

/// The bytes of a section of an ELF file of 64 bits.
fn section<'f>(file: &'f [u8], name: &str) -> Option<&'f [u8]> {
    const HEADER_BYTES: usize = 64;
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let start = number(file, 40, 8)? as usize;
    let (count, of_names) = (number(file, 60, 2)? as usize, number(file, 62, 2)? as usize);
    let header = |index: usize| file.get(start.checked_add(index * HEADER_BYTES)?..)?.get(..HEADER_BYTES);
    let bytes = |header: &[u8]| {
        let (offset, size) = (number(header, 24, 8)? as usize, number(header, 32, 8)? as usize);
        file.get(offset..)?.get(..size)
    };
    let names = bytes(header(of_names)?)?;
    (0..count).find_map(|index| {
        let header = header(index)?;
        let own = names.get(number(header, 0, 4)? as usize..)?;
        let is_it = own.starts_with(name.as_bytes()) && own.get(name.len()) == Some(&0);
        if is_it { bytes(header) } else { None }
    })
}

/// An unsigned number, the lowest byte first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    Some(bytes.get(at..at + size)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An instruction that waits for counters and raises one; 7 is none.
    fn instruction(opcode: u64, waits: u64, raises: u64) -> [u8; 16] {
        let number = u128::from(opcode) | u128::from(raises << 46 | waits << 52) << 64;
        number.to_le_bytes()
    }

    /// A file with the names of its sections and the code of `k`.
    fn file(code: &[[u8; 16]]) -> Vec<u8> {
        let names = b"\0.shstrtab\0.text.k\0";
        let code = code.concat();
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        let places = [(1, names.as_slice()), (11, code.as_slice())].map(|(name, bytes)| {
            let offset = file.len() as u64;
            file.extend_from_slice(bytes);
            (name as u32, offset, bytes.len() as u64)
        });
        let start = file.len() as u64;
        file[40..48].copy_from_slice(&start.to_le_bytes());
        file[60] = 2;
        for (name, offset, size) in places {
            let mut header = [0; 64];
            header[..4].copy_from_slice(&name.to_le_bytes());
            header[24..32].copy_from_slice(&offset.to_le_bytes());
            header[32..40].copy_from_slice(&size.to_le_bytes());
            file.extend_from_slice(&header);
        }
        file
    }

    #[test]
    fn waits_are_counted_by_what_raises_and_waits_for_counters() {
        const ADD: u64 = 0x210;
        let of = |code: &[[u8; 16]]| memory_waits(&file(code), "k");
        let (load, other) = (|waits, raises| instruction(0x981, waits, raises), |waits| instruction(ADD, waits, 7));
        assert_eq!(of(&[load(0, 2), load(0, 3), other(0b100), other(0b1000)]), Some(1), "together");
        assert_eq!(of(&[load(0, 2), other(0b100), load(0, 2), other(0b100)]), Some(2), "one after the other");
        assert_eq!(of(&[load(0, 2), load(0b100, 3), load(0b1000, 4), other(0b10000)]), Some(3), "addresses");
        assert_eq!(of(&[load(0, 2), other(0b1)]), Some(0), "for something else");
        assert_eq!(memory_waits(&file(&[]), "another"), None);
        assert_eq!(memory_waits(b"no machine code", "k"), None);
    }
}
