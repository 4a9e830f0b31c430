//! Random encodings and shapes for property tests.
#![allow(dead_code, reason = "each test file uses its part")]

use proptest::prelude::*;
use std::sync::Arc;
use tk_layout::{BlockedEncoding, Dim, DotOpEncoding, Encoding, LinearLayout, MmaEncoding};

/// A tensor, its number of warps (as a power of two), and encodings that fit them.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<i64>,
    pub(crate) encodings: Vec<Encoding>,
}

/// `total` bits dealt to `rank` axes.
fn dealt(total: u32, rank: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..rank, total as usize).prop_map(move |axes| {
        let mut sizes = vec![1; rank];
        axes.into_iter().for_each(|axis| sizes[axis] *= 2);
        sizes
    })
}

fn blocked(rank: usize, warps: u32) -> impl Strategy<Value = Encoding> {
    let size = prop::collection::vec((0u32..4).prop_map(|bits| 1 << bits), rank);
    let order = Just((0..rank as u32).collect::<Vec<_>>()).prop_shuffle();
    (size, dealt(5, rank), dealt(warps, rank), order).prop_map(
        |(size_per_thread, threads_per_warp, warps_per_cta, order)| {
            Encoding::Blocked(BlockedEncoding { size_per_thread, threads_per_warp, warps_per_cta, order })
        },
    )
}

fn mma(warps: u32) -> impl Strategy<Value = Encoding> {
    (dealt(warps, 2), 0u32..6, any::<bool>()).prop_map(|(warps_per_cta, n, version2)| {
        Encoding::NvidiaMma(MmaEncoding {
            version_major: if version2 { 2 } else { 3 },
            version_minor: 0,
            warps_per_cta,
            instr_shape: if version2 { vec![16, 8] } else { vec![16, 8 << n, 16] },
        })
    })
}

fn slice(parent: Encoding, dim: u32) -> Encoding {
    parent.slice(dim)
}

/// A random linear layout onto `shape` in which some inputs may be copies.
fn linear(shape: Vec<i64>, warps: u32, copies: u32) -> impl Strategy<Value = Encoding> {
    let bits: u32 = shape.iter().map(|size| size.trailing_zeros()).sum();
    let inputs = (bits + copies).max(5 + warps);
    let mix = prop::collection::vec(any::<u64>(), inputs as usize);
    (Just((0..inputs).collect::<Vec<_>>()).prop_shuffle(), mix).prop_map(move |(order, mix)| {
        let full = (1u64 << bits) - 1;
        // Unit vectors, each with random lower bits: invertible. Further inputs are sums of anything, or nothing.
        let column = |at: &u32| {
            let mix = mix[*at as usize];
            if *at < bits {
                1u64 << at | mix & mix.rotate_left(7) & ((1 << at) - 1)
            } else if mix & 1 == 0 {
                0
            } else {
                mix >> 1 & full
            }
        };
        let columns: Vec<u64> = order.iter().map(column).collect();
        let vector = |column: u64| {
            let mut rest = column;
            shape
                .iter()
                .map(|size| {
                    let value = rest % *size as u64;
                    rest /= *size as u64;
                    value as u32
                })
                .collect::<Vec<u32>>()
        };
        let bases =
            |range: std::ops::Range<usize>| columns[range].iter().map(|column| vector(*column)).collect::<Vec<_>>();
        let (lanes, all) = (5, inputs as usize);
        let (lane, warp) = (all - lanes - warps as usize, all - warps as usize);
        let ins = [
            (Dim::Register, bases(0..lane)),
            (Dim::Lane, bases(lane..warp)),
            (Dim::Warp, bases(warp..all)),
            (Dim::Block, vec![]),
        ];
        let outs: Vec<(Dim, u32)> =
            Dim::axes(shape.len()).into_iter().zip(shape.iter().map(|size| *size as u32)).collect();
        Encoding::Linear(LinearLayout::from_bases(&ins, &outs).unwrap())
    })
}

pub(crate) fn encoding(shape: &[i64], warps: u32) -> BoxedStrategy<Encoding> {
    let rank = shape.len();
    let any_linear = (0u32..3).prop_flat_map({
        let shape = shape.to_vec();
        move |copies| linear(shape.clone(), warps, copies)
    });
    let sliced = (blocked(rank + 1, warps), 0..=rank as u32).prop_map(|(parent, dim)| slice(parent, dim));
    if rank == 1 {
        let of_mma = (mma(warps), 0..2u32).prop_map(|(parent, dim)| slice(parent, dim));
        return prop_oneof![3 => blocked(1, warps), 2 => sliced, 2 => of_mma, 2 => any_linear].boxed();
    }
    if rank == 2 {
        let dot = (mma(warps), 0u32..2, 0u32..4).prop_map(|(mut parent, op_idx, k)| {
            if let Encoding::NvidiaMma(mma) = &mut parent
                && mma.version_major == 3
                && op_idx == 1
            {
                (mma.version_major, mma.instr_shape) = (2, vec![16, 8]);
            }
            Encoding::DotOp(DotOpEncoding { op_idx, parent: Arc::new(parent), k_width: 1 << k })
        });
        let fma = (blocked(2, warps), 0u32..2).prop_map(|(parent, op_idx)| {
            Encoding::DotOp(DotOpEncoding { op_idx, parent: Arc::new(parent), k_width: 0 })
        });
        return prop_oneof![4 => blocked(2, warps), 1 => sliced, 3 => mma(warps), 3 => dot, 1 => fma, 2 => any_linear]
            .boxed();
    }
    prop_oneof![3 => blocked(rank, warps), 1 => sliced, 2 => any_linear].boxed()
}

/// A tensor of at most `2^bits` elements with `count` encodings.
pub(crate) fn tensor(bits: u32, count: usize) -> impl Strategy<Value = Tensor> {
    (1usize..4, 0u32..4).prop_flat_map(move |(rank, warps)| {
        let most = bits / rank as u32;
        prop::collection::vec((0..=most).prop_map(|bits| 1i64 << bits), rank)
            .prop_flat_map(move |shape| (Just(shape.clone()), prop::collection::vec(encoding(&shape, warps), count)))
            .prop_map(|(shape, encodings)| Tensor { shape, encodings })
    })
}
