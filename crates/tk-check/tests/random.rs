//! Philox against the known answers that its authors publish with Random123 (`kat_vectors`), by running the checked ops.

use crate::request::check_kernel;
use std::collections::HashMap;
use tk_check::checked::{BinaryOp, CastKind, Kernel, Literal, OpKind, Value};
use tk_check::{bind_signature, read_signature};
use tk_diag::SourceFile;

const PHILOX: &str = "
import triton
import triton.language as tl

@triton.jit
def raw(x, c0, c1, c2, c3, k0, k1):
    r0, r1, r2, r3 = tl.philox_impl(c0, c1, c2, c3, k0, k1)
    tl.store(x + 0, r0)
    tl.store(x + 1, r1)
    tl.store(x + 2, r2)
    tl.store(x + 3, r3)

@triton.jit
def seeded(x, seed, c0, c1, c2, c3):
    for value in tl.static_range(1):
        r = tl.philox(seed, c0, c1, c2, c3)
        tl.store(x + 0, r[0])
        tl.store(x + 1, r[1])
        tl.store(x + 2, r[2])
        tl.store(x + 3, r[3])

@triton.jit
def blocks(x, seed, offset):
    r = tl.randint4x(seed, offset)
    tl.store(x + 0, r[0])
    tl.store(x + 1, r[1])
    tl.store(x + 2, r[2])
    tl.store(x + 3, tl.randint(seed, offset))
";

fn checked(kernel: &str, signature: &str) -> Kernel {
    let module = tk_grammar::parse(&SourceFile::new("k.tk", PHILOX)).expect("it parses");
    let specs = read_signature(signature).expect("a signature");
    let args = bind_signature(&module, kernel, Some(&specs), &[]).expect("it binds");
    check_kernel(&module, kernel, &args).unwrap_or_else(|errors| panic!("{}", errors[0].message)).kernel
}

/// Runs straight-line scalar ops on integers and gives the stored words.
fn stored(kernel: &Kernel, args: &[u64]) -> Vec<u64> {
    let mut values: HashMap<Value, u64> =
        kernel.params.iter().skip(1).map(|p| p.value).zip(args.iter().copied()).collect();
    let mut out = Vec::new();
    for op in &kernel.body.ops {
        let get = |i: usize| values.get(&op.operands[i]).copied().unwrap_or(0);
        let bits = |value: Value| kernel.ty(value).number().map_or(64, |scalar| scalar.bits());
        let result = match &op.kind {
            OpKind::Constant(Literal::Int(i)) => *i as u64,
            OpKind::Binary(binary) => {
                let (a, b) = (get(0), get(1));
                match binary {
                    BinaryOp::AddI => a.wrapping_add(b),
                    BinaryOp::MulI => a.wrapping_mul(b),
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::ShrU => a >> b,
                    BinaryOp::ShrS => ((a as i64) >> b) as u64,
                    BinaryOp::MulHiU => ((u128::from(a) * u128::from(b)) >> bits(op.results[0])) as u64,
                    other => panic!("{other:?}"),
                }
            }
            OpKind::Cast(CastKind::ExtS) => (get(0) as i64) as u64,
            OpKind::Cast(_) => get(0),
            OpKind::Store { .. } => {
                out.push(get(1));
                continue;
            }
            OpKind::AddPtr => continue,
            other => panic!("{other:?}"),
        };
        let width = bits(op.results[0]);
        values.insert(op.results[0], if width == 64 { result } else { result & ((1 << width) - 1) });
    }
    out
}

/// Counter, key, result.
const KNOWN: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

#[test]
fn philox_gives_the_published_words() {
    let raw = checked("raw", "*u32,u32,u32,u32,u32,u32,u32");
    let seeded = checked("seeded", "*u32,u64,u32,u32,u32,u32");
    for (counter, key, wanted) in KNOWN {
        let wanted: Vec<u64> = wanted.iter().map(|word| u64::from(*word)).collect();
        let counter = counter.map(u64::from);
        let args: Vec<u64> = counter.iter().copied().chain(key.map(u64::from)).collect();
        assert_eq!(stored(&raw, &args), wanted);
        let seed = u64::from(key[0]) | u64::from(key[1]) << 32;
        let args: Vec<u64> = std::iter::once(seed).chain(counter).collect();
        assert_eq!(stored(&seeded, &args), wanted);
    }
}

#[test]
fn offsets_of_64_bits_count_in_two_words() {
    let wide = checked("blocks", "*u32,u64,i64");
    let raw = checked("raw", "*u32,u32,u32,u32,u32,u32,u32");
    for (seed, offset) in [(0u64, 0u64), (1, 7), (0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321), (u64::MAX, u64::MAX)] {
        let found = stored(&wide, &[seed, offset]);
        let words = stored(&raw, &[offset & 0xffff_ffff, offset >> 32, 0, 0, seed & 0xffff_ffff, seed >> 32]);
        assert_eq!(found, [words[0], words[1], words[2], words[0]]);
    }
}
