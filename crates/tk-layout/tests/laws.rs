//! Laws of layouts and encodings on random input: text round trips, coverage, inverses, associativity, division.

use crate::random;
use proptest::prelude::*;
use tk_layout::{
    BlockedEncoding, Dim, DrawLimits, Encoding, LinearLayout, NvmmaSharedEncoding, PaddedSharedEncoding,
    SharedLinearEncoding, SwizzledSharedEncoding, default_blocked, describe, draw, draw_within,
};

fn shared() -> impl Strategy<Value = (Encoding, Vec<i64>)> {
    let bits = 0u32..4;
    let swizzled = (bits.clone(), bits.clone(), bits, any::<bool>(), 3u32..7, 3u32..7).prop_map(
        |(v, p, m, swap, rows, columns)| {
            let order = if swap { vec![0, 1] } else { vec![1, 0] };
            let encoding = SwizzledSharedEncoding { vec: 1 << v, per_phase: 1 << p, max_phase: 1 << m, order };
            (Encoding::SwizzledShared(encoding), vec![1i64 << rows, 1 << columns])
        },
    );
    let nvmma =
        (0u32..4, 0u32..4, any::<bool>(), 3u32..6, 0u32..3).prop_map(|(swizzle, element, transposed, rows, more)| {
            let swizzling_byte_width = [0, 32, 64, 128][swizzle as usize];
            let element_bit_width = 8 << element;
            let columns = i64::from((swizzling_byte_width.max(16) * 8 / element_bit_width).max(8) << more);
            let mut shape = vec![1i64 << rows, columns];
            if transposed {
                shape.reverse();
            }
            let encoding =
                NvmmaSharedEncoding { swizzling_byte_width, transposed, element_bit_width, fp4_padded: false, rank: 2 };
            (Encoding::NvmmaShared(encoding), shape)
        });
    let linear = random::tensor(8, 1).prop_filter_map("invertible", |tensor| {
        let layout = tensor.encodings[0].to_linear(&tensor.shape).ok()?;
        let columns = independent_bases(&layout);
        let outs: Vec<(Dim, u32)> = layout.out_dims().map(|dim| (dim, layout.out_size(dim))).collect();
        let layout = LinearLayout::from_bases(&[(Dim::Offset, columns), (Dim::Block, vec![])], &outs).ok()?;
        (layout.total_in_bits() > 0 && layout.is_invertible()).then_some((layout, tensor.shape))
    });
    let explicit = (linear, any::<bool>(), 3u32..6).prop_map(|((layout, shape), padded, interval)| {
        let encoding = if padded {
            Encoding::PaddedShared(PaddedSharedEncoding {
                intervals: vec![(1 << interval, 4), (4 << interval, 8)],
                linear: layout,
            })
        } else {
            Encoding::SharedLinear(SharedLinearEncoding { layout, alignment: 16 })
        };
        (encoding, shape)
    });
    prop_oneof![3 => swizzled, 3 => nvmma, 2 => explicit]
}

/// The bases of `layout` that are independent of earlier ones: a memory order when the layout covers its tensor.
fn independent_bases(layout: &LinearLayout) -> Vec<Vec<u32>> {
    let mut span = tk_layout::f2::Span::default();
    layout.columns().iter().filter(|column| span.insert(**column)).map(|column| layout.unpack(*column)).collect()
}

fn inputs(layout: &LinearLayout) -> impl Iterator<Item = u64> {
    0..1u64 << layout.total_in_bits()
}

/// A random layout from `ins` to `outs` (names and bits).
fn any_layout(ins: Vec<(Dim, u32)>, outs: Vec<(Dim, u32)>) -> impl Strategy<Value = LinearLayout> {
    let count: u32 = ins.iter().map(|(_, bits)| bits).sum();
    let basis = outs.iter().map(|(_, bits)| 0u32..1 << bits).collect::<Vec<_>>();
    prop::collection::vec(basis, count as usize).prop_map(move |bases| {
        let mut bases = bases.into_iter();
        let ins: Vec<_> = ins.iter().map(|(dim, bits)| (*dim, bases.by_ref().take(*bits as usize).collect())).collect();
        let outs: Vec<_> = outs.iter().map(|(dim, bits)| (*dim, 1 << bits)).collect();
        LinearLayout::from_bases(&ins, &outs).unwrap()
    })
}

const R: Dim = Dim::Register;
const L: Dim = Dim::Lane;
const A: Dim = Dim::Axis(0);
const B: Dim = Dim::Axis(1);
const O: Dim = Dim::Offset;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn text_round_trips(tensor in random::tensor(10, 1), (shared, _) in shared()) {
        for encoding in [&tensor.encodings[0], &shared] {
            if tensor.shape.iter().all(|size| *size > 1) || !matches!(encoding, Encoding::Linear(_)) {
                prop_assert_eq!(Encoding::parse(&encoding.to_string()), Ok(encoding.clone()));
            }
        }
    }

    #[test]
    fn parsing_never_panics(text in "(#ttg\\.(blocked|slice|dot_op|linear|padded_shared)<)?[\\[\\]{}<>#=, a-z0-9:+]{0,60}") {
        let _ = Encoding::parse(&text);
    }

    #[test]
    fn cut_text_is_an_error(tensor in random::tensor(10, 1), cut in any::<prop::sample::Index>()) {
        let text = tensor.encodings[0].to_string();
        prop_assert!(Encoding::parse(&text[..cut.index(text.len())]).is_err());
    }

    #[test]
    fn distributed_layouts_cover_the_tensor_and_free_masks_tell_copies(tensor in random::tensor(9, 1)) {
        let layout = tensor.encodings[0].to_linear(&tensor.shape).unwrap();
        prop_assert!(layout.is_surjective());
        let sizes: Vec<i64> = layout.out_dims().map(|dim| i64::from(layout.out_size(dim))).collect();
        prop_assert_eq!(sizes, tensor.shape.clone());
        let mut shift = 0;
        let mut free = 0u64;
        for (dim, mask) in layout.free_masks() {
            free |= u64::from(mask) << shift;
            shift += layout.in_bits(dim);
        }
        let mut times = vec![0; 1 << layout.total_out_bits()];
        inputs(&layout).filter(|input| input & free == 0).for_each(|input| times[layout.apply_flat(input) as usize] += 1);
        prop_assert!(times.iter().all(|times| *times == 1));
        prop_assert_eq!(tensor.encodings[0].order().len(), tensor.shape.len());
        prop_assert_eq!(tensor.encodings[0].num_warps(), Some(layout.in_size(Dim::Warp)));
    }

    #[test]
    fn shared_layouts_are_bijections((encoding, shape) in shared()) {
        let layout = encoding.to_linear(&shape).unwrap();
        prop_assert!(layout.is_invertible());
        let around = layout.compose(&layout.invert().unwrap()).unwrap();
        prop_assert!(inputs(&around).all(|input| around.apply_flat(input) == input));
        if let Encoding::PaddedShared(padded) = &encoding {
            let offsets: Vec<u32> = (0..layout.in_size(O)).map(|offset| padded.pad(offset)).collect();
            prop_assert!(offsets.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(offsets.last().map(|last| last + 1), Some(padded.padded_size(layout.in_size(O))));
        }
    }

    #[test]
    fn composition_is_application_and_associative(
        a in any_layout(vec![(R, 3), (L, 2)], vec![(A, 2), (B, 3)]),
        b in any_layout(vec![(B, 3), (A, 3)], vec![(O, 4)]),
        c in any_layout(vec![(O, 5)], vec![(L, 3), (R, 1)]),
    ) {
        let ab = a.compose(&b).unwrap();
        for input in inputs(&a) {
            let middle: Vec<(Dim, u32)> = a.out_dims().zip(a.unpack(a.apply_flat(input))).collect();
            prop_assert_eq!(ab.unpack(ab.apply_flat(input)), b.apply(&middle).iter().map(|(_, at)| *at).collect::<Vec<_>>());
        }
        prop_assert_eq!(ab.compose(&c), a.compose(&b.compose(&c).unwrap()));
        prop_assert!(b.compose(&a).is_err());
    }

    #[test]
    fn inverses_undo(a in any_layout(vec![(R, 3), (L, 3)], vec![(A, 2), (B, 2)]), b in any_layout(vec![(O, 5)], vec![(A, 2), (B, 2)])) {
        if a.is_surjective() {
            let back = a.pseudo_invert().unwrap().compose(&a).unwrap();
            prop_assert!((0..16).all(|place| back.apply_flat(place) == place));
            let through = b.invert_and_compose(&a).unwrap();
            prop_assert_eq!(through.compose(&a).unwrap(), b);
        } else {
            prop_assert!(a.pseudo_invert().is_err());
        }
        prop_assert!(a.invert().is_err());
    }

    #[test]
    fn products_apply_side_by_side_and_divide(
        a in any_layout(vec![(R, 2), (L, 1)], vec![(A, 2), (B, 1)]),
        b in any_layout(vec![(R, 1), (L, 2)], vec![(A, 1), (B, 2)]),
    ) {
        let product = a.product(&b).unwrap();
        for (r, l) in (0u32..8).flat_map(|r| (0u32..8).map(move |l| (r, l))) {
            let (low, high) = (a.apply(&[(R, r & 3), (L, l & 1)]), b.apply(&[(R, r >> 2), (L, l >> 1)]));
            prop_assert_eq!(product.apply(&[(R, r), (L, l)]), vec![(A, low[0].1 | high[0].1 << 2), (B, low[1].1 | high[1].1 << 1)]);
        }
        prop_assert_eq!(product.divide_left(&a), Some(b.clone()));
        prop_assert_eq!(product.divide_right(&b), Some(a.clone()));
        prop_assert_eq!(product.divide_left(&product).map(|rest| rest.total_in_bits()), Some(0));
        prop_assert_eq!(a.divide_left(&product), None);
        let reordered = product.transpose_outs(&[B, A]).unwrap().transpose_ins(&[L, R]).unwrap();
        for (r, l) in (0u32..8).flat_map(|r| (0u32..8).map(move |l| (r, l))) {
            let mut place = product.apply(&[(R, r), (L, l)]);
            place.reverse();
            prop_assert_eq!(reordered.apply(&[(R, r), (L, l)]), place);
        }
    }

    #[test]
    fn parts_and_flat_forms_agree(a in any_layout(vec![(R, 3), (L, 2)], vec![(A, 2), (B, 3)])) {
        let flat = a.flatten_ins(R).unwrap().flatten_outs(O).unwrap();
        prop_assert!(inputs(&a).all(|input| flat.apply_flat(input) == a.apply_flat(input)));
        prop_assert_eq!(flat.reshape_ins(&[(R, 3), (L, 2)]).unwrap().reshape_outs(&[(A, 2), (B, 3)]).unwrap(), a.clone());
        let (left, right) = (a.sublayout(&[R], &[A, B]).unwrap(), a.sublayout(&[L], &[A, B]).unwrap());
        prop_assert_eq!(left.concat_ins(&right).unwrap(), a.clone());
        let (top, bottom) = (a.sublayout(&[R, L], &[A]).unwrap(), a.sublayout(&[R, L], &[B]).unwrap());
        prop_assert_eq!(top.concat_outs(&bottom).unwrap(), a.clone());
        prop_assert_eq!(a.sublayout_is_zero(&[R], &[A]), (0u32..8).all(|r| a.apply(&[(R, r)])[0].1 == 0));
        let run = a.num_consecutive();
        prop_assert!((0..run).all(|r| a.apply(&[(R, r)]) == vec![(A, r), (B, 0)]));
    }

    #[test]
    fn blocked_for_shape_uses_every_thread(
        bits in prop::collection::vec(0u32..8, 1..4),
        per_thread in prop::collection::vec(0u32..4, 3),
        warps in 0u32..4,
    ) {
        let shape: Vec<i64> = bits.iter().map(|bits| 1i64 << bits).collect();
        let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
        let size: Vec<u32> = per_thread[..shape.len()].iter().map(|bits| 1 << bits).collect();
        let blocked = BlockedEncoding::for_shape(&shape, &size, &order, 1 << warps, 32);
        prop_assert_eq!(blocked.threads_per_warp.iter().product::<u32>(), 32);
        prop_assert_eq!(blocked.warps_per_cta.iter().product::<u32>(), 1 << warps);
        let layout = Encoding::Blocked(blocked).to_linear(&shape).unwrap();
        // Threads are idle or repeated only when there are not enough elements for all of them.
        let threads = layout.free_mask(Dim::Lane).count_ones() + layout.free_mask(Dim::Warp).count_ones();
        let elements: u32 = bits.iter().sum::<u32>();
        let wanted: u32 = (0..shape.len()).map(|axis| per_thread[axis].min(bits[axis])).sum::<u32>() + 5 + warps;
        prop_assert_eq!(threads, wanted.saturating_sub(elements));
    }
}

#[test]
fn the_default_layout_is_row_major_with_one_element_per_thread() {
    let expected =
        "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>";
    assert_eq!(default_blocked(&[64, 64], 4, 32).to_string(), expected);
    let narrow =
        "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
    assert_eq!(default_blocked(&[64, 8], 4, 32).to_string(), narrow);
}

#[test]
fn coalesced_layouts_of_the_transposing_kernel() {
    let load = BlockedEncoding::for_shape(&[64, 64], &[1, 4], &[1, 0], 4, 32);
    assert_eq!((load.threads_per_warp, load.warps_per_cta), (vec![2, 16], vec![4, 1]));
    let store = BlockedEncoding::for_shape(&[64, 64], &[4, 1], &[0, 1], 4, 32);
    assert_eq!((store.threads_per_warp, store.warps_per_cta), (vec![16, 2], vec![1, 4]));
}

#[test]
fn wrong_text_is_explained() {
    let blocked =
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]";
    let cases = [
        ("#blocked", "no layout encoding"),
        ("#ttg.shiny<{}>", "ttg.shiny"),
        (&format!("{blocked}, color = 3}}>"), "color"),
        (&format!("{blocked}}}> x"), "after the encoding"),
        (&format!("{blocked}, CGALayout = [[1, 0]]}}>"), "CTAs"),
        ("#ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>", "power of two"),
        ("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [1]}>", "permutation"),
        (
            "#ttg.blocked<{sizePerThread = [99999999999], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
            "2^32",
        ),
        ("#ttg.linear<{register = [[0, 1], [4]], lane = [], warp = [], block = []}>", "lengths"),
        ("#ttg.linear<{register = [[2]], lane = [], warp = [], block = []}>", "every element"),
        (
            "#ttg.dot_op<{opIdx = 2, parent = #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [1, 1], instrShape = [16, 8]}>, kWidth = 2}>",
            "opIdx",
        ),
        (&"#ttg.slice<{dim = 0, parent = ".repeat(100_000), "nested"),
        (&format!("#ttg.linear<{{register = {}", "[".repeat(100_000)), "nested"),
    ];
    for (text, part) in cases {
        let why = Encoding::parse(text).unwrap_err();
        assert!(why.contains(part), "{text:.80}: {why}");
    }
    for trivial in ["CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]", "CGALayout = []"] {
        assert_eq!(Encoding::parse(&format!("{blocked}, {trivial}}}>")), Encoding::parse(&format!("{blocked}}}>")));
    }
}

/// Spellings that the reference compiler printed.
#[test]
fn shared_encodings_are_spelled_as_in_the_reference() {
    for text in [
        "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>",
        "#ttg.padded_shared<[32:+8] {order = [1, 0], shape = [8, 8]}>",
        "#ttg.padded_shared<[32:+8] {order = [0, 1], shape = [8, 1]}>",
        "#ttg.padded_shared<[32:+8, 128:+4] {offset = [[0, 1], [0, 2], [1, 0], [0, 4], [2, 0], [4, 0]], block = []}>",
        "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 3}>",
        "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>",
    ] {
        assert_eq!(Encoding::parse(text).map(|encoding| encoding.to_string()), Ok(text.to_string()));
    }
}

#[test]
fn shapes_that_do_not_fit_are_errors() {
    let encoding = default_blocked(&[64, 64], 4, 32);
    for shape in [&[64i64][..], &[64, 48], &[0, 64], &[-64, 64], &[1 << 40, 2], &[1 << 30, 1 << 30]] {
        assert!(encoding.to_linear(shape).is_err(), "{shape:?}");
    }
    let huge = BlockedEncoding {
        size_per_thread: vec![1 << 30; 3],
        threads_per_warp: vec![1 << 30; 3],
        warps_per_cta: vec![1; 3],
        order: vec![0, 1, 2],
    };
    assert!(Encoding::Blocked(huge).to_linear(&[1, 1, 1]).is_err());
}

#[test]
fn drawings_name_owners() {
    let encoding = Encoding::parse(
        "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>",
    )
    .unwrap();
    let picture = draw_within(&encoding, &[4, 32], DrawLimits { rows: 64, columns: 4 }).unwrap();
    let expected = "A tensor of 4x32 elements over 2 warps of 32 lanes; each thread has 2 registers, in runs of 1x2 neighbours along the axes. \
Every element is held once.

           0     1     2     3
    0    0:0   0:1   1:0   1:1
    1   16:0  16:1  17:0  17:1
    2  .32:0 .32:1 .33:0 .33:1
    3  .48:0 .48:1 .49:0 .49:1
(the first 4 of 4 rows and 4 of 32 columns)
thread:register; marks: ` ` warp 0, `.` warp 1
";
    assert_eq!(picture, expected);
    assert!(describe(&encoding, &[4, 8]).unwrap().contains("4 along lanes"));
    let swizzled =
        Encoding::parse("#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 2, order = [1, 0]}>").unwrap();
    let picture = draw(&swizzled, &[2, 4]).unwrap();
    assert!(picture.contains("    0  0 1 2 3\n    1  6 7 4 5\n"), "{picture}");
}
