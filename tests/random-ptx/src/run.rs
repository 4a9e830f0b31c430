//! Runs a program on the simulator.

use crate::program::{BLOCK, GRID, INPUT_WORDS, output_bytes, slots};
use tk_diag::{Result, SourceFile};
use tk_sim::{Arg, DeviceMemory, LaunchConfig, Program};

/// The bytes of the output after a launch on a part of the pool.
pub(crate) fn outputs(name: &str, ptx: &str, pool: &[u32], offset: u32) -> Result<Vec<u8>> {
    let module = tk_ptx::parse(&SourceFile::new(format!("{name}.ptx"), ptx))?;
    let program = Program::compile(&module, name)?;
    let mut memory = DeviceMemory::new();
    let words = &pool[offset as usize..(offset + INPUT_WORDS) as usize];
    let input: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (from, to) = (memory.allocate_named(input.len() as u64, "in"), memory.allocate_named(output_bytes(), "out"));
    memory.write(from, &input)?;
    memory.write(to, &vec![0; output_bytes() as usize])?;
    let args = vec![Arg::from(from), Arg::from(to)];
    let config = LaunchConfig { grid: [GRID, 1, 1], threads_per_cta: BLOCK, args, ..LaunchConfig::default() };
    tk_sim::launch(&program, &mut memory, &config)?;
    memory.read(to)
}

/// A checksum (CRC-32) for each slot of the output, and one for what atomics changed.
pub(crate) fn checksums(output: &[u8]) -> Vec<u32> {
    let size = 8 * crate::program::THREADS as usize;
    let (registers, atomics) = output.split_at(size * slots() as usize);
    registers.chunks(size).chain([atomics]).map(crc32fast::hash).collect()
}
