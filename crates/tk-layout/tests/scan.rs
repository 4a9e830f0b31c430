//! Scan plans, executed on every thread with an operation that is associative but not commutative.

use crate::random;
use proptest::prelude::*;
use tk_layout::scan::{self, BitPattern, ScanPlan, ScanSlot, ScanSource, ScanUpdate};
use tk_layout::{Dim, Encoding, LinearLayout};

/// The affine map `x ↦ a x + b`; composition is not commutative and tells elements apart.
type Map = (u64, u64);

fn then(first: Map, second: Map) -> Map {
    (first.0.wrapping_mul(second.0), first.1.wrapping_mul(second.0).wrapping_add(second.1))
}

fn value(element: u64) -> Map {
    (element.wrapping_mul(2).wrapping_add(3), (element + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn matches(number: usize, pattern: BitPattern) -> bool {
    number as u32 & pattern.mask == pattern.value
}

fn combine(columns: &[u32], mask: usize) -> u32 {
    columns.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).fold(0, |sum, (_, column)| sum ^ column)
}

fn elements(layout: &LinearLayout) -> Vec<Vec<Vec<u64>>> {
    let of = |dim: Dim, at: usize| layout.apply_dim(dim, at as u32);
    let register = |thread: u64| {
        (0..layout.in_size(Dim::Register) as usize).map(move |at| thread ^ of(Dim::Register, at)).collect()
    };
    let lanes = |warp| {
        (0..layout.in_size(Dim::Lane) as usize)
            .map(|lane| register(of(Dim::Warp, warp) ^ of(Dim::Lane, lane)))
            .collect()
    };
    (0..layout.in_size(Dim::Warp) as usize).map(lanes).collect()
}

fn run(plan: &ScanPlan, layout: &LinearLayout) -> Vec<Vec<Vec<Map>>> {
    let map = |registers: &Vec<u64>| registers.iter().map(|element| value(*element)).collect::<Vec<_>>();
    let mut values: Vec<Vec<Vec<Map>>> = elements(layout).iter().map(|lanes| lanes.iter().map(map).collect()).collect();
    let mut memory: Vec<Option<Map>> = vec![None; plan.scratch_elements as usize];
    for step in &plan.steps {
        let before = values.clone();
        let place = |scratch: &scan::ScratchStep, warp: usize, lane: usize, register: u32| {
            let slot = scratch.slots.iter().find(|slot| slot.register == register).unwrap().slot;
            (scratch.start + (combine(&scratch.lane_offsets, lane) ^ combine(&scratch.warp_offsets, warp) ^ slot))
                as usize
        };
        if let ScanSource::Scratch(scratch) = &step.source {
            for (warp, lanes) in before.iter().enumerate().filter(|(warp, _)| matches(*warp, scratch.store_warps)) {
                for (lane, registers) in
                    lanes.iter().enumerate().filter(|(lane, _)| matches(*lane, scratch.store_lanes))
                {
                    for ScanSlot { register, .. } in &scratch.slots {
                        let cell = &mut memory[place(scratch, warp, lane, *register)];
                        assert!(cell.is_none(), "stored twice");
                        *cell = Some(registers[*register as usize]);
                    }
                }
            }
        }
        for (warp, lanes) in values.iter_mut().enumerate().filter(|(warp, _)| matches(*warp, step.active_warps)) {
            for (lane, registers) in lanes.iter_mut().enumerate().filter(|(lane, _)| matches(*lane, step.active_lanes))
            {
                for &ScanUpdate { to, from } in &step.updates {
                    let earlier = match &step.source {
                        ScanSource::OwnThread => registers[from as usize],
                        ScanSource::Lane(pattern) => {
                            let source = lane & !(pattern.mask as usize) | pattern.value as usize;
                            before[warp][source][from as usize]
                        }
                        ScanSource::Scratch(scratch) => memory[place(scratch, warp, lane, from)].unwrap(),
                    };
                    registers[to as usize] = then(earlier, registers[to as usize]);
                }
            }
        }
    }
    for registers in values.iter_mut().flatten() {
        plan.copies.iter().for_each(|copy| registers[copy.to as usize] = registers[copy.from as usize]);
    }
    values
}

fn check(layout: &LinearLayout, axis: usize, reverse: bool) -> ScanPlan {
    let plan = scan::plan(layout, axis, reverse).unwrap();
    let outs: Vec<(Dim, u32)> = layout.out_dims().map(|dim| (dim, layout.out_size(dim))).collect();
    let stride: u64 = outs[..axis].iter().map(|(_, size)| u64::from(*size)).product();
    let length = u64::from(outs[axis].1);
    let expected = |element: u64| {
        let position = element / stride % length;
        let first = element - position * stride;
        let all: Vec<u64> = if reverse { (position..length).rev().collect() } else { (0..=position).collect() };
        all.into_iter().map(|at| value(first + at * stride)).reduce(then).unwrap()
    };
    for (got, place) in run(&plan, layout).iter().flatten().zip(elements(layout).iter().flatten()) {
        for (got, element) in got.iter().zip(place) {
            assert_eq!(*got, expected(*element), "{plan:?}");
        }
    }
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn plans_scan_in_order(tensor in random::tensor(9, 1), axis in 0usize..3, reverse in any::<bool>()) {
        let layout = tensor.encodings[0].to_linear(&tensor.shape).unwrap();
        let axis = axis % tensor.shape.len();
        let is_linear = matches!(tensor.encodings[0], Encoding::Linear(_));
        if !is_linear || scan::plan(&layout, axis, reverse).is_ok() {
            check(&layout, axis, reverse);
        }
    }
}

#[test]
fn a_line_over_all_warps_needs_one_slot_per_block() {
    let text = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
    let layout = Encoding::parse(text).unwrap().to_linear(&[512]).unwrap();
    for reverse in [false, true] {
        let plan = check(&layout, 0, reverse);
        assert_eq!(plan.steps.len(), 1 + 5 + 2);
        assert_eq!(plan.steps[0].updates.len(), 3);
        assert_eq!(plan.shared_bytes(&[4, 8]), 16 + 32);
    }
}
