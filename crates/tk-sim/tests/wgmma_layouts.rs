//! One wgmma on tiles in every layout of the PTX ISA, element by element: swizzles, majors, operand A in memory or registers,
//! signs, types and widths, at random.

use crate::device::{self, Device, Random};
use half::{bf16, f16};
use tk_sim::Arg;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    F16,
    BF16,
    TF32,
    E5M2,
    S8,
    U8,
}

impl Element {
    fn bytes(self) -> usize {
        match self {
            Element::F16 | Element::BF16 => 2,
            Element::TF32 => 4,
            _ => 1,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Element::F16 => "f16",
            Element::BF16 => "bf16",
            Element::TF32 => "tf32",
            Element::E5M2 => "e5m2",
            Element::S8 => "s8",
            Element::U8 => "u8",
        }
    }

    /// A small whole number, so that every sum is exact: its value and its bits.
    fn number(self, random: &mut Random) -> (f64, u32) {
        let value = random.below(9) as f32 - if self == Element::U8 { 0.0 } else { 4.0 };
        let bits = match self {
            Element::F16 => u32::from(f16::from_f32(value).to_bits()),
            Element::BF16 => u32::from(bf16::from_f32(value).to_bits()),
            // The hardware ignores the low 13 bits.
            Element::TF32 => value.to_bits() | random.below(1 << 13) as u32,
            // 0 to 4 need two bits of mantissa, as e5m2 has.
            Element::E5M2 => u32::from(f16::from_f32(value).to_bits() >> 8),
            _ => u32::from(value as i32 as u8),
        };
        (f64::from(value), bits)
    }
}

/// A tile of `rows` (of M or N) by 32 bytes of K, with the parts of its descriptor.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Bytes of the swizzle pattern's row; 0 for none.
    swizzle: usize,
    transposed: bool,
    leading: usize,
    stride: usize,
    start: usize,
    /// Bytes of one element.
    element: usize,
}

impl Layout {
    fn random(random: &mut Random, element: Element, rows: usize, start: usize) -> Self {
        let swizzle = [0, 32, 64, 128][random.below(4) as usize];
        let transposed = element.bytes() == 2 && random.below(2) == 0;
        // Groups of eight rows (or depths), and steps in the other direction that may leave gaps.
        let (leading, stride) = match (swizzle, transposed) {
            (0, _) => (128 * (rows / 8), 128),
            (_, false) => (16, swizzle * 8),
            (_, true) => (swizzle * 16 * (1 + random.below(2) as usize), swizzle * 8),
        };
        Self { swizzle, transposed, leading, stride, start, element: element.bytes() }
    }

    /// Where element (`row`, `k`) starts: the canonical layouts, written per element.
    fn place(&self, row: usize, k: usize) -> usize {
        let width = self.swizzle.max(16);
        let logical = if self.transposed {
            let per = if self.swizzle == 0 { 8 } else { self.swizzle / 2 };
            let (outer, inner) = (row / per, row % per);
            let (far, near) = if self.swizzle == 0 { (self.stride, self.leading) } else { (self.leading, self.stride) };
            outer * far + inner * 2 + k % 8 * width + k / 8 * near
        } else {
            let byte = k * self.element;
            let along = if self.swizzle == 0 { byte / 16 * self.leading + byte % 16 } else { byte };
            row / 8 * self.stride + row % 8 * width + along
        };
        let mask = match self.swizzle {
            32 => 1,
            64 => 3,
            128 => 7,
            _ => 0,
        };
        let address = self.start + logical;
        address ^ ((address >> 7 & mask) << 4)
    }

    fn descriptor(&self) -> u64 {
        let mode = match self.swizzle {
            0 => 0u64,
            128 => 1,
            64 => 2,
            _ => 3,
        };
        let field = |bytes: usize| (bytes as u64 >> 4) & 0x3FFF;
        mode << 62 | field(self.stride) << 32 | field(self.leading) << 16 | field(self.start)
    }
}

/// Bytes of shared memory that the kernel fills.
const BYTES: usize = 64 << 10;

struct Case {
    element: Element,
    n: usize,
    registers: bool,
    half: bool,
    accumulate: bool,
    signs: [i32; 2],
    a: Layout,
    b: Layout,
}

/// A kernel of one warpgroup that fills shared memory from `in`, and writes accumulators to `out`, thread after thread.
fn kernel(case: &Case) -> String {
    let integer = matches!(case.element, Element::S8 | Element::U8);
    let result = if integer {
        "s32"
    } else if case.half {
        "f16"
    } else {
        "f32"
    };
    let count = if case.half { case.n / 4 } else { case.n / 2 };
    let name = case.element.name();
    let d = (0..count).map(|i| format!("%d{i}")).collect::<Vec<_>>().join(", ");
    let a = if case.registers { "{%a0, %a1, %a2, %a3}" } else { "%rd6" };
    let mut tail = String::new();
    if !integer {
        tail += &format!(", {}, {}", case.signs[0], case.signs[1]);
        if case.element.bytes() == 2 {
            if !case.registers {
                tail += &format!(", {}", i32::from(case.a.transposed));
            }
            tail += &format!(", {}", i32::from(case.b.transposed));
        }
    }
    let k = 32 / case.element.bytes();
    let initial: String = (0..count).map(|i| format!("mov.b32 %d{i}, 0;\n")).collect();
    let loads: String = (0..4).map(|i| format!("ld.global.b32 %a{i}, [%rd9+{}];\n", 4 * i)).collect();
    let stores: String = (0..count).map(|i| format!("st.global.b32 [%rd8+{}], %d{i};\n", 4 * i)).collect();
    let instruction = format!(
        "wgmma.mma_async.sync.aligned.m64n{}k{k}.{result}.{name}.{name} {{{d}}}, {a}, %rd7, %p2{tail};",
        case.n
    );
    format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 regs, .param .u64 da, .param .u64 db, .param .u32 add)
{{
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b32 %d<{count}>; .reg .b32 %a<4>; .reg .b64 %rd<20>;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [regs];
ld.param.u64 %rd6, [da]; ld.param.u64 %rd7, [db]; ld.param.u32 %r1, [add];
mov.u32 %r2, %tid.x;
mov.b32 %r3, tile;
shl.b32 %r4, %r2, 2;
FILL:
cvt.u64.u32 %rd4, %r4;
add.s64 %rd5, %rd1, %rd4;
ld.global.b32 %r5, [%rd5];
add.s32 %r6, %r3, %r4;
st.shared.b32 [%r6], %r5;
add.s32 %r4, %r4, 512;
setp.lt.u32 %p1, %r4, {BYTES};
@%p1 bra FILL;
fence.proxy.async.shared::cta;
bar.sync 0;
mul.wide.u32 %rd4, %r2, {};
add.s64 %rd8, %rd2, %rd4;
mul.wide.u32 %rd4, %r2, 16;
add.s64 %rd9, %rd3, %rd4;
{loads}{initial}
setp.ne.s32 %p2, %r1, 0;
wgmma.fence.sync.aligned;
{instruction}
setp.ne.s32 %p2, %r1, 2;
{instruction}
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
{stores}
ret;
}}",
        4 * count
    )
}

#[test]
fn every_layout() {
    let mut random = Random::new(41);
    let elements = [Element::F16, Element::BF16, Element::TF32, Element::E5M2, Element::S8, Element::U8];
    for number in 0..240 {
        let element = elements[number % 6];
        let n = match element {
            Element::S8 | Element::U8 => 16 * (1 + random.below(16) as usize),
            _ => 8 * (1 + random.below(32) as usize),
        };
        // Dynamic shared memory of a kernel without other variables starts at 1024.
        let a = Layout::random(&mut random, element, 64, 1024);
        let b = Layout::random(&mut random, element, n, 1024 + (20 << 10));
        let sign = |random: &mut Random| if random.below(2) == 0 { 1 } else { -1 };
        let case = Case {
            element,
            n,
            registers: random.below(3) == 0,
            half: matches!(element, Element::F16 | Element::E5M2) && random.below(2) == 0,
            accumulate: random.below(2) == 0,
            signs: [sign(&mut random), sign(&mut random)],
            a,
            b,
        };
        check(&case, &mut random);
    }
}

fn check(case: &Case, random: &mut Random) {
    let (k, bytes, n) = (32 / case.element.bytes(), case.element.bytes(), case.n);
    let mut shared = vec![0u8; BYTES];
    let mut tile = |layout: &Layout, rows: usize, random: &mut Random| -> Vec<f64> {
        let mut values = vec![0.0; rows * k];
        for row in 0..rows {
            for depth in 0..k {
                let (value, bits) = case.element.number(random);
                let at = layout.place(row, depth) - 1024;
                shared[at..at + bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
                values[row * k + depth] = value;
            }
        }
        values
    };
    let mut a = tile(&case.a, 64, random);
    let b = tile(&case.b, n, random);
    let mut registers = vec![0u32; 128 * 4];
    if case.registers {
        let per = 4 / bytes;
        for (i, word) in registers.iter_mut().enumerate() {
            let (thread, r) = (i / 4, i % 4);
            let row = thread / 32 * 16 + thread % 32 / 4 + r % 2 * 8;
            for e in 0..per {
                let (value, bits) = case.element.number(random);
                a[row * k + thread % 4 * per + r / 2 * 4 * per + e] = value;
                *word |= bits << (8 * bytes * e);
            }
        }
    }
    let mut device = Device::new();
    let (input, regs) = (device.upload(shared), device.upload(device::u32s(&registers)));
    let count = if case.half { n / 4 } else { n / 2 };
    let out = device.poison(128 * count * 4);
    // Twice: the second adds, or overwrites when the second predicate says so.
    let add = if case.accumulate { 1 } else { 2 };
    let mut args: Vec<Arg> = vec![input.into(), out.into(), regs.into()];
    args.extend([Arg::from(case.a.descriptor()), Arg::from(case.b.descriptor()), Arg::from(add)]);
    let ptx = kernel(case);
    let report = device.run(&ptx, "k", [1, 1, 1], 128, BYTES as u32, &args);
    report.unwrap_or_else(|e| panic!("{:?} {:?}: {}", case.a, case.b, tk_diag::render(&e, tk_diag::Style::Plain)));
    let integer = matches!(case.element, Element::S8 | Element::U8);
    let factor = if case.accumulate { 2.0 } else { 1.0 };
    let sign = if integer { 1.0 } else { f64::from(case.signs[0] * case.signs[1]) };
    let words = device.words(out);
    for thread in 0..128 {
        for e in 0..n / 2 {
            let row = thread / 32 * 16 + thread % 32 / 4 + e / 2 % 2 * 8;
            let column = e / 4 * 8 + thread % 4 * 2 + e % 2;
            let sum: f64 = (0..k).map(|i| a[row * k + i] * b[column * k + i]).sum();
            let got = match (integer, case.half) {
                (true, _) => f64::from(words[thread * count + e] as i32),
                (_, true) => f16::from_bits((words[thread * count + e / 2] >> (16 * (e % 2))) as u16).to_f64(),
                _ => f64::from(f32::from_bits(words[thread * count + e])),
            };
            let wanted = sum * factor * sign;
            let (a, b) = (case.a, case.b);
            assert_eq!(got, wanted, "{:?} n {n} {row} {column}, {a:?}, {b:?}", case.element);
        }
    }
}

#[test]
fn a_warpgroup_must_agree() {
    let mut random = Random::new(42);
    let layout = |start| Layout { swizzle: 128, transposed: false, leading: 16, stride: 1024, start, element: 2 };
    let case = Case {
        element: Element::F16,
        n: 8,
        registers: false,
        half: false,
        accumulate: true,
        signs: [1, 1],
        a: layout(1024),
        b: layout(21 << 10),
    };
    check(&case, &mut random);
    let fails = |from: &str, to: &str, threads: u32, words: &str| {
        let mut device = Device::new();
        let (input, regs) = (device.upload(vec![0; BYTES]), device.upload(vec![0; 2048]));
        let out = device.poison(128 * 16);
        let mut args: Vec<Arg> = vec![input.into(), out.into(), regs.into()];
        args.extend([Arg::from(case.a.descriptor()), Arg::from(case.b.descriptor()), Arg::from(1)]);
        let ptx = kernel(&case).replacen(from, to, 1);
        let error = device.run(&ptx, "k", [1, 1, 1], threads, BYTES as u32, &args).expect_err("the run must stop");
        let text = tk_diag::render(&error, tk_diag::Style::Plain);
        assert!(error.code == tk_diag::BAD_PTX && text.contains(words), "{text}");
    };
    let split = "setp.lt.u32 %p3, %r2, 32;\n@%p3 add.s64 %rd6, %rd6, 2;\nwgmma.fence.sync.aligned;";
    fails("wgmma.fence.sync.aligned;", split, 128, "the same wgmma on other tiles");
    let lanes = "setp.lt.u32 %p3, %r2, 1;\n@%p3 add.s64 %rd6, %rd6, 2;\nwgmma.fence.sync.aligned;";
    fails("wgmma.fence.sync.aligned;", lanes, 128, "different descriptors");
    let leave = "setp.lt.u32 %p3, %r2, 32;\n@%p3 ret;\nwgmma.fence.sync.aligned;";
    fails("wgmma.fence.sync.aligned;", leave, 128, "only some of the four warps");
    fails("bar.sync 0;", "bar.sync 0;", 96, "a warpgroup is four whole warps");
}
