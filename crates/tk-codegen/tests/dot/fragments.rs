//! One block with layouts written by hand: every instruction, any `kWidth`, batches, few and many warps.

use crate::assembler::assemble;
use crate::dot::number::{Number, product};
use crate::harness::{Kernel, module};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tk_sim::DeviceMemory;

/// One product of whole blocks: `batch` times `m` by `n` by `k`.
#[derive(Clone)]
struct Block {
    types: [Number; 2],
    result: Number,
    batch: usize,
    size: [usize; 3],
    warps: u32,
    /// The result's layout; operands have `#ttg.dot_op` layouts with it as parent.
    parent: String,
    k_width: u32,
    precision: &'static str,
    /// Operands come from swizzled buffers and not by a change of layout.
    from_buffers: bool,
}

impl Block {
    fn mma(types: [Number; 2], result: Number, size: [usize; 3], warps: [u32; 2], k_width: u32) -> Self {
        let parent = format!(
            "#ttg.nvidia_mma<{{versionMajor = 2, versionMinor = 0, warpsPerCTA = [{}, {}], instrShape = [16, 8]}}>",
            warps[0], warps[1]
        );
        Self {
            types,
            result,
            batch: 1,
            size,
            warps: warps[0] * warps[1],
            parent,
            k_width,
            precision: "tf32",
            from_buffers: false,
        }
    }

    fn blocked(types: [Number; 2], result: Number, size: [usize; 3], parent: [[u32; 2]; 3], order: &str) -> Self {
        let [[rows, columns], [lanes, more_lanes], [warps, more_warps]] = parent;
        let parent = format!(
            "#ttg.blocked<{{sizePerThread = [{rows}, {columns}], threadsPerWarp = [{lanes}, {more_lanes}], warpsPerCTA = [{warps}, {more_warps}], order = [{order}]}}>"
        );
        Self {
            types,
            result,
            batch: 1,
            size,
            warps: warps * more_warps,
            parent,
            k_width: 0,
            precision: "ieee",
            from_buffers: false,
        }
    }

    /// Loads flat ranges, gives them their shapes, multiplies, stores a flat range.
    fn text(&self) -> String {
        let [m, n, k] = self.size;
        let k_width = if self.k_width == 0 { String::new() } else { format!(", kWidth = {}", self.k_width) };
        let mut aliases = format!(
            "#parent = {}\n#a = #ttg.dot_op<{{opIdx = 0, parent = #parent{k_width}}}>\n#b = #ttg.dot_op<{{opIdx = 1, parent = #parent{k_width}}}>\n#flat = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{}], order = [0]}}>\n",
            self.parent, self.warps
        );
        aliases += "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n";
        aliases += "#smem = #ttg.shared_memory\n";
        let shape = |rows: usize, columns: usize| match self.batch {
            1 => format!("{rows}x{columns}"),
            batch => format!("{batch}x{rows}x{columns}"),
        };
        let matrices =
            [("a", m, k, self.types[0], "#a"), ("b", k, n, self.types[1], "#b"), ("c", m, n, self.result, "#parent")];
        let mut body = String::new();
        let flat = |count: usize, element: &str| format!("tensor<{count}x{element}, #flat>");
        for (name, rows, columns, number, layout) in matrices {
            let (count, ty) = (self.batch * rows * columns, number.name());
            let sizes = if self.batch == 1 { vec![rows, columns] } else { vec![self.batch, rows, columns] };
            aliases += &format!("#rows_{name} = {}\n", row_major(&sizes, self.warps));
            let shape = shape(rows, columns);
            let (indices, pointers) = (flat(count, "i32"), flat(count, &format!("!tt.ptr<{ty}>")));
            body += &format!(
                "%{name}r = tt.make_range {{end = {count} : i32, start = 0 : i32}} : {indices}
                 %{name}s = tt.splat %{name} : !tt.ptr<{ty}> -> {pointers}
                 %{name}p = tt.addptr %{name}s, %{name}r : {pointers}, {indices}
                 %{name}l = tt.load %{name}p : {pointers}
                 %{name}m = tt.reshape %{name}l : {} -> tensor<{shape}x{ty}, #rows_{name}>\n",
                flat(count, ty)
            );
            let (from, to) = (format!("tensor<{shape}x{ty}, #rows_{name}>"), format!("tensor<{shape}x{ty}, {layout}>"));
            body += &if self.from_buffers && name != "c" {
                let buffer = format!("!ttg.memdesc<{shape}x{ty}, #shared, #smem>");
                format!(
                    "%{name}b = ttg.local_alloc %{name}m : ({from}) -> {buffer}
                     %{name}x = ttg.local_load %{name}b : {buffer} -> {to}\n"
                )
            } else {
                format!("%{name}x = ttg.convert_layout %{name}m : {from} -> {to}\n")
            };
        }
        let tensor = |rows, columns, number: Number, layout| {
            format!("tensor<{}x{}, {layout}>", shape(rows, columns), number.name())
        };
        let result = tensor(m, n, self.result, "#parent");
        let count = self.batch * m * n;
        let flat_result = flat(count, self.result.name());
        let row_result = tensor(m, n, self.result, "#rows_c");
        body += &format!(
            "%d = tt.dot %ax, %bx, %cx, inputPrecision = {} : {} * {} -> {result}
             %dr = ttg.convert_layout %d : {result} -> {row_result}
             %df = tt.reshape %dr : {row_result} -> {flat_result}
             tt.store %cp, %df : {}\n tt.return",
            self.precision,
            tensor(m, k, self.types[0], "#a"),
            tensor(k, n, self.types[1], "#b"),
            flat(count, &format!("!tt.ptr<{}>", self.result.name()))
        );
        let parameters: Vec<String> = [("a", self.types[0]), ("b", self.types[1]), ("c", self.result)]
            .map(|(name, number)| format!("%{name}: !tt.ptr<{}> {{tt.divisibility = 16 : i32}}", number.name()))
            .to_vec();
        let function = format!("tt.func public @dot({}) {{\n{body}\n}}", parameters.join(", "));
        module(&aliases, self.warps, &function)
    }

    /// Compiles it; the PTX must have the instruction.
    fn kernel(&self, target: &str, instruction: &str) -> Kernel {
        let kernel = Kernel::for_target(&self.text(), target);
        let ptx = &kernel.generated.image.ptx;
        assert!(ptx.contains(instruction), "no {instruction} in\n{ptx}");
        assemble(ptx, target);
        kernel
    }

    /// `c + a * b`.
    fn run(&self, kernel: &Kernel, [a, b, c]: [&[f64]; 3]) -> Vec<f64> {
        let mut memory = DeviceMemory::new();
        let mut upload = |number: Number, values: &[f64]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| number.encode(*value)).collect();
            let buffer = memory.allocate(bytes.len() as u64);
            memory.write(buffer, &bytes).unwrap();
            buffer
        };
        let buffers = [upload(self.types[0], a), upload(self.types[1], b), upload(self.result, c)];
        kernel.run(&mut memory, [1, 1, 1], buffers.map(Into::into).to_vec());
        let bytes = memory.read(buffers[2]).unwrap();
        bytes.chunks(self.result.bytes()).map(|bytes| self.result.decode(bytes)).collect()
    }

    /// Runs it on whole numbers and compares all elements.
    fn check(&self, target: &str, instruction: &str) {
        let [m, n, k] = self.size;
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(self.warps) + (m * n * k) as u64);
        let a = self.types[0].randoms(&mut rng, self.batch * m * k);
        let b = self.types[1].randoms(&mut rng, self.batch * k * n);
        let c = self.result.randoms(&mut rng, self.batch * m * n);
        let got = self.run(&self.kernel(target, instruction), [&a, &b, &c]);
        for batch in 0..self.batch {
            let part = |values: &[f64], size: usize| values[batch * size..][..size].to_vec();
            let wanted = product(&part(&a, m * k), &part(&b, k * n), &part(&c, m * n), self.size);
            assert_eq!(part(&got, m * n), wanted, "batch {batch}\n{}", self.text());
        }
    }
}

/// The layout of `shape` in which thread t holds elements t, t + threads, … in row-major order, as a flat range has it.
fn row_major(shape: &[usize], warps: u32) -> String {
    let mut left = shape.to_vec();
    let mut spread = |mut count: usize| {
        let mut parts = vec![1; shape.len()];
        for axis in (0..shape.len()).rev() {
            parts[axis] = count.min(left[axis]);
            count /= parts[axis];
            left[axis] /= parts[axis];
        }
        parts[0] *= count;
        parts
    };
    let (lanes, warps) = (spread(32), spread(warps as usize));
    let order: Vec<usize> = (0..shape.len()).rev().collect();
    let ones = vec![1; shape.len()];
    format!(
        "#ttg.blocked<{{sizePerThread = {ones:?}, threadsPerWarp = {lanes:?}, warpsPerCTA = {warps:?}, order = {order:?}}}>"
    )
}

const SIZES: [([usize; 3], [u32; 2]); 6] = [
    ([16, 8, 32], [1, 1]),
    ([16, 16, 32], [2, 2]),
    ([32, 64, 64], [1, 1]),
    ([64, 32, 32], [4, 1]),
    ([64, 64, 128], [2, 4]),
    ([128, 128, 32], [4, 2]),
];

fn check_all(types: [Number; 2], result: Number, k_widths: &[u32], target: &str, instruction: &str) {
    for (size, warps) in SIZES {
        for &k_width in k_widths {
            if size[2] >= 8 * k_width as usize {
                Block::mma(types, result, size, warps, k_width).check(target, instruction);
            }
        }
    }
}

#[test]
fn f16() {
    check_all([Number::F16; 2], Number::F32, &[1, 2, 4, 8], "sm_90a", "m16n8k16.row.col.f32.f16.f16.f32");
}

#[test]
fn operands_from_swizzled_buffers() {
    for (size, warps) in [([32, 64, 64], [1, 1]), ([64, 64, 128], [2, 4]), ([128, 128, 64], [4, 2])] {
        let block = Block::mma([Number::F16; 2], Number::F32, size, warps, 2);
        let block = Block { from_buffers: true, ..block };
        block.check("sm_80", "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
        block.check("sm_80", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
        Block { types: [Number::F32; 2], k_width: 1, ..block }.check("sm_80", "mma.sync.aligned.m16n8k8");
    }
}

#[test]
fn f16_sums() {
    check_all([Number::F16; 2], Number::F16, &[2, 8], "sm_80", "m16n8k16.row.col.f16.f16.f16.f16");
}

#[test]
fn bf16() {
    check_all([Number::BF16; 2], Number::F32, &[2, 4], "sm_80", "m16n8k16.row.col.f32.bf16.bf16.f32");
}

#[test]
fn tf32() {
    check_all([Number::F32; 2], Number::F32, &[1, 2, 4], "sm_80", "m16n8k8.row.col.f32.tf32.tf32.f32");
}

#[test]
fn int8() {
    check_all([Number::I8; 2], Number::I32, &[4, 8], "sm_80", "m16n8k32.row.col.satfinite.s32.s8.s8.s32");
}

#[test]
fn f64() {
    check_all([Number::F64; 2], Number::F64, &[1, 2], "sm_80", "m8n8k4.row.col.f64");
    check_all([Number::F64; 2], Number::F64, &[1, 2], "sm_90a", "m16n8k8.row.col.f64");
}

#[test]
fn fp8() {
    use Number::{E4M3, E5M2, F16, F32};
    for (types, name) in [([E4M3; 2], "e4m3.e4m3"), ([E5M2; 2], "e5m2.e5m2"), ([E4M3, E5M2], "e4m3.e5m2")] {
        check_all(types, F32, &[4, 8], "sm_89", &format!("m16n8k32.row.col.f32.{name}.f32"));
    }
    Block::mma([E5M2; 2], F16, [32, 16, 32], [2, 1], 4).check("sm_89", "m16n8k16.row.col.f16.f16.f16.f16");
}

#[test]
fn a_depth_that_is_no_multiple_of_the_instruction() {
    Block::mma([Number::F16; 2], Number::F32, [32, 16, 8], [1, 1], 1).check("sm_80", "mma.sync");
    Block::mma([Number::F32; 2], Number::F32, [32, 16, 8], [1, 1], 2).check("sm_80", "mma.sync");
}

#[test]
fn batches() {
    for (warps, size) in [("2, 1, 1", [16, 16, 32]), ("4, 2, 1", [32, 16, 16])] {
        let count = if warps.starts_with('2') { 2 } else { 8 };
        let parent = format!(
            "#ttg.nvidia_mma<{{versionMajor = 2, versionMinor = 0, warpsPerCTA = [{warps}], instrShape = [1, 16, 8]}}>"
        );
        let block = Block::mma([Number::F16; 2], Number::F32, size, [1, 1], 2);
        Block { batch: 4, parent, warps: count, ..block }.check("sm_80", "m16n8k16");
    }
    let parent = "#ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [2, 4, 4], warpsPerCTA = [2, 1, 1], order = [2, 1, 0]}>";
    let block = Block::mma([Number::F32; 2], Number::F32, [8, 16, 4], [1, 1], 1);
    Block { batch: 4, parent: parent.into(), warps: 2, k_width: 0, precision: "ieee", ..block }
        .check("sm_80", "fma.rn.f32");
}

#[test]
fn multiply_add() {
    use Number::{BF16, E4M3, F16, F32, F64, I8, I32};
    let kinds = [
        ([F32; 2], F32, "fma.rn.f32"),
        ([F16; 2], F32, "fma.rn.f32"),
        ([F16; 2], F16, "fma.rn.f32"),
        ([BF16; 2], F32, "fma.rn.f32"),
        // In 32 bits, since ptxas takes garbage for the upper half of a word that it knows to be zero.
        ([E4M3; 2], F32, "cvt.u16.u32 pair, "),
        ([F64; 2], F64, "fma.rn.f64"),
        // LLVM chooses between 16-bit products and 32-bit multiply-adds.
        ([I8; 2], I32, ""),
    ];
    let parents = [
        ([16, 16, 16], [[1, 1], [4, 8], [1, 1]], "1, 0"),
        ([16, 16, 16], [[4, 4], [8, 4], [2, 2]], "0, 1"),
        ([4, 64, 8], [[2, 4], [2, 16], [1, 4]], "1, 0"),
        ([64, 32, 32], [[4, 4], [8, 4], [2, 4]], "1, 0"),
    ];
    for (types, result, instruction) in kinds {
        for (size, parent, order) in parents {
            Block::blocked(types, result, size, parent, order).check("sm_90a", instruction);
        }
    }
}
