//! Bulk copies and tensor maps against a plain model of the PTX text: every rank, element size and swizzle, edges, reductions.

use crate::device::{self, Device, Random};
use tk_diag::{DATA_RACE, DEADLOCK, UNINITIALISED};
use tk_sim::{Arg, TensorElement, TensorMap, encode_tensor_map};

/// A kernel of one warp: its lane 0 does `body` (predicate `%p1`), between reading shared memory from `in` and writing it to `out`.
fn kernel(before: &str, body: &str, after: &str) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 in, .param .u64 out, .param .u32 bytes,
    .param .u32 c0, .param .u32 c1, .param .u32 c2, .param .u32 c3, .param .u32 c4, .param .u64 raw)
{{
    .reg .pred %p<9>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
    .shared .align 8 .b64 bar;
    mov.b64 %rd1, map;
    cvta.param.u64 %rd2, %rd1;
    ld.param.u64 %rd3, [in];
    ld.param.u64 %rd4, [out];
    ld.param.u64 %rd5, [raw];
    ld.param.u32 %r1, [bytes];
    ld.param.u32 %r10, [c0];
    ld.param.u32 %r11, [c1];
    ld.param.u32 %r12, [c2];
    ld.param.u32 %r13, [c3];
    ld.param.u32 %r14, [c4];
    mov.u32 %r2, %tid.x;
    setp.eq.s32 %p1, %r2, 0;
    mov.b32 %r3, tile;
    mov.b32 %r4, bar;
    @%p1 mbarrier.init.shared::cta.b64 [%r4], 1;
    bar.sync 0;
    shl.b32 %r5, %r2, 2;
{before}
{body}
{after}
    ret;
}}
"
    )
}

/// Copies shared memory to `out`, or from `in`.
fn words(to_global: bool) -> String {
    let (label, pointer) = if to_global { ("OUT", "%rd4") } else { ("IN", "%rd3") };
    let step = match to_global {
        true => "ld.shared.b32 %r8, [%r7];\n    st.global.b32 [%rd7], %r8;",
        false => "ld.global.b32 %r8, [%rd7];\n    st.shared.b32 [%r7], %r8;",
    };
    format!(
        "    mov.b32 %r6, %r5;
{label}:
    add.s32 %r7, %r3, %r6;
    cvt.u64.u32 %rd6, %r6;
    add.s64 %rd7, {pointer}, %rd6;
    setp.lt.u32 %p2, %r6, %r1;
    @!%p2 bra {label}_END;
    {step}
    add.s32 %r6, %r6, 128;
    bra {label};
{label}_END:
"
    )
}

const WAIT: &str = "
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0;
    @!%p3 bra WAIT;
";

fn coordinates(rank: usize) -> String {
    (0..rank).map(|d| format!("%r{}", 10 + d)).collect::<Vec<_>>().join(", ")
}

fn load_of(rank: usize) -> String {
    let list = coordinates(rank);
    let op = format!("cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes");
    format!(
        "    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], %r1;\n    @%p1 {op} [%r3], [%rd2, {{{list}}}], [%r4];"
    )
}

fn store_of(rank: usize, reduce: &str) -> String {
    let list = coordinates(rank);
    let (cp, reduce) = if reduce.is_empty() { ("cp", String::new()) } else { ("cp.reduce", format!(".{reduce}")) };
    let op = format!("{cp}.async.bulk.tensor.{rank}d.global.shared::cta{reduce}.tile.bulk_group");
    format!("    @%p1 {op} [%rd2, {{{list}}}], [%r3];\n    cp.async.bulk.commit_group;")
}

const FENCE: &str = "    fence.proxy.async.shared::cta;\n    bar.sync 0;\n";

/// A random tensor and box: bytes of the tensor (rows with gaps), map without address, start.
fn random_case(random: &mut Random) -> (TensorMap, Vec<i32>, usize) {
    use TensorElement::{F16, F32, F64, S32, U8, U16};
    let rank = 1 + random.below(5) as usize;
    let element = [U8, U16, F16, F32, S32, F64][random.below(6) as usize];
    let swizzle = [0, 32, 64, 128][random.below(4) as usize];
    let row = if swizzle == 0 { 16 * (1 + random.below(16) as u32) } else { swizzle };
    let stride0 = 1 + random.below(2) as u32;
    let stride0 = if row / element.bytes() * stride0 <= 256 { stride0 } else { 1 };
    let mut block = vec![row / element.bytes() * stride0];
    let mut element_strides = vec![stride0];
    let mut sizes = vec![1 + random.below(u64::from(block[0]) * 2) as u32];
    let mut pitch = u64::from(sizes[0] * element.bytes()).next_multiple_of(16);
    let mut strides = Vec::new();
    for _ in 1..rank {
        strides.push(pitch);
        block.push(1 + random.below(5) as u32);
        element_strides.push(1 + random.below(2) as u32);
        sizes.push(1 + random.below(7) as u32);
        pitch = pitch * u64::from(sizes[sizes.len() - 1]) + 16 * random.below(3);
    }
    let mut start: Vec<i32> = (0..rank).map(|d| random.below(u64::from(sizes[d]) + 6) as i32 - 4).collect();
    let unit = 16 / element.bytes() as i32;
    start[0] = start[0].div_euclid(unit) * unit;
    let fill_nan = random.below(2) == 0 && matches!(element, F16 | F32 | F64);
    let map =
        TensorMap { address: 0, element, sizes, strides, block, element_strides, swizzle_bytes: swizzle, fill_nan };
    (map, start, pitch as usize)
}

/// For every element of the box: byte in shared memory, and byte in the tensor when inside it.
fn places(map: &TensorMap, start: &[i32]) -> Vec<(usize, Option<usize>)> {
    places_within(map, start, &map.sizes)
}

/// The same for what is written: rows end after whole units of 16 bytes.
fn written_places(map: &TensorMap, start: &[i32]) -> Vec<(usize, Option<usize>)> {
    let mut sizes = map.sizes.clone();
    if map.element_strides[0] == 1 {
        sizes[0] = sizes[0].next_multiple_of(16 / map.element.bytes());
    }
    places_within(map, start, &sizes)
}

fn places_within(map: &TensorMap, start: &[i32], sizes: &[u32]) -> Vec<(usize, Option<usize>)> {
    let rank = map.sizes.len();
    let bytes = map.element.bytes() as usize;
    let extents: Vec<usize> = (0..rank).map(|d| map.block[d].div_ceil(map.element_strides[d]) as usize).collect();
    let mask = match map.swizzle_bytes {
        32 => 1,
        64 => 3,
        128 => 7,
        _ => 0,
    };
    let count: usize = extents.iter().product();
    let one = |i: usize| {
        let dense = i * bytes;
        let (mut rest, mut at) = (i, Some(0i64));
        for d in 0..rank {
            let index = i64::from(start[d]) + (rest % extents[d]) as i64 * i64::from(map.element_strides[d]);
            rest /= extents[d];
            let pitch = if d == 0 { bytes as i64 } else { map.strides[d - 1] as i64 };
            at = at.filter(|_| index >= 0 && index < i64::from(sizes[d])).map(|at| at + index * pitch);
        }
        (dense ^ ((dense >> 7 & mask) << 4), at.map(|at| at as usize))
    };
    (0..count).map(one).collect()
}

fn run(device: &mut Device, ptx: &str, args: &[Arg]) -> tk_diag::Result<tk_sim::Report> {
    device.run(ptx, "k", [1, 1, 1], 32, 200 << 10, args)
}

fn render(error: &tk_diag::Diagnostic) -> String {
    tk_diag::render(error, tk_diag::Style::Plain)
}

fn arguments(map: &[u8], buffers: [tk_sim::Buffer; 3], bytes: usize, start: &[i32]) -> Vec<Arg> {
    let [input, output, raw] = buffers;
    let mut args = vec![Arg(map.to_vec()), input.into(), output.into(), Arg::from(bytes as i32)];
    args.extend((0..5).map(|d| Arg::from(start.get(d).copied().unwrap_or(0))));
    args.push(raw.into());
    args
}

#[test]
fn loads_of_random_boxes() {
    let mut random = Random::new(31);
    for case in 0..300 {
        let (mut map, start, size) = random_case(&mut random);
        let tensor: Vec<u8> = (0..size.max(16)).map(|_| random.next() as u8).collect();
        let mut device = Device::new();
        device.config.seed = case;
        let source = device.upload(tensor.clone());
        map.address = source.address();
        let places = places(&map, &start);
        let element = map.element.bytes() as usize;
        let bytes = places.len() * element;
        let out = device.poison(bytes);
        let ptx = kernel("", &load_of(map.sizes.len()), &format!("{WAIT}{}", words(true)));
        let args = arguments(&encode_tensor_map(&map).unwrap(), [source, out, source], bytes, &start);
        run(&mut device, &ptx, &args).unwrap_or_else(|e| panic!("{map:?} {start:?} {}", render(&e)));
        let got = device.memory.read(out).unwrap();
        let fill = |i: usize| match (map.fill_nan, element) {
            (false, _) => 0,
            (true, n) if i == n - 1 => 0x7F,
            _ => 0xFF,
        };
        for (at, place) in places {
            for i in 0..element {
                let wanted = place.map_or_else(|| fill(i), |place| tensor[place + i]);
                assert_eq!(got[at + i], wanted, "case {case}: {map:?} {start:?} byte {at}");
            }
        }
    }
}

#[test]
fn stores_of_random_boxes() {
    let mut random = Random::new(32);
    for case in 0..300 {
        let (mut map, mut start, size) = random_case(&mut random);
        start.iter_mut().for_each(|start| *start = (*start).max(0));
        let old: Vec<u8> = (0..size.max(16)).map(|_| random.next() as u8).collect();
        let mut device = Device::new();
        let target = device.upload(old.clone());
        map.address = target.address();
        let places = written_places(&map, &start);
        let element = map.element.bytes() as usize;
        let data: Vec<u8> = (0..places.len() * element).map(|_| random.next() as u8).collect();
        let input = device.upload(data.clone());
        let wait = ["cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;"][case % 2];
        let before = words(false) + FENCE;
        let ptx = kernel(&before, &store_of(map.sizes.len(), ""), wait);
        let args = arguments(&encode_tensor_map(&map).unwrap(), [input, input, input], data.len(), &start);
        run(&mut device, &ptx, &args).unwrap_or_else(|e| panic!("{map:?} {start:?} {}", render(&e)));
        let mut wanted = old;
        for (at, place) in places {
            if let Some(place) = place {
                wanted[place..place + element].copy_from_slice(&data[at..at + element]);
            }
        }
        assert_eq!(device.memory.read(target).unwrap(), wanted, "case {case}: {map:?} {start:?}");
    }
}

/// A tensor of 8 rows of 32 words, boxes of 4 rows of 16.
fn small(element: TensorElement, address: u64) -> TensorMap {
    let (sizes, block) = (vec![32, 8], vec![16, 4]);
    let (strides, element_strides) = (vec![128], vec![1, 1]);
    TensorMap { address, element, sizes, strides, block, element_strides, swizzle_bytes: 64, fill_nan: false }
}

#[test]
fn reductions() {
    use TensorElement::{F32, S32, U32};
    type Combine = fn(u32, u32) -> u32;
    let cases: [(&str, TensorElement, Combine); 7] = [
        ("add", U32, |a, b| a.wrapping_add(b)),
        ("add", F32, |a, b| (f32::from_bits(a) + f32::from_bits(b)).to_bits()),
        ("min", S32, |a, b| (a as i32).min(b as i32) as u32),
        ("max", U32, |a, b| a.max(b)),
        ("and", U32, |a, b| a & b),
        ("or", S32, |a, b| a | b),
        ("xor", U32, |a, b| a ^ b),
    ];
    for (name, element, combine) in cases {
        let mut random = Random::new(33);
        let mut list = |n: usize| match element {
            F32 => random.floats(n).into_iter().map(f32::to_bits).collect::<Vec<u32>>(),
            _ => (0..n).map(|_| random.next() as u32).collect(),
        };
        let (old, data) = (list(256), list(64));
        let mut device = Device::new();
        let (target, input) = (device.upload(device::u32s(&old)), device.upload(device::u32s(&data)));
        let map = small(element, target.address());
        let ptx = kernel(&(words(false) + FENCE), &store_of(2, name), "cp.async.bulk.wait_group 0;");
        let args = arguments(&encode_tensor_map(&map).unwrap(), [input; 3], 256, &[24, 6]);
        run(&mut device, &ptx, &args).unwrap_or_else(|e| panic!("{}", render(&e)));
        let mut wanted = old;
        for (i, (at, place)) in places(&map, &[24, 6]).into_iter().enumerate() {
            let Some(place) = place else { continue };
            assert!(i < 64);
            wanted[place / 4] = combine(wanted[place / 4], data[at / 4]);
        }
        assert_eq!(device.words(target), wanted, "{name}");
    }
}

#[test]
fn plain_bytes_there_and_back() {
    let mut random = Random::new(34);
    let data: Vec<u8> = (0..512).map(|_| random.next() as u8).collect();
    let mut device = Device::new();
    let (input, output) = (device.upload(data.clone()), device.upload(vec![0; 512]));
    let body = format!(
        "    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 512;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd3], 256, [%r4];
    add.s64 %rd8, %rd3, 256;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+256], [%rd8], 256, [%r4];
{WAIT}
    @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r3], 496;
    @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [%rd5], [%r3], 16;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;"
    );
    let args = arguments(&[0; 128], [input, output, output], 512, &[]);
    let report = run(&mut device, &kernel("", &body, ""), &args).unwrap_or_else(|e| panic!("{}", render(&e)));
    let got = device.memory.read(output).unwrap();
    assert_eq!(got[16..496], data[16..496]);
    assert_eq!(got[496..], [0; 16]);
    assert_eq!(report.memory.totals().bytes, 512 + 496 + 16);
}

/// Runs a load or store that breaks a rule.
#[track_caller]
fn fails(before: &str, body: &str, after: &str, code: tk_diag::Code, text: &str) {
    let mut device = Device::new();
    let buffer = device.upload(vec![1; 1024]);
    let map = small(TensorElement::U32, buffer.address());
    let args = arguments(&encode_tensor_map(&map).unwrap(), [buffer; 3], 256, &[0, 0]);
    let error = run(&mut device, &kernel(before, body, after), &args).expect_err("the run must stop");
    let rendered = render(&error);
    assert!(error.code == code && rendered.contains(text), "{rendered}");
}

#[test]
fn rules() {
    let (load, store, wait) = (load_of(2), store_of(2, ""), "cp.async.bulk.wait_group.read 0;");
    let filled = words(false) + FENCE;
    fails("", &load, &words(true), UNINITIALISED, "in flight");
    fails("", &load.replace("], %r1;", "], 512;"), WAIT, DEADLOCK, "still waits for 256 bytes");
    fails("", &load, "", DATA_RACE, "the CTA ends while a bulk copy");
    fails(&words(false), &load, WAIT, DATA_RACE, "fence.proxy.async");
    fails("", &store, wait, UNINITIALISED, "nothing wrote");
    fails(&words(false), &format!("    bar.sync 0;\n{store}"), wait, DATA_RACE, "fence.proxy.async");
    fails(&filled, &store, "", DATA_RACE, "the CTA ends while a bulk copy");
    let overwrite = format!("    st.shared.b32 [%r3], %r1;\n    {wait}");
    fails(&filled, &store, &overwrite, DATA_RACE, "wait for the operation to complete");
    let by_the_same = format!("    @%p1 st.shared.b32 [%r3], %r1;\n    {wait}");
    fails(&filled, &store, &by_the_same, DATA_RACE, "wait for the operation to complete");
    let early = format!("    {wait}\n    setp.eq.s32 %p4, %r2, 9;\n    @%p4 st.shared.b32 [%r3], %r1;");
    fails(&filled, &store, &early, DATA_RACE, "races: thread 0 read");
    fails("", "    @%p1 mbarrier.arrive.shared.b64 _, [%r4], 2;", "", tk_diag::BAD_PTX, "waits for only 1 more");
    let gone = format!("{load}\n    @%p1 mbarrier.inval.shared.b64 [%r4];\n    bar.sync 0;");
    fails("", &gone, "", tk_diag::BAD_PTX, "is gone before its copy landed");
}

/// Along the contiguous dimension copies start at multiples of 16 bytes.
#[test]
fn starts_between_units() {
    for (element, start, text) in [
        (TensorElement::U32, 1, "starts at element 1 of its contiguous dimension, 4 bytes"),
        (TensorElement::F32, 6, "starts at element 6 of its contiguous dimension, 24 bytes"),
    ] {
        for (before, body, after) in
            [(String::new(), load_of(2), WAIT), (words(false) + FENCE, store_of(2, ""), "cp.async.bulk.wait_group 0;")]
        {
            let mut device = Device::new();
            let buffer = device.upload(vec![1; 1024]);
            let map = encode_tensor_map(&small(element, buffer.address())).unwrap();
            let args = arguments(&map, [buffer; 3], 256, &[start, 0]);
            let error = run(&mut device, &kernel(&before, &body, after), &args).expect_err("the run must stop");
            assert!(error.code == tk_diag::MISALIGNED && render(&error).contains(text), "{}", render(&error));
        }
    }
}

/// Only loads start before a tensor.
#[test]
fn writes_before_the_tensor() {
    for start in [[0, -1], [-4, 0]] {
        for reduction in ["", "add"] {
            let mut device = Device::new();
            let buffer = device.upload(vec![1; 1024]);
            let map = encode_tensor_map(&small(TensorElement::U32, buffer.address())).unwrap();
            let args = arguments(&map, [buffer; 3], 256, &start);
            let ptx = kernel(&(words(false) + FENCE), &store_of(2, reduction), "cp.async.bulk.wait_group 0;");
            let error = run(&mut device, &ptx, &args).expect_err("the run must stop");
            assert!(error.code == tk_diag::OUT_OF_BOUNDS && render(&error).contains("before the tensor"));
        }
    }
}

#[test]
fn phases_of_an_mbarrier() {
    // One thread drops out after the first phase; the others go through two more.
    let body = "    @%p1 mbarrier.inval.shared.b64 [%r4];
    bar.sync 0;
    @%p1 mbarrier.init.shared.b64 [%r4], 32;
    bar.sync 0;
    @!%p1 mbarrier.arrive.shared.b64 %rd8, [%r4];
    @%p1 mbarrier.arrive_drop.shared.b64 %rd8, [%r4];
FIRST:
    mbarrier.test_wait.shared.b64 %p3, [%r4], %rd8;
    @!%p3 bra FIRST;
    @%p1 bra LEAVE;
    mbarrier.arrive.shared.b64 _, [%r4];
SECOND:
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p3, [%r4], 1, 1000;
    @!%p3 bra SECOND;
    setp.eq.s32 %p5, %r2, 1;
    @%p5 mbarrier.arrive.noComplete.shared.b64 %rd9, [%r4], 30;
    @%p5 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 64;
    @%p5 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 32;
    @%p5 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 96;
THIRD:
    mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0;
    @!%p3 bra THIRD;
    cvt.u64.u32 %rd6, %r5;
    add.s64 %rd7, %rd4, %rd6;
    st.global.b32 [%rd7], %r2;
LEAVE:";
    let mut device = Device::new();
    let out = device.upload(vec![0; 128]);
    let args = arguments(&[0; 128], [out; 3], 0, &[]);
    run(&mut device, &kernel("", body, ""), &args).unwrap_or_else(|e| panic!("{}", render(&e)));
    assert_eq!(device.words(out), (0..32).collect::<Vec<u32>>());
}
