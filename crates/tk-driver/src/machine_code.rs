//! Machine code as an assembler writes it: the instructions of a kernel in an ELF file.
//!
//! An instruction of sm_90 has 16 bytes; the lowest twelve bits say which one it is.

/// `LDG`, with its address in a register and beside a uniform one.
pub(crate) const LOADS: [u64; 2] = [0x381, 0x981];

/// One instruction.
#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Instruction {
    const BYTES: usize = 16;
    /// Bits that say which one it is.
    const OPCODE: u64 = 0xfff;

    /// Which one it is.
    pub(crate) fn opcode(self) -> u64 {
        self.low & Self::OPCODE
    }
}

/// The instructions of a kernel. Nothing where this is not the machine code of it.
pub(crate) fn instructions(cubin: &[u8], kernel: &str) -> Option<Vec<Instruction>> {
    let code = section(cubin, &format!(".text.{kernel}"))?;
    let one = |bytes: &[u8]| Some(Instruction { low: number(bytes, 0, 8)?, high: number(bytes, 8, 8)? });
    code.chunks_exact(Instruction::BYTES).map(one).collect()
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
pub(crate) mod tests {
    /// A file with the names of its sections and the code of `k`.
    pub(crate) fn file(code: &[[u8; 16]]) -> Vec<u8> {
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
}
