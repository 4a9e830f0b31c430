//! Reduction plans, executed on every thread: each result register must hold the sum of exactly its elements.

use crate::random;
use proptest::prelude::*;
use tk_layout::reduction::{self, Combining, LaneStep, Loading, ReductionPlan, Sharing, Telling};
use tk_layout::{Dim, Encoding, LinearLayout, SliceEncoding};

/// A value that tells elements, and copies of elements, apart in a sum.
fn value(element: u64) -> u64 {
    (element + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95)
}

fn combine(columns: &[u32], mask: usize) -> u32 {
    columns.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).fold(0, |sum, (_, column)| sum ^ column)
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::wrapping_add)
}

/// What it takes to combine a few words: sums, and what costs more.
const SUM: Combining = Combining { words: 1, instructions: 1, is_awaited: false };
const WELFORD: Combining = Combining { words: 3, instructions: 16, is_awaited: false };

/// Every lane makes its values of those it has and of those that the other lane has.
fn exchanged(values: &mut [Vec<Vec<u64>>], mask: u32, made: impl Fn(bool, &[u64], &[u64]) -> Vec<u64>) {
    for warp in values.iter_mut() {
        let before = warp.clone();
        for (lane, values) in warp.iter_mut().enumerate() {
            *values = made(lane as u32 & mask != 0, &before[lane], &before[lane ^ mask as usize]);
        }
    }
}

fn added(own: &[u64], other: &[u64]) -> Vec<u64> {
    own.iter().zip(other).map(|(own, other)| own.wrapping_add(*other)).collect()
}

/// Every lane adds what the other lane has, all of it or the half that it keeps.
fn step(values: &mut [Vec<Vec<u64>>], step: &LaneStep) {
    exchanged(values, step.mask, |is_second, own, other| {
        let half = |all: &[u64]| all.chunks(all.len() / 2).nth(usize::from(is_second)).unwrap().to_vec();
        if step.halves { added(&half(own), &half(other)) } else { added(own, other) }
    });
}

/// Result registers of each warp and lane.
fn run(plan: &ReductionPlan, src: &LinearLayout) -> Vec<Vec<Vec<u64>>> {
    let (warps, lanes) = (src.in_size(Dim::Warp) as usize, src.in_size(Dim::Lane) as usize);
    let held = |warp: usize, lane: usize, register: u32| {
        let place = [(Dim::Register, register), (Dim::Lane, lane as u32), (Dim::Warp, warp as u32)];
        value(place.iter().fold(0, |sum, (dim, at)| sum ^ src.apply_dim(*dim, *at)))
    };
    let thread = |warp, lane| {
        plan.groups.iter().map(|group| sum(group.iter().map(|r| held(warp, lane, *r)))).collect::<Vec<u64>>()
    };
    let mut values: Vec<Vec<Vec<u64>>> =
        (0..warps).map(|warp| (0..lanes).map(|lane| thread(warp, lane)).collect()).collect();
    plan.lane_steps.iter().for_each(|lanes| step(&mut values, lanes));
    if let Some(exchange) = &plan.exchange {
        let mut memory: Vec<Option<u64>> = vec![None; exchange.elements as usize];
        for (warp, lanes) in values.iter().enumerate() {
            for (lane, accumulators) in lanes.iter().enumerate() {
                if lane as u32 & exchange.skip_lanes | warp as u32 & exchange.skip_warps != 0 {
                    continue;
                }
                let base = combine(&exchange.store_lanes, lane) ^ combine(&exchange.store_warps, warp);
                for (accumulator, slot) in accumulators.iter().zip(&exchange.slots) {
                    let cell = &mut memory[(base ^ slot) as usize];
                    assert!(cell.is_none(), "a part is stored twice");
                    *cell = Some(*accumulator);
                }
            }
        }
        for (warp, lanes) in values.iter_mut().enumerate() {
            for (lane, accumulators) in lanes.iter_mut().enumerate() {
                let base = combine(&exchange.load_lanes, lane) ^ combine(&exchange.load_warps, warp);
                let load = |slot: &u32| {
                    let first = base ^ slot;
                    assert!(
                        exchange.part_stride > 1
                            || exchange.elements == exchange.parts
                            || first.is_multiple_of(exchange.parts)
                    );
                    let parts = (0..exchange.parts).map(|part| first + part * exchange.part_stride);
                    sum(parts.map(|at| memory[at as usize].unwrap()))
                };
                *accumulators = exchange.load_slots.iter().map(load).collect();
            }
        }
        exchange.lane_masks.iter().for_each(|mask| step(&mut values, &LaneStep { mask: *mask, halves: false }));
    }
    let is_told = plan.telling == Telling::ByScratch;
    for halving in plan.lane_steps.iter().rev().filter(|step| step.halves && !is_told) {
        exchanged(
            &mut values,
            halving.mask,
            |is_second, own, other| {
                if is_second { [other, own].concat() } else { [own, other].concat() }
            },
        );
    }
    let results = |accumulators: &Vec<u64>| plan.results.iter().map(|at| accumulators[*at as usize]).collect();
    values.iter().map(|lanes| lanes.iter().map(results).collect()).collect()
}

fn check(src: &LinearLayout, axis: usize) -> ReductionPlan {
    check_of(src, axis, WELFORD);
    check_of(src, axis, SUM)
}

/// The plan that costs least; all others that there are give the same results.
fn check_of(src: &LinearLayout, axis: usize, combining: Combining) -> ReductionPlan {
    for (telling, loading) in
        [(Telling::ByLanes, Loading::Wide), (Telling::ByLanes, Loading::Narrow), (Telling::ByScratch, Loading::Wide)]
    {
        let plan = |halvings| reduction::plan(src, axis, Sharing { halvings, telling, loading }).ok();
        (0..=5).map_while(plan).for_each(|plan| check_plan(src, axis, &plan));
    }
    check_handed_on(src, axis);
    let plan = reduction::plan(src, axis, reduction::sharing(src, axis, combining).unwrap()).unwrap();
    check_plan(src, axis, &plan);
    plan
}

/// Where warps meet, the threads that have one position along the axis store each result of it once, and so do those that stand in for them; every thread then
/// loads the results of its places.
fn check_handed_on(src: &LinearLayout, axis: usize) {
    let by_owner = Sharing { telling: Telling::ByOwner, ..Sharing::default() };
    let Ok(plan) = reduction::plan(src, axis, by_owner) else { return };
    let exchange = plan.exchange.as_ref().unwrap();
    let threads =
        || (0..src.in_size(Dim::Warp)).flat_map(|warp| (0..src.in_size(Dim::Lane)).map(move |lane| (warp, lane)));
    let place = |layout: &LinearLayout, register: u32, (warp, lane): (u32, u32)| -> Vec<u32> {
        let inputs = [(Dim::Register, register), (Dim::Lane, lane), (Dim::Warp, warp)];
        layout.apply(&inputs).into_iter().map(|(_, at)| at).collect()
    };
    let stores = |(warp, lane): (u32, u32)| lane & exchange.skip_lanes | warp & exchange.skip_warps == 0;
    let stands_in = |(warp, lane): (u32, u32)| lane & exchange.axis_lanes | warp & exchange.axis_warps == 0;
    let base = |(warp, lane): (u32, u32), lanes: &[u32], warps: &[u32]| {
        combine(lanes, lane as usize) ^ combine(warps, warp as usize)
    };
    let positions = 1u32 << src.out_bits(src.out_dims().nth(axis).unwrap());
    // The ends, and a place of each half.
    let some = std::collections::BTreeSet::from([0, 1, positions / 2, positions - 1]);
    for position in some.into_iter().filter(|at| *at < positions).map(Some).chain([None]) {
        let mut memory: Vec<Option<Vec<u32>>> = vec![None; exchange.elements as usize];
        for thread in threads().filter(|thread| stores(*thread) && (position.is_some() || stands_in(*thread))) {
            let base = base(thread, &exchange.store_lanes, &exchange.store_warps);
            for (group, slot) in plan.groups.iter().zip(&exchange.slots) {
                let mut places = group.iter().map(|register| place(src, *register, thread));
                let selected = match position {
                    Some(position) => places.find(|place| place[axis] == position),
                    None => places.next(),
                };
                if let Some(mut place) = selected {
                    place.remove(axis);
                    let cell = memory[(base ^ slot) as usize].replace(place);
                    assert!(cell.is_none(), "a result is stored twice");
                }
            }
        }
        for thread in threads() {
            let base = base(thread, &exchange.load_lanes, &exchange.load_warps);
            for (register, accumulator) in plan.results.iter().enumerate() {
                let loaded = &memory[(base ^ exchange.load_slots[*accumulator as usize]) as usize];
                assert_eq!(
                    loaded.as_ref(),
                    Some(&place(&plan.result, register as u32, thread)),
                    "{position:?} of {plan:?}"
                );
            }
        }
    }
}

fn check_plan(src: &LinearLayout, axis: usize, plan: &ReductionPlan) {
    let dims: Vec<Dim> = src.out_dims().collect();
    let along = dims[axis];
    // The sum for each position off the axis, by walking all elements.
    let mut expected = std::collections::BTreeMap::new();
    for element in 0..1u64 << src.total_out_bits() {
        let mut place = src.unpack(element);
        assert_eq!(src.unpack_dim(element, along), place.remove(axis));
        let total: &mut u64 = expected.entry(place).or_default();
        *total = total.wrapping_add(value(element));
    }
    for (warp, lanes) in run(plan, src).iter().enumerate() {
        for (lane, registers) in lanes.iter().enumerate() {
            assert_eq!(registers.len() as u32, plan.result.in_size(Dim::Register));
            for (register, got) in registers.iter().enumerate() {
                let inputs = [(Dim::Register, register as u32), (Dim::Lane, lane as u32), (Dim::Warp, warp as u32)];
                let place: Vec<u32> = plan.result.apply(&inputs).into_iter().map(|(_, at)| at).collect();
                assert_eq!(*got, expected[&place], "warp {warp} lane {lane} register {register} of {plan:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn plans_reduce_every_element_once(tensor in random::tensor(10, 1), axis in 0usize..3) {
        let axis = axis % tensor.shape.len();
        let src = tensor.encodings[0].to_linear(&tensor.shape).unwrap();
        if !matches!(tensor.encodings[0], Encoding::Linear(_)) {
            let plan = check(&src, axis);
            if tensor.shape.len() > 1 {
                let mut rest = tensor.shape.clone();
                rest.remove(axis);
                let slice = SliceEncoding { dim: axis as u32, parent: tensor.encodings[0].clone().into() };
                prop_assert_eq!(Encoding::Slice(slice).to_linear(&rest).unwrap(), plan.result);
            }
        } else if reduction::plan(&src, axis, Sharing::default()).is_ok() {
            check(&src, axis);
        }
    }
}

fn layout(text: &str, shape: &[i64]) -> LinearLayout {
    Encoding::parse(text).unwrap().to_linear(shape).unwrap()
}

#[test]
fn a_row_per_warp_needs_no_scratch() {
    let rows = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>";
    let plan = check(&layout(rows, &[8, 256]), 1);
    assert_eq!((plan.groups.len(), plan.groups[0].len()), (2, 8));
    assert_eq!(plan.lane_steps.iter().map(|step| step.mask).collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    assert_eq!(plan.exchange, None);
    assert_eq!(plan.shared_bytes(&[4]), 0);
}

#[test]
fn a_row_over_all_warps_meets_side_by_side() {
    let line = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>";
    let plan = check(&layout(line, &[1024]), 0);
    assert_eq!(plan.results, [0]);
    assert_eq!(plan.shared_bytes(&[4, 4]), 64);
    assert_eq!(plan.exchange.map(|exchange| (exchange.parts, exchange.part_stride)), Some((8, 1)));
}

#[test]
fn lanes_share_out_the_parts_of_many_warps() {
    let shared_out = |text: &str, shape: &[i64], axis: usize| {
        let exchange = check(&layout(text, shape), axis).exchange.expect("warps meet");
        (exchange.parts, exchange.lane_masks.len(), exchange.part_stride)
    };
    let line = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>";
    assert_eq!(shared_out(line, &[4096], 0), (4, 3, 1));
    let half = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [16], order = [0]}>";
    assert_eq!(shared_out(half, &[4096], 0), (4, 2, 1));
    // Eight rows per warp leave two bits of the lane; a row per lane leaves none.
    let rows = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 32], order = [1, 0]}>";
    assert_eq!(shared_out(rows, &[16, 512], 1), (8, 2, 16));
    let columns =
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 32], order = [1, 0]}>";
    assert_eq!(shared_out(columns, &[32, 128], 1), (32, 0, 32));
    let both = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 16], order = [0, 1]}>";
    // Of its four rows a thread gives two away, which leaves two bits of its lane.
    assert_eq!(shared_out(both, &[32, 512], 1), (8, 1, 32));
}

#[test]
fn lanes_with_several_results_keep_a_part_of_them() {
    let halvings = |text: &str, shape: &[i64], axis: usize, combining: Combining| {
        let plan = check_of(&layout(text, shape), axis, combining);
        (plan.groups.len(), plan.lane_steps.iter().filter(|step| step.halves).count(), plan.lane_steps.len())
    };
    // Four rows of a thread, and eight lanes for each.
    let rows = "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>";
    assert_eq!(halvings(rows, &[16, 32], 1, WELFORD), (4, 2, 3));
    assert_eq!(halvings(rows, &[16, 32], 1, SUM), (4, 0, 3));
    assert_eq!(halvings(rows, &[64, 32], 1, SUM), (16, 3, 3));
    assert_eq!(halvings(rows, &[32, 32], 1, WELFORD), (8, 3, 3));
    let alone = "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [0, 1]}>";
    assert_eq!(halvings(alone, &[64, 32], 1, WELFORD), (4, 2, 3));
    // The rows of a product: a shuffle less, and one more to wait for.
    let product = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>";
    assert_eq!(halvings(product, &[64, 64], 1, SUM), (2, 0, 2));
    assert_eq!(halvings(product, &[64, 64], 1, WELFORD), (2, 0, 2));
    let awaited = Combining { is_awaited: true, ..SUM };
    assert_eq!([halvings(rows, &[16, 32], 1, awaited).1, halvings(rows, &[128, 32], 1, awaited).1], [0, 3]);
    assert!(
        reduction::plan(&layout(rows, &[16, 32]), 1, Sharing { halvings: 3, ..Sharing::default() })
            .is_err_and(|why| why.contains("halve"))
    );
    // One row has nothing to give away.
    let row = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
    assert_eq!(halvings(row, &[512], 0, WELFORD), (1, 0, 5));
}

#[test]
fn lanes_share_out_parts_that_take_long_to_combine() {
    // Parts that a lane loads, and steps between lanes behind that.
    let parts = |text: &str, combining: Combining| {
        let plan = check_of(&layout(text, &[1024]), 0, combining);
        plan.exchange.map(|exchange| (exchange.parts, exchange.lane_masks.len()))
    };
    let row = |warps: u32| {
        format!("#ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{warps}], order = [0]}}>")
    };
    let place = Combining { words: 2, instructions: 7, is_awaited: false };
    assert_eq!([4, 8, 16].map(|warps| parts(&row(warps), SUM)), [Some((4, 0)), Some((8, 0)), Some((4, 2))]);
    assert_eq!([4, 8, 16].map(|warps| parts(&row(warps), place)), [Some((4, 0)), Some((2, 2)), Some((2, 3))]);
    assert_eq!(parts(&row(8), Combining { is_awaited: true, ..place }), Some((8, 0)));
    assert_eq!(parts(&row(8), WELFORD), Some((8, 0)), "three words");
    assert_eq!(parts(&row(1), place), None);
}

#[test]
fn threads_with_many_results_load_the_parts_of_all() {
    let telling = |text: &str, shape: &[i64], axis: usize, combining: Combining| {
        let plan = check_of(&layout(text, shape), axis, combining);
        let loads = plan.exchange.as_ref().map_or(0, |exchange| exchange.load_slots.len());
        (plan.telling, plan.lane_steps.iter().filter(|step| step.halves).count(), loads)
    };
    let awaited = Combining { is_awaited: true, ..SUM };
    // The columns of a product: sixteen of a thread, over four warps.
    let product = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>";
    assert_eq!(telling(product, &[64, 64], 0, SUM), (Telling::ByScratch, 3, 16));
    assert_eq!(telling(product, &[64, 64], 0, awaited), (Telling::ByScratch, 3, 16));
    assert_eq!(telling(product, &[64, 32], 0, awaited), (Telling::ByLanes, 0, 8), "few results");
    let eight = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 8]}>";
    assert_eq!(telling(eight, &[128, 64], 0, SUM).0, Telling::ByLanes, "many parts");
    let alone = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>";
    assert_eq!(telling(alone, &[16, 512], 0, SUM).0, Telling::ByLanes, "warps do not meet");
    let by_scratch = Sharing { halvings: 1, telling: Telling::ByScratch, ..Sharing::default() };
    assert!(reduction::plan(&layout(alone, &[16, 64]), 0, by_scratch).is_err_and(|why| why.contains("meet")));
}

#[test]
fn copies_are_not_reduced_twice() {
    let line = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>";
    let plan = check(&layout(line, &[64]), 0);
    assert_eq!(plan.lane_steps.iter().map(|step| step.mask).collect::<Vec<_>>(), [1, 2, 4, 8]);
    assert_eq!(plan.exchange, None);
}

#[test]
fn mixed_layouts_are_refused() {
    let mixed =
        "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 1], [2, 0]], warp = [], block = []}>";
    assert!(reduction::plan(&layout(mixed, &[4, 16]), 1, Sharing::default()).is_err_and(|why| why.contains("blocked")));
    assert!(reduction::plan(&layout(mixed, &[4, 16]), 2, Sharing::default()).is_err());
}
