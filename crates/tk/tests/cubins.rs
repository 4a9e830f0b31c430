//! ELF files as an assembler makes them, with machine code of one kernel.

/// The file of a kernel `k` with these instructions.
pub(crate) fn cubin_of_k(instructions: Vec<u128>) -> Vec<u8> {
    let code: Vec<u8> = instructions.into_iter().flat_map(u128::to_le_bytes).collect();
    let names = b"\0.text.k\0\0\0\0\0\0\0";
    let mut cubin = [b"\x7fELF\x02\x01".as_slice(), &[0; 58], names].concat();
    let headers = [(0, 64, names.len()), (1, cubin.len(), code.len())];
    cubin.extend(code);
    let start = cubin.len() as u64;
    cubin[40..48].copy_from_slice(&start.to_le_bytes());
    cubin[60] = 2;
    for (name, offset, size) in headers {
        let mut header = [0_u8; 64];
        header[0] = name;
        header[24..32].copy_from_slice(&(offset as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(size as u64).to_le_bytes());
        cubin.extend(header);
    }
    cubin
}
