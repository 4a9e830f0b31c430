//! A device for tests: upload, run, download, and a reproducible source of random numbers.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use half::f16;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_diag::{Result, SourceFile};
use tk_sim::{Arg, Buffer, DeviceMemory, LaunchConfig, Program, Report};

/// Memory and launches.
pub struct Device {
    /// The memory.
    pub memory: DeviceMemory,
    /// Settings that every launch starts from.
    pub config: LaunchConfig,
}

impl Device {
    /// A device without buffers that checks everything.
    pub fn new() -> Self {
        Self { memory: DeviceMemory::new(), config: LaunchConfig::default() }
    }

    /// A buffer with these bytes.
    pub fn upload(&mut self, bytes: Vec<u8>) -> Buffer {
        let buffer = self.memory.allocate(bytes.len() as u64);
        self.memory.write(buffer, &bytes).unwrap();
        buffer
    }

    /// A buffer of so many bytes that nothing has written.
    pub fn poison(&mut self, bytes: usize) -> Buffer {
        self.memory.allocate(bytes as u64)
    }

    /// Parses, decodes and runs a kernel.
    pub fn run(
        &mut self,
        ptx: &str,
        entry: &str,
        grid: [u32; 3],
        threads: u32,
        shared: u32,
        args: &[Arg],
    ) -> Result<Report> {
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", ptx))?;
        let program = Program::compile(&module, entry)?;
        let config = LaunchConfig {
            grid,
            threads_per_cta: threads,
            shared_bytes: shared,
            args: args.to_vec(),
            ..self.config.clone()
        };
        tk_sim::launch(&program, &mut self.memory, &config)
    }

    /// The contents of a buffer as f32.
    pub fn floats(&self, buffer: Buffer) -> Vec<f32> {
        let words = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        self.memory.read(buffer).unwrap().chunks_exact(4).map(words).collect()
    }

    /// The contents of a buffer as u32.
    pub fn words(&self, buffer: Buffer) -> Vec<u32> {
        self.floats(buffer).into_iter().map(f32::to_bits).collect()
    }

    /// The contents of a buffer as u64.
    pub fn longs(&self, buffer: Buffer) -> Vec<u64> {
        let long = |b: &[u8]| u64::from_le_bytes(b.try_into().unwrap());
        self.memory.read(buffer).unwrap().chunks_exact(8).map(long).collect()
    }

    /// The contents of a buffer as f16.
    pub fn halves(&self, buffer: Buffer) -> Vec<f16> {
        self.memory.read(buffer).unwrap().chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]])).collect()
    }
}

/// Bytes of f32 values.
pub fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Bytes of u32 values.
pub fn u32s(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Bytes of u64 values.
pub fn u64s(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Bytes of f16 values.
pub fn halves(values: &[f16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Random numbers that are the same in every run, so that failures repeat.
pub struct Random(ChaCha8Rng);

impl Random {
    /// A generator with its own sequence per seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0.random()
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.random_range(0..n)
    }

    /// Numbers from -2 to 2.
    pub fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.0.random_range(-2.0..2.0)).collect()
    }

    /// A 32-bit pattern that is often an edge case.
    pub fn word(&mut self) -> u32 {
        const EDGES: [u32; 24] = [
            0,
            1,
            2,
            31,
            32,
            33,
            63,
            64,
            0x7FFF_FFFF,
            0x8000_0000,
            0xFFFF_FFFF,
            0xFFFF_FFFE,
            0x3F80_0000,
            0xBF80_0000,
            0x7F80_0000,
            0xFF80_0000,
            0x7FC0_0000,
            0x0000_0001,
            0x007F_FFFF,
            0x0080_0000,
            0x8000_0001,
            0x3F80_0001,
            0x4B00_0001,
            0x477F_F000,
        ];
        match self.below(3) {
            0 => EDGES[self.below(EDGES.len() as u64) as usize],
            _ => self.next() as u32,
        }
    }
}
