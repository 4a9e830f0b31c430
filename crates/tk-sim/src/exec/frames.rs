//! What functions that call themselves put away before a call and take back after it.

use super::{Flow, Machine, Step};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::undefined::Source;
use crate::warp::Warp;
use tk_diag::RUN_LIMIT;

/// Most bytes that a thread puts away.
pub(crate) const MOST_STACK: usize = 64 << 10;

/// What one lane put away for one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct PutAway {
    slots: Vec<(u64, u8, Option<Source>)>,
    /// Value, and whether it is undefined.
    preds: Vec<[bool; 2]>,
    local: Vec<(u8, bool)>,
}

impl Machine<'_> {
    /// Before a call that may come back.
    pub(super) fn put_away(&self, warp: &mut Warp, frame: u32, active: u32) -> Step {
        let extent = &self.env.program.frames[frame as usize];
        let size = self.env.program.local_bytes as usize;
        if warp.stacks.is_empty() {
            warp.stacks.resize(32, Vec::new());
        }
        let locals = || extent.locals.iter().flat_map(|range| range.clone());
        let bytes = extent.slots.len() * 8 + extent.preds.len() + locals().count();
        for lane in lanes_of(active) {
            if (warp.stacks[lane].len() + 1) * bytes.max(1) > MOST_STACK {
                let depth = warp.stacks[lane].len();
                let message =
                    format!("a function called itself {depth} times, which needs more than {MOST_STACK} bytes");
                return Err(Fault::new(RUN_LIMIT, message).lane(lane).help("look for a recursion that does not end"));
            }
            let slot = |slot: u32| {
                let undefined = warp.undefined.bytes(slot, lane);
                let source = (undefined != 0).then(|| warp.undefined.source(slot, lane));
                (warp.reg(slot)[lane], undefined, source)
            };
            let pred =
                |pred: u32| [warp.preds[pred as usize] >> lane & 1 == 1, warp.undefined.pred(pred) >> lane & 1 == 1];
            let byte = |at: u32| {
                let start = lane * size + at as usize;
                (warp.local[start], warp.local_undefined.get(start, 1, self.block.pc).0 != 0)
            };
            let kept = PutAway {
                slots: extent.slots.clone().map(slot).collect(),
                preds: extent.preds.clone().map(pred).collect(),
                local: locals().map(byte).collect(),
            };
            warp.stacks[lane].push(kept);
        }
        Ok(Flow::Next)
    }

    /// After it.
    pub(super) fn take_back(&self, warp: &mut Warp, frame: u32, active: u32) -> Step {
        let extent = &self.env.program.frames[frame as usize];
        let size = self.env.program.local_bytes as usize;
        for lane in lanes_of(active) {
            let Some(kept) = warp.stacks.get_mut(lane).and_then(Vec::pop) else { continue };
            for (slot, (value, undefined, source)) in extent.slots.clone().zip(kept.slots) {
                warp.put_undefined(slot, lane, value, (undefined, source.unwrap_or(Source::Register { slot })));
            }
            for (pred, [value, undefined]) in extent.preds.clone().zip(kept.preds) {
                warp.set_pred(pred, if value { u32::MAX } else { 0 }, 1 << lane);
                if undefined {
                    warp.undefined.set_pred(pred, 1 << lane, Source::Predicate);
                }
            }
            let locals = extent.locals.iter().flat_map(|range| range.clone());
            for (at, (value, undefined)) in locals.zip(kept.local) {
                let start = lane * size + at as usize;
                warp.local[start] = value;
                warp.local_undefined.set(start, 1, u8::from(undefined), Source::Local { pc: self.block.pc });
            }
        }
        Ok(Flow::Next)
    }
}
