//! The report of a CTA in which no thread can go on: what each warp waits for, and where.

use crate::cluster::Block;
use crate::fault::Fault;
use crate::geometry::Geometry;
use crate::launch::Environment;
use crate::mbarrier::Mbarrier;
use crate::program::BARRIERS;
use crate::warp::{Fragment, State, Warp};
use tk_diag::DEADLOCK;

/// Most places that a report lists.
const MOST_PLACES: usize = 12;

/// Threads that wait at the same place for the same thing.
struct Waiting {
    fragment: Fragment,
    /// Warps, with how many of their lanes wait here.
    warps: Vec<(u32, u32)>,
}

/// The fault of a CTA that is stuck.
pub(crate) fn deadlock(block: &Block, warps: &[Warp], env: &Environment<'_>) -> Box<Fault> {
    let (program, geometry) = (env.program, &env.geometry);
    let places = places(warps);
    let at_mbarrier = |place: &&Waiting| matches!(place.fragment.state, State::Mbarrier { .. });
    // Those at the barrier of the cluster wait for others, which say more.
    let elsewhere = |place: &&Waiting| !matches!(place.fragment.state, State::ClusterBarrier { .. });
    let first = places.iter().find(at_mbarrier).or_else(|| places.iter().find(elsewhere)).or_else(|| places.first());
    let Some(first) = first else {
        return Fault::new(DEADLOCK, "no thread can go on");
    };
    let what = reason(block, warps, first.fragment.state);
    let mut fault = Fault::new(DEADLOCK, format!("no thread can go on: {what}"))
        .lane(first.fragment.mask.trailing_zeros() as usize & 31)
        .help(match first.fragment.state {
            State::Mbarrier { .. } | State::Ready => "check the arrival count, the expected bytes and the parity",
            State::Registers { .. } => "let other warps execute `setmaxnreg.dec` before, to lower counts",
            State::Lanes(_) => "both sides of a branch must come to the same barrier, shuffle or matrix instruction",
            State::Warpgroup { .. } => "all four warps of a warpgroup must take the same path",
            State::Barrier { .. } => "every thread of the CTA must reach the same barriers",
            State::ClusterBarrier { .. } => "every thread of the cluster must arrive at the same barriers",
        });
    (fault.pc, fault.warp) = (first.fragment.pc, first.warps.first().map_or(0, |warp| warp.0));
    if places.len() > 1 {
        for place in places.iter().take(MOST_PLACES) {
            let state = reason(block, warps, place.fragment.state);
            let line = program.ptx_line(place.fragment.pc);
            fault = fault.note(format!("{}, PTX line {line}: {state}", threads(geometry, &place.warps)));
        }
    }
    let gone: Vec<(u32, u32)> = warps.iter().filter(|w| w.alive == 0).map(|w| (w.number, 32)).collect();
    if gone.is_empty() { fault } else { fault.note(format!("{}: left the kernel", threads(geometry, &gone))) }
}

/// Who waits where, in the order of warps.
fn places(warps: &[Warp]) -> Vec<Waiting> {
    let same = |a: State, b: State| match (a, b) {
        (State::Mbarrier { key: a, .. }, State::Mbarrier { key: b, .. }) => a == b,
        (a, b) => a == b,
    };
    let mut places: Vec<Waiting> = Vec::new();
    for (warp, fragment) in warps.iter().flat_map(|warp| warp.fragments.iter().map(|f| (warp.number, *f))) {
        let lanes = fragment.mask.count_ones();
        let here =
            |place: &&mut Waiting| place.fragment.pc == fragment.pc && same(place.fragment.state, fragment.state);
        match places.iter_mut().find(here) {
            Some(place) => place.warps.push((warp, lanes)),
            None => places.push(Waiting { fragment, warps: vec![(warp, lanes)] }),
        }
    }
    places
}

/// What threads in this state wait for.
fn reason(block: &Block, warps: &[Warp], state: State) -> String {
    match state {
        State::Barrier { id, .. } => {
            let per_cta = warps.len() / block.arrivals.len();
            let own = warps.iter().skip((id / BARRIERS) as usize * per_cta).take(per_cta);
            let alive: u32 = own.map(|w| w.alive.count_ones()).sum();
            let barrier = &block.barriers[id as usize];
            let (expected, id) = (barrier.expected.unwrap_or(alive), id % BARRIERS);
            format!("barrier {id} waits for {expected} threads, and {} have come", barrier.arrived)
        }
        State::ClusterBarrier { .. } => {
            let (alive, come): (u32, u32) =
                (warps.iter().map(|w| w.alive.count_ones()).sum(), block.cluster_barrier.arrived());
            format!("the barrier of the cluster waits for {alive} threads, and {come} have come")
        }
        State::Mbarrier { key, .. } => {
            let missing = block.mbarriers.get(&key).map_or("nothing".to_string(), Mbarrier::missing);
            format!("the mbarrier at shared address {key:#x} still waits for {missing}")
        }
        State::Registers { count } => {
            format!("`setmaxnreg.inc` waits for {count} registers, and no warp gives up enough")
        }
        State::Ready => "threads test an mbarrier that never completes its phase".to_string(),
        State::Warpgroup { .. } => "a warp waits for the others of its warpgroup to complete a product".to_string(),
        State::Lanes(_) => "lanes of a warp wait for lanes that never come to the same instruction".to_string(),
    }
}

/// "warps 0 to 3", "warp 2 and 5 lanes of warp 4".
fn threads(geometry: &Geometry, warps: &[(u32, u32)]) -> String {
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (warp, lanes) in warps {
        match runs.last_mut() {
            Some((first, last, 32))
                if *lanes == 32 && *last + 1 == *warp && geometry.rank(*first) == geometry.rank(*warp) =>
            {
                *last = *warp;
            }
            _ => runs.push((*warp, *warp, *lanes)),
        }
    }
    let words = runs.into_iter().map(|(first, last, lanes)| {
        let of = if geometry.size() == 1 { String::new() } else { format!(" of CTA {}", geometry.rank(first)) };
        let (first, last) = (geometry.in_cta(first), geometry.in_cta(last));
        match lanes {
            32 if first == last => format!("warp {first}{of}"),
            32 => format!("warps {first} to {last}{of}"),
            1 => format!("1 lane of warp {first}{of}"),
            _ => format!("{lanes} lanes of warp {first}{of}"),
        }
    });
    words.collect::<Vec<String>>().join(" and ")
}
