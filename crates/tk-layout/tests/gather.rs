//! Plans of gathers within warps, executed on every thread: what lies at the planned place must be the element that the index names.

use crate::random::{self, Tensor};
use proptest::prelude::*;
use tk_layout::gather::{self, GatherPlan, Place};
use tk_layout::{Dim, Encoding, LinearLayout};

fn combined(images: &[Place], value: u32) -> Place {
    let set = images.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
    set.fold(Place::default(), |sum, (_, image)| Place {
        register: sum.register ^ image.register,
        lane: sum.lane ^ image.lane,
    })
}

fn element(layout: &LinearLayout, register: u32, lane: u32, warp: u32) -> Vec<(Dim, u32)> {
    layout.apply(&[(Dim::Register, register), (Dim::Lane, lane), (Dim::Warp, warp)])
}

fn check(plan: &GatherPlan, source: &LinearLayout, result: &LinearLayout, axis: usize) {
    let axis = Dim::Axis(axis as u8);
    for warp in 0..result.in_size(Dim::Warp).max(source.in_size(Dim::Warp)) {
        for (register, lane) in
            (0..result.in_size(Dim::Register)).flat_map(|register| (0..32).map(move |lane| (register, lane)))
        {
            let to = element(result, register, lane, warp % result.in_size(Dim::Warp));
            for index in 0..source.out_size(axis) {
                let parts = [
                    combined(&plan.registers, register),
                    combined(&plan.lanes, lane),
                    combined(&plan.warps, warp),
                    combined(&plan.index, index),
                ];
                let from = parts.iter().fold((0, 0), |sum, part| (sum.0 ^ part.register, sum.1 ^ part.lane));
                for (dim, coordinate) in element(source, from.0, from.1, warp % source.in_size(Dim::Warp)) {
                    let own = to.iter().find(|(other, _)| *other == dim).map_or(0, |(_, coordinate)| *coordinate);
                    let wanted = if dim == axis { index } else { own };
                    assert_eq!(coordinate, wanted, "{dim} of register {register} lane {lane} warp {warp} at {index}");
                }
            }
        }
    }
}

fn linear(text: &str, shape: &[i64]) -> LinearLayout {
    Encoding::parse(text).and_then(|encoding| encoding.to_linear(shape)).expect("the layout is right")
}

const FOUR_WARPS: &str = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";

#[test]
fn a_table_that_every_warp_has_is_read_by_shuffles() {
    for (entries, gathered) in [(16, 16), (16, 1024), (32, 128), (2, 4096)] {
        let (source, result) = (linear(FOUR_WARPS, &[entries]), linear(FOUR_WARPS, &[gathered]));
        let plan = gather::plan(&source, &result, 0).expect("every warp has the table");
        assert_eq!(plan.chosen_registers(), 0);
        check(&plan, &source, &result, 0);
    }
}

#[test]
fn what_other_warps_have_is_not_taken_by_shuffles() {
    let (source, result) = (linear(FOUR_WARPS, &[64]), linear(FOUR_WARPS, &[64]));
    assert_eq!(gather::plan(&source, &result, 0), None);
    // One warp has 256 elements in eight registers of each lane: too many to ask for.
    let one = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
    assert_eq!(gather::plan(&linear(one, &[256]), &linear(one, &[256]), 0), None);
    assert!(gather::plan(&linear(one, &[128]), &linear(one, &[128]), 0).is_some());
}

proptest! {
    #[test]
    fn planned_places_have_the_elements(tensor in random::tensor(8, 2), axis in 0usize..3) {
        let Tensor { shape, encodings } = tensor;
        let axis = axis % shape.len();
        let layouts: Vec<LinearLayout> = encodings.iter().filter_map(|encoding| encoding.to_linear(&shape).ok()).collect();
        for (source, result) in layouts.iter().flat_map(|source| layouts.iter().map(move |result| (source, result))) {
            if let Some(plan) = gather::plan(source, result, axis) {
                check(&plan, source, result, axis);
            }
        }
    }
}
