//! What the registers of a warp hold when it begins: literals, special registers, addresses.

use crate::geometry::at_rank;
use crate::launch::Environment;
use crate::program::{LaneOrder, Special};
use crate::warp::Warp;

/// A warp of a cluster, at the beginning of the program.
pub(crate) fn warp(env: &Environment<'_>, cluster: u64, number: u32) -> Warp {
    let (geometry, program) = (&env.geometry, env.program);
    let in_cta = geometry.in_cta(number);
    let lanes = (geometry.threads_per_cta - in_cta * 32).min(32);
    let lanes = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
    let mut warp = Warp::new(number, program.slots, program.preds, program.local_bytes, lanes, program.start);
    (warp.rank, warp.in_cta) = (geometry.rank(number), in_cta);
    fill(env, cluster, &mut warp);
    warp
}

/// Literals, special registers and addresses of variables.
fn fill(env: &Environment<'_>, cluster: u64, warp: &mut Warp) {
    for (slot, value) in &env.program.literals {
        warp.set_reg(*slot, &crate::decode::splat(*value), u32::MAX);
    }
    for (slot, variable, offset) in &env.program.addresses {
        let address = env.globals[*variable].wrapping_add(*offset as u64);
        warp.set_reg(*slot, &crate::decode::splat(address), u32::MAX);
    }
    for (slot, values) in &env.program.lane_constants {
        warp.set_reg(*slot, values, u32::MAX);
    }
    for (slot, address) in &env.program.shared_addresses {
        let address = crate::decode::splat(address.wrapping_add(at_rank(0, warp.rank)));
        warp.set_reg(*slot, &address, u32::MAX);
    }
    let number = warp.in_cta;
    let config = env.config;
    let geometry = &env.geometry;
    let (place, within, cta) = (geometry.place(cluster), geometry.within(warp.rank), geometry.cta(cluster, warp.rank));
    let on = |values: [u32; 3], axis: u8| values[usize::from(axis)];
    let [width, height, _] = env.block;
    for (slot, special) in &env.program.specials {
        let mut values = [0u64; 32];
        for (lane, value) in values.iter_mut().enumerate() {
            let lane = lane as u32;
            let below = (1u32 << lane) - 1;
            *value = u64::from(match special {
                Special::Tid(0) => (number * 32 + lane) % width,
                Special::Tid(1) => (number * 32 + lane) / width % height,
                Special::Tid(_) => (number * 32 + lane) / width / height,
                Special::Ntid(axis) => on(env.block, *axis),
                Special::Ctaid(axis) => on(cta, *axis),
                Special::Nctaid(axis) => on(config.grid, *axis),
                Special::ClusterId(axis) => on(place, *axis),
                Special::Nclusterid(axis) => on(geometry.clusters(), *axis),
                Special::ClusterCtaid(axis) => on(within, *axis),
                Special::ClusterNctaid(axis) => on(geometry.cluster, *axis),
                Special::ClusterRank => warp.rank,
                Special::ClusterSize => geometry.size(),
                Special::IsExplicitCluster => u32::from(env.has_clusters),
                Special::SmId | Special::GridId => 0,
                Special::NsmId => 1,
                Special::Constant(constant) => *constant,
                Special::LaneId => lane,
                Special::WarpId => number,
                Special::Nwarpid => config.threads_per_cta.div_ceil(32),
                Special::LaneMask(LaneOrder::Equal) => 1 << lane,
                Special::LaneMask(LaneOrder::Less) => below,
                Special::LaneMask(LaneOrder::LessEqual) => below | 1 << lane,
                Special::LaneMask(LaneOrder::Greater) => !(below | 1 << lane),
                Special::LaneMask(LaneOrder::GreaterEqual) => !below,
                Special::DynamicShared => config.shared_bytes,
                Special::TotalShared => env.program.static_shared + config.shared_bytes,
            });
        }
        warp.set_reg(*slot, &values, u32::MAX);
    }
}
