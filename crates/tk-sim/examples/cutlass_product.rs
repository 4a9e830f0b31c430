//! Runs a product by a kernel of CUTLASS whose launch `scripts/nvidia/cutlass/product.cu` printed, and compares it with the product in f64:
//! `cargo run -p tk-sim --example cutlass_product -- gemm.ptx launch.txt`.
//!
//! What the launch passes is one struct, with tensor maps and addresses of five buffers inside, which become those of the simulator.

use half::f16;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::error::Error;
use tk_diag::SourceFile;
use tk_sim::{Arg, Buffer, Checks, DeviceMemory, LaunchConfig, Program, TensorElement, TensorMap};

/// Buffers lie so far apart in what was printed, the first at the same.
const APART: u64 = 0x10_0000_0000;
/// What stands in the place of a tensor map, before its number.
const PLACE_OF_MAP: u64 = 0x50_414d_4b54;
const MAP_BYTES: usize = 128;

/// A printed launch.
struct Printed {
    /// `m`, `n`, `grid` and the like.
    fields: HashMap<String, Vec<u64>>,
    maps: Vec<HashMap<String, Vec<u64>>>,
    params: Vec<u8>,
}

fn number(text: &str) -> Result<u64, Box<dyn Error>> {
    Ok(match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16)?,
        None => text.parse()?,
    })
}

/// `m=256 grid=2,3,1`: numbers by name, in order.
fn fields(text: &str) -> Result<HashMap<String, Vec<u64>>, Box<dyn Error>> {
    let mut found: HashMap<String, Vec<u64>> = HashMap::new();
    for (name, value) in text.split_whitespace().filter_map(|word| word.split_once('=')) {
        let values = value.split(',').map(number).collect::<Result<Vec<u64>, _>>()?;
        found.entry(name.to_string()).or_default().extend(values);
    }
    Ok(found)
}

fn read(text: &str) -> Result<Printed, Box<dyn Error>> {
    let mut printed = Printed { fields: HashMap::new(), maps: Vec::new(), params: Vec::new() };
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("map", rest)) => printed.maps.push(fields(rest)?),
            Some(("launch", rest)) => printed.fields = fields(rest)?,
            Some(("params", digits)) => {
                let bytes = (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16));
                printed.params = bytes.collect::<Result<Vec<u8>, _>>()?;
            }
            _ => {}
        }
    }
    Ok(printed)
}

impl Printed {
    fn all(&self, name: &str) -> Result<&[u64], Box<dyn Error>> {
        Ok(self.fields.get(name).ok_or_else(|| format!("the launch does not say `{name}`"))?)
    }

    fn one(&self, name: &str) -> Result<usize, Box<dyn Error>> {
        Ok(self.all(name)?.first().copied().unwrap_or_default() as usize)
    }
}

/// The address of the simulator for one that was printed.
fn moved(address: u64, buffers: &[Buffer]) -> Option<u64> {
    let buffer = buffers.get((address / APART).checked_sub(1)? as usize)?;
    let offset = address % APART;
    (offset < buffer.bytes()).then(|| buffer.address() + offset)
}

fn map(printed: &HashMap<String, Vec<u64>>, buffers: &[Buffer]) -> Result<TensorMap, Box<dyn Error>> {
    let all = |name: &str| printed.get(name).cloned().unwrap_or_default();
    let one = |name: &str| all(name).first().copied().unwrap_or_default();
    let small = |name: &str| all(name).into_iter().map(|n| n as u32).collect::<Vec<u32>>();
    Ok(TensorMap {
        address: moved(one("address"), buffers).ok_or("a tensor map of no buffer")?,
        element: match one("type") {
            1 => TensorElement::U16,
            6 => TensorElement::F16,
            7 => TensorElement::F32,
            other => return Err(format!("a tensor map of elements of type {other}").into()),
        },
        sizes: small("size"),
        strides: all("stride"),
        block: small("box"),
        element_strides: small("step"),
        swizzle_bytes: [0, 32, 64, 128][one("swizzle") as usize % 4],
        fill_nan: one("fill") != 0,
    })
}

/// The struct with tensor maps and addresses of the simulator.
fn translated(printed: &Printed, buffers: &[Buffer]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut params = printed.params.clone();
    let word =
        |params: &[u8], at: usize| params[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let mut at = 0;
    while at + 8 <= params.len() {
        let value = word(&params, at);
        if value == PLACE_OF_MAP {
            let number = word(&params, at + 8) as usize;
            let map = printed.maps.get(number.wrapping_sub(1)).ok_or("a tensor map that was not printed")?;
            params[at..at + MAP_BYTES].copy_from_slice(&tk_sim::encode_tensor_map(&self::map(map, buffers)?)?);
            at += MAP_BYTES;
            continue;
        }
        if let Some(address) = moved(value, buffers) {
            params[at..at + 8].copy_from_slice(&address.to_le_bytes());
        }
        at += 8;
    }
    Ok(params)
}

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [ptx, launch] = paths.as_slice() else { return Err("two files: the PTX and the launch".into()) };
    let printed = read(&std::fs::read_to_string(launch)?)?;
    let (m, n, k) = (printed.one("m")?, printed.one("n")?, printed.one("k")?);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut draw = |count: usize| (0..count).map(|_| random.random_range(-8..8) as f32 / 4.0).collect::<Vec<f32>>();
    let (a, b, c) = (draw(m * k), draw(k * n), draw(m * n));
    let halves = |values: &[f32]| values.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect::<Vec<u8>>();
    let singles = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut memory = DeviceMemory::new();
    let mut buffers = Vec::new();
    for bytes in [halves(&a), halves(&b), singles(&c)] {
        buffers.push(memory.allocate(bytes.len() as u64));
        memory.write(buffers[buffers.len() - 1], &bytes)?;
    }
    let result = memory.allocate((4 * m * n) as u64);
    buffers.extend([result, memory.allocate((printed.one("workspace")? + 16) as u64)]);
    let module = tk_ptx::parse(&SourceFile::new(ptx, std::fs::read_to_string(ptx)?))?;
    let entry = module.entries().next().ok_or("the PTX has no kernel")?;
    let program = Program::compile(&module, entry.name.as_str())?;
    let axes = |name: &str| -> Result<[u32; 3], Box<dyn Error>> {
        let sizes = printed.all(name)?;
        Ok(std::array::from_fn(|axis| sizes.get(axis).map_or(1, |size| *size as u32)))
    };
    for seed in 0..4 {
        let config = LaunchConfig {
            grid: axes("grid")?,
            threads_per_cta: printed.one("block")? as u32,
            cluster: Some(axes("cluster")?),
            shared_bytes: printed.one("shared")? as u32,
            args: vec![Arg(translated(&printed, &buffers)?)],
            seed,
            // CUTLASS counts on what hardware forgives.
            checks: Checks { copy_fences: false, warpgroup_waits: false, ..Checks::default() },
            ..LaunchConfig::default()
        };
        let report = match tk_sim::try_launch(&program, &mut memory, &config) {
            Ok(report) => report,
            Err(error) => return Err(tk_diag::render(error.diagnostic(), tk_diag::Style::Plain).into()),
        };
        let bytes = memory.read(result)?;
        let got: Vec<f32> = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let mut worst = 0f64;
        for (place, got) in got.iter().enumerate() {
            let (row, column) = (place / n, place % n);
            let sum: f64 = (0..k).map(|i| f64::from(a[row * k + i]) * f64::from(b[column * k + i])).sum();
            worst = worst.max((sum + 0.5 * f64::from(c[place]) - f64::from(*got)).abs());
        }
        println!(
            "seed {seed}: {m} x {n} x {k}, largest error {worst:e}, {} warp instructions",
            report.warp_instructions
        );
        if worst > 1e-3 {
            return Err("the product is wrong".into());
        }
    }
    Ok(())
}
