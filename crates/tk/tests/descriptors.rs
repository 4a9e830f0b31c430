//! Tensor descriptors through the whole compiler and the simulator, with tensor maps and without: what a block reads and writes
//! is compared byte by byte with a computation on the host, for random tensors, blocks and offsets. By tensor maps these keep to what hardware
//! can do: copies start, and written tensors end, at multiples of 16 bytes, and nothing is written before the tensor.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk::{
    Arg, Bounds, CompileOptions, Device, DeviceChoice, DeviceKernel, ScalarType, SourceFile, Target, TensorDescriptor,
    Unit, Until, Unwatched,
};

/// Compiles a kernel of this text for a target and loads it on the simulator.
fn load(device: &Device, text: &str, signature: &str, target: &str) -> DeviceKernel {
    let file = SourceFile::new("k.tk", format!("import triton\nimport triton.language as tl\n{text}"));
    let render =
        |faults: Vec<tk::Diagnostic>| -> ! { panic!("{}", tk_diag::render(&faults[0], tk_diag::Style::Plain)) };
    let module = tk::parse(&file).unwrap_or_else(|faults| render(faults));
    let specs = tk::read_signature(signature).unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[]).unwrap_or_else(|faults| render(faults));
    let target = Target::parse(target).unwrap();
    let unit = Unit {
        module: &module,
        kernel: "k",
        args: &args,
        globals: &[],
        options: CompileOptions::default(),
        target,
        bounds: Bounds::any(),
    };
    let compiled = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap_or_else(|faults| render(faults));
    device.load(&compiled.image.unwrap()).unwrap()
}

/// A tensor in a buffer that is longer than it.
struct Tensor {
    bytes: Vec<u8>,
    element: ScalarType,
    offset: usize,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

impl Tensor {
    fn random(random: &mut ChaCha8Rng, element: ScalarType, rank: usize) -> Self {
        let width = element.bytes() as usize;
        // Blocks have at most 4 elements along the outer axes where there are more than three: 12 have room for whole blocks and for cut ones.
        let most = if rank > 3 { 12 } else { 40 };
        let shape: Vec<i64> = (0..rank).map(|_| random.random_range(1..=most)).collect();
        let unit = (16 / width) as i64;
        let mut strides = vec![1; rank];
        let mut extent = shape[rank - 1];
        for axis in (0..rank - 1).rev() {
            strides[axis] = (extent + unit - 1) / unit * unit + unit * random.random_range(0..=2);
            extent = strides[axis] * shape[axis];
        }
        let offset = 16 * random.random_range(0..4);
        let bytes = (0..offset + extent as usize * width + 64).map(|_| random.random()).collect();
        Self { bytes, element, offset, shape, strides }
    }

    /// Where the element with this index lies; nothing outside the tensor.
    fn place(&self, index: &[i64]) -> Option<std::ops::Range<usize>> {
        let inside = index.iter().zip(&self.shape).all(|(at, size)| (0..*size).contains(at));
        inside.then(|| {
            let element: i64 = index.iter().zip(&self.strides).map(|(at, stride)| at * stride).sum();
            let width = self.element.bytes() as usize;
            let start = self.offset + element as usize * width;
            start..start + width
        })
    }

    fn describe<'a>(&'a self, buffer: &'a tk::Buffer) -> TensorDescriptor<'a> {
        let (shape, strides) = (&self.shape[..], &self.strides[..]);
        TensorDescriptor { buffer, offset: self.offset, element: self.element, shape, strides }
    }
}

/// Every index of a block.
fn indices(block: &[u32]) -> Vec<Vec<i64>> {
    block.iter().fold(vec![Vec::new()], |all, size| {
        let grown = all.iter().flat_map(|index| (0..i64::from(*size)).map(move |at| [&index[..], &[at]].concat()));
        grown.collect()
    })
}

fn moved(index: &[i64], by: &[i64]) -> Vec<i64> {
    index.iter().zip(by).map(|(at, by)| at + by).collect()
}

/// `dst.store(to, src.load(from))` with offsets as arguments.
fn mover(rank: usize) -> String {
    let names = |letter: char| (0..rank).map(|axis| format!("{letter}{axis}")).collect::<Vec<_>>().join(", ");
    let (from, to) = (names('f'), names('t'));
    format!("@triton.jit\ndef k(src, dst, {from}, {to}):\n    dst.store([{to}], src.load([{from}]))\n")
}

/// Random blocks of random tensors of this type and rank. With tensor maps, every other seed writes a tensor that ends anywhere, which the
/// signature says, and so through pointers.
fn move_blocks(target: &str, element: ScalarType, rank: usize, nan: bool, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let device = Device::open(DeviceChoice::Sim).unwrap();
    let unit = (16 / element.bytes()).max(1);
    let mut block: Vec<u32> = (0..rank).map(|_| 1 << random.random_range(0..if rank > 3 { 3 } else { 5 })).collect();
    block[rank - 1] = unit << random.random_range(0..3);
    let text = mover(rank);
    let sizes: Vec<String> = block.iter().map(u32::to_string).collect();
    let padding = if nan { ",nan" } else { "" };
    let sizes = sizes.join(",");
    let desc = format!("tensordesc<{element}[{sizes}]{padding}>");
    let has_maps = target == "sm_90a";
    let is_ragged = has_maps && seed.is_multiple_of(2);
    let target_desc = if is_ragged {
        format!("tensordesc<{element}[{sizes}],ragged>")
    } else {
        format!("tensordesc<{element}[{sizes}]>")
    };
    let signature = format!("{desc},{target_desc}{}", ",i32".repeat(2 * rank));
    let kernel = load(&device, &text, &signature, target);
    for _ in 0..6 {
        let (source, mut target_tensor) =
            (Tensor::random(&mut random, element, rank), Tensor::random(&mut random, element, rank));
        let mut offsets = |tensor: &Tensor| -> Vec<i64> {
            (0..rank).map(|axis| random.random_range(-i64::from(block[axis]) - 1..=tensor.shape[axis] + 1)).collect()
        };
        let (mut from, mut to) = (offsets(&source), offsets(&target_tensor));
        let unit = i64::from(unit);
        if has_maps {
            from[rank - 1] = from[rank - 1].div_euclid(unit) * unit;
        }
        if has_maps && !is_ragged {
            to[rank - 1] = to[rank - 1].div_euclid(unit) * unit;
            to.iter_mut().for_each(|offset| *offset = (*offset).max(0));
            // Strides have room for whole units.
            target_tensor.shape[rank - 1] = (target_tensor.shape[rank - 1] + unit - 1) / unit * unit;
        }
        let (src, dst) = (device.upload(&source.bytes).unwrap(), device.upload(&target_tensor.bytes).unwrap());
        let mut args = vec![Arg::Descriptor(source.describe(&src)), Arg::Descriptor(target_tensor.describe(&dst))];
        args.extend(from.iter().chain(&to).map(|offset| Arg::I64(*offset)));
        kernel.launch([1, 1, 1], &args).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
        let got = device.download(&dst).unwrap();
        let mut is_padding = vec![false; got.len()];
        for index in indices(&block) {
            let Some(place) = target_tensor.place(&moved(&index, &to)) else { continue };
            match source.place(&moved(&index, &from)) {
                Some(read) => target_tensor.bytes[place].copy_from_slice(&source.bytes[read]),
                None if nan => is_padding[place].fill(true),
                None => target_tensor.bytes[place].fill(0),
            }
        }
        for (at, (got, expected)) in got.iter().zip(&target_tensor.bytes).enumerate().filter(|(at, _)| !is_padding[*at])
        {
            assert_eq!(got, expected, "byte {at}: {desc} from {from:?} of {:?} to {to:?} on {target}", source.shape);
        }
        let width = element.bytes() as usize;
        for (at, chunk) in got[target_tensor.offset..].chunks_exact(width).enumerate() {
            if is_padding[target_tensor.offset + at * width] {
                let bits = chunk.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
                assert!(is_nan(element, bits), "{bits:#x} of {desc} is no NaN");
            }
        }
    }
}

fn is_nan(element: ScalarType, bits: u64) -> bool {
    let exponent = match element {
        ScalarType::F16 => 0x7c00,
        ScalarType::BF16 => 0x7f80,
        ScalarType::F32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    };
    let sign = 1u64 << (element.bits() - 1);
    (bits & !sign) > exponent
}

const TYPES: [ScalarType; 9] = {
    use ScalarType::{BF16, F8E5M2, F16, F32, F64, I8, I32, I64, U16};
    [F16, BF16, F32, F64, F8E5M2, I8, U16, I32, I64]
};

/// Two ranks for each type; together the types see every rank.
fn ranks(at: usize) -> [usize; 2] {
    [1 + at % 5, 1 + (at + 2) % 5]
}

#[test]
fn blocks_move_by_tensor_maps() {
    for (at, element) in TYPES.into_iter().enumerate() {
        for rank in ranks(at) {
            move_blocks("sm_90a", element, rank, false, (at * 5 + rank) as u64 + 1);
        }
    }
}

#[test]
fn blocks_move_by_pointers_where_there_are_no_tensor_maps() {
    for (at, element) in TYPES.into_iter().enumerate() {
        for rank in ranks(at) {
            move_blocks("sm_80", element, rank, false, (at * 5 + rank) as u64 + 100);
        }
    }
}

#[test]
fn padding_can_be_nan() {
    for target in ["sm_90a", "sm_80"] {
        for (at, element) in [ScalarType::F16, ScalarType::BF16, ScalarType::F32].into_iter().enumerate() {
            for rank in 1..=3 {
                move_blocks(target, element, rank, true, (at * 3 + rank) as u64 + 200);
            }
        }
    }
}

/// Of descriptors that the kernel makes of sizes that are arguments, random blocks are written anywhere: before the tensor, between units, past
/// an end at any element. The branch of each write finds which TMA can do.
#[test]
fn blocks_of_made_descriptors_are_written_anywhere() {
    let device = Device::open(DeviceChoice::Sim).unwrap();
    for (at, element) in [ScalarType::F16, ScalarType::F32, ScalarType::I8].into_iter().enumerate() {
        for rank in 1..=3 {
            let mut random = ChaCha8Rng::seed_from_u64((at * 3 + rank) as u64 + 300);
            let unit = 16 / element.bytes();
            let mut block: Vec<u32> = (0..rank).map(|_| 1 << random.random_range(0..4)).collect();
            block[rank - 1] = unit << random.random_range(0..3);
            let sizes: Vec<String> = block.iter().map(u32::to_string).collect();
            let signature =
                format!("tensordesc<{element}[{}]>,*{element}:16{}", sizes.join(","), ",i32".repeat(3 * rank));
            let kernel = load(&device, &maker(rank, &sizes), &signature, "sm_90a");
            (0..12).for_each(|_| write_made_block(&device, &kernel, element, &block, &mut random));
        }
    }
}

/// `descriptor.store(to, block)`, of a descriptor with sizes `n…` and strides `s…`; the last stride is 1.
fn maker(rank: usize, block: &[String]) -> String {
    let names = |letter: char| (0..rank).map(|axis| format!("{letter}{axis}")).collect::<Vec<_>>().join(", ");
    let (sizes, strides, to) = (names('n'), names('s'), names('t'));
    let zeros = vec!["0"; rank].join(", ");
    let steps: Vec<String> =
        (0..rank).map(|axis| if axis + 1 == rank { "1".into() } else { format!("s{axis}") }).collect();
    format!(
        "@triton.jit\ndef k(src, base, {sizes}, {strides}, {to}):\n    \
         d = tl.make_tensor_descriptor(base, [{sizes}], [{}], [{}])\n    d.store([{to}], src.load([{zeros}]))\n",
        steps.join(", "),
        block.join(", ")
    )
}

fn write_made_block(
    device: &Device,
    kernel: &DeviceKernel,
    element: ScalarType,
    block: &[u32],
    random: &mut ChaCha8Rng,
) {
    let rank = block.len();
    let (source, mut target) = (Tensor::random(random, element, rank), Tensor::random(random, element, rank));
    target.offset = 0;
    let to: Vec<i64> =
        (0..rank).map(|axis| random.random_range(-i64::from(block[axis]) - 1..=target.shape[axis] + 1)).collect();
    let (src, dst) = (device.upload(&source.bytes).unwrap(), device.upload(&target.bytes).unwrap());
    let mut args = vec![Arg::Descriptor(source.describe(&src)), Arg::Buffer(&dst, 0)];
    args.extend(target.shape.iter().chain(&target.strides).chain(&to).map(|number| Arg::I64(*number)));
    kernel.launch([1, 1, 1], &args).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    for index in indices(block) {
        let Some(place) = target.place(&moved(&index, &to)) else { continue };
        match source.place(&index) {
            Some(read) => target.bytes[place].copy_from_slice(&source.bytes[read]),
            None => target.bytes[place].fill(0),
        }
    }
    assert_eq!(device.download(&dst).unwrap(), target.bytes, "{element} {block:?} at {to:?} of {:?}", target.shape);
}

/// What a reduction makes of two numbers.
type Combine = fn(i64, i64) -> i64;

#[test]
fn blocks_are_combined_with_memory() {
    let signed: [(&str, Combine); 6] = [
        ("atomic_add", |a, b| i64::from((a as i32).wrapping_add(b as i32))),
        ("atomic_min", i64::min),
        ("atomic_max", i64::max),
        ("atomic_and", |a, b| a & b),
        ("atomic_or", |a, b| a | b),
        ("atomic_xor", |a, b| a ^ b),
    ];
    let device = Device::open(DeviceChoice::Sim).unwrap();
    for target in ["sm_90a", "sm_80"] {
        for (element, name) in [(ScalarType::I32, "i32"), (ScalarType::U32, "u32")] {
            for (method, combine) in signed {
                let text = format!("@triton.jit\ndef k(src, dst, r, c):\n    dst.{method}([r, c], src.load([0, 0]))\n");
                let desc = format!("tensordesc<{name}[8,16]>");
                let kernel = load(&device, &text, &format!("{desc},{desc},i32,i32"), target);
                reduce_block(&device, &kernel, element, combine, &format!("{method} of {name} on {target}"));
            }
        }
    }
}

/// A block of 8 x 16 that hangs over the end of a tensor of 20 x 24 at (15, 12).
fn reduce_block(device: &Device, kernel: &DeviceKernel, element: ScalarType, combine: Combine, what: &str) {
    let mut random = ChaCha8Rng::seed_from_u64(what.len() as u64 + 7);
    let mut tensor = |shape: [i64; 2], stride: i64| {
        let words: Vec<u32> = (0..shape[0] * stride).map(|_| random.random()).collect();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        (words, Tensor { bytes, element, offset: 0, shape: shape.to_vec(), strides: vec![stride, 1] })
    };
    let ((values, source), (mut memory, target)) = (tensor([8, 16], 16), tensor([20, 24], 28));
    let (src, dst) = (device.upload(&source.bytes).unwrap(), device.upload(&target.bytes).unwrap());
    let args =
        [Arg::Descriptor(source.describe(&src)), Arg::Descriptor(target.describe(&dst)), Arg::I32(15), Arg::I32(12)];
    kernel.launch([1, 1, 1], &args).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    let number = |bits: u32| if element == ScalarType::I32 { i64::from(bits as i32) } else { i64::from(bits) };
    for (row, column) in (0..5).flat_map(|row| (0..12).map(move |column| (row, column))) {
        let slot = &mut memory[(15 + row) * 28 + 12 + column];
        *slot = combine(number(*slot), number(values[row * 16 + column])) as u32;
    }
    let got = device.download(&dst).unwrap();
    for (at, (got, expected)) in got.chunks_exact(4).zip(&memory).enumerate() {
        assert_eq!(u32::from_le_bytes([got[0], got[1], got[2], got[3]]), *expected, "{what}: element {at}");
    }
}
