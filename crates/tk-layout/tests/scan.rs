//! Scan plans, executed on every thread with an operation that is associative but not commutative.

use crate::random;
use proptest::prelude::*;
use tk_layout::scan::{
    self, BitPattern, LaneBound, ScanPlan, ScanSlot, ScanSource, ScanStep, ScanUpdate, TotalsStep, UpdateStep,
};
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

/// The values of each register of each lane of each warp.
type Values = Vec<Vec<Vec<Map>>>;

type Memory = Vec<Option<Map>>;

fn run(plan: &ScanPlan, layout: &LinearLayout) -> Values {
    let map = |registers: &Vec<u64>| registers.iter().map(|element| value(*element)).collect::<Vec<_>>();
    let mut values: Values = elements(layout).iter().map(|lanes| lanes.iter().map(map).collect()).collect();
    let mut memory: Memory = vec![None; plan.scratch_elements as usize];
    for step in &plan.steps {
        match step {
            ScanStep::Update(step) => update(step, &mut values, &mut memory),
            ScanStep::Totals(step) => totals(step, &mut values, &mut memory),
        }
    }
    for registers in values.iter_mut().flatten() {
        plan.copies.iter().for_each(|copy| registers[copy.to as usize] = registers[copy.from as usize]);
    }
    values
}

fn store(cell: &mut Option<Map>, value: Map) {
    assert!(cell.is_none(), "stored twice");
    *cell = Some(value);
}

fn update(step: &UpdateStep, values: &mut Values, memory: &mut Memory) {
    let before = values.clone();
    let place = |scratch: &scan::ScratchStep, warp: usize, lane: usize, register: u32| {
        let slot = scratch.slots.iter().find(|slot| slot.register == register).unwrap().slot;
        (scratch.start + (combine(&scratch.lane_offsets, lane) ^ combine(&scratch.warp_offsets, warp) ^ slot)) as usize
    };
    if let ScanSource::Scratch(scratch) = &step.source {
        for (warp, lanes) in before.iter().enumerate().filter(|(warp, _)| matches(*warp, scratch.store_warps)) {
            for (lane, registers) in lanes.iter().enumerate().filter(|(lane, _)| matches(*lane, scratch.store_lanes)) {
                for ScanSlot { register, .. } in &scratch.slots {
                    store(&mut memory[place(scratch, warp, lane, *register)], registers[*register as usize]);
                }
            }
        }
    }
    for (warp, lanes) in values.iter_mut().enumerate().filter(|(warp, _)| matches(*warp, step.active_warps)) {
        for (lane, registers) in lanes.iter_mut().enumerate().filter(|(lane, _)| matches(*lane, step.active_lanes)) {
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

/// The totals of the lanes of one warp up to each lane, by steps that double the distance.
fn scanned_lanes(step: &TotalsStep, lanes: &[Vec<Map>], register: u32) -> Vec<Map> {
    let mut totals: Vec<Map> = lanes.iter().map(|registers| registers[register as usize]).collect();
    for bit in 0..step.lane_bits {
        let before = totals.clone();
        for lane in (0..totals.len()).filter(|lane| is_after(step, *lane, bit)) {
            totals[lane] = then(before[earlier(step, lane, bit)], totals[lane]);
        }
    }
    totals
}

fn is_after(step: &TotalsStep, lane: usize, bit: u32) -> bool {
    let at = lane as u32 & step.lane_mask();
    match step.lanes_after(bit) {
        LaneBound::AtLeast(bound) => at >= bound,
        LaneBound::AtMost(bound) => at <= bound,
    }
}

fn earlier(step: &TotalsStep, lane: usize, bit: u32) -> usize {
    let distance = 1 << (step.first_lane_bit + bit);
    if step.reverse { lane + distance } else { lane - distance }
}

/// What comes before the runs of each warp, by number of the run, warp and lane.
fn carried(step: &TotalsStep, totals: &[Vec<Vec<Map>>], slot: u32, memory: &mut Memory) -> Vec<Vec<Vec<Option<Map>>>> {
    let (warps, lanes) = (totals[0].len(), totals[0][0].len());
    let mut carried = vec![vec![vec![None; lanes]; warps]; totals.len()];
    let Some(exchange) = &step.exchange else {
        for (warp, lane) in (0..warps).flat_map(|warp| (0..lanes).map(move |lane| (warp, lane))) {
            let mask = step.lane_mask() as usize;
            let last = if step.reverse { lane & !mask } else { lane | mask };
            for run in 1..totals.len() {
                let all = totals[run - 1][warp][last];
                carried[run][warp][lane] = Some(carried[run - 1][warp][lane].map_or(all, |earlier| then(earlier, all)));
            }
        }
        return carried;
    };
    let parts = exchange.warps.len();
    let first =
        |warp: usize, lane: usize| combine(&exchange.lane_offsets, lane) ^ combine(&exchange.warp_offsets, warp) ^ slot;
    for (run, totals) in totals.iter().enumerate() {
        for (warp, lanes) in totals.iter().enumerate().filter(|(warp, _)| matches(*warp, exchange.store_warps)) {
            for (lane, total) in lanes.iter().enumerate().filter(|(lane, _)| matches(*lane, exchange.store_lanes)) {
                let of_run = (run * parts) as u32 * exchange.stride;
                let place = of_run ^ combine(&exchange.places, warp) ^ exchange.flip;
                let cell = exchange.start + (first(warp, lane) ^ place);
                store(&mut memory[cell as usize], *total);
            }
        }
    }
    for (run, carried) in carried.iter_mut().enumerate() {
        for (warp, lanes) in carried.iter_mut().enumerate() {
            let own: Vec<usize> = (0..parts).filter(|part| matches(warp, exchange.warps[*part])).collect();
            assert_eq!(own.len(), 1);
            for (lane, carried) in lanes.iter_mut().enumerate() {
                let start = (exchange.start + first(warp, lane)) as usize;
                let before =
                    (0..run * parts + own[0]).map(|part| memory[start + part * exchange.stride as usize].unwrap());
                *carried = before.reduce(then);
            }
        }
    }
    carried
}

fn totals(step: &TotalsStep, values: &mut Values, memory: &mut Memory) {
    for row in &step.rows {
        let last = |run: &Vec<u32>| *run.last().unwrap();
        let totals: Vec<Vec<Vec<Map>>> = row
            .runs
            .iter()
            .map(|run| values.iter().map(|lanes| scanned_lanes(step, lanes, last(run))).collect())
            .collect();
        let carried = carried(step, &totals, row.slot, memory);
        for (run, registers) in row.runs.iter().enumerate() {
            for warp in 0..values.len() {
                for lane in 0..values[warp].len() {
                    let inside = (step.lane_bits > 0 && is_after(step, lane, 0))
                        .then(|| totals[run][warp][earlier(step, lane, 0)]);
                    let before = carried[run][warp][lane].into_iter().chain(inside).reduce(then);
                    for register in registers {
                        let own = &mut values[warp][lane][*register as usize];
                        *own = before.map_or(*own, |before| then(before, *own));
                    }
                }
            }
        }
    }
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
fn a_line_over_all_warps_needs_one_slot_per_warp() {
    let text = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
    let layout = Encoding::parse(text).unwrap().to_linear(&[512]).unwrap();
    for reverse in [false, true] {
        let plan = check(&layout, 0, reverse);
        let [ScanStep::Update(walk), ScanStep::Totals(totals)] = &plan.steps[..] else { panic!("{plan:?}") };
        assert_eq!(walk.updates.len(), 3);
        assert_eq!(totals.rows.len(), 1);
        assert_eq!(totals.exchange.as_ref().map(|exchange| exchange.warps.len()), Some(4));
        assert_eq!(plan.shared_bytes(&[4, 8]), 16 + 32);
    }
}

#[test]
fn repeated_runs_meet_in_one_exchange() {
    let text = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 4], order = [1, 0]}>";
    let layout = Encoding::parse(text).unwrap().to_linear(&[16, 512]).unwrap();
    for reverse in [false, true] {
        let plan = check(&layout, 1, reverse);
        let [ScanStep::Update(_), ScanStep::Totals(totals)] = &plan.steps[..] else { panic!("{plan:?}") };
        assert_eq!(totals.rows.iter().map(|row| row.runs.len()).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(plan.scratch_elements, 16 * 4 * 4);
    }
}
