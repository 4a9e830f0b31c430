//! Which thread this is, and the coordinates that follow from it through a linear layout.

use super::{Emitter, TensorType};
use crate::code::{Reg, Ty};
use tk_layout::{Dim, LinearLayout};

/// The registers that name the thread; made once per function.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    /// Thread in the CTA.
    pub(crate) thread: Reg,
    /// Thread in the warp.
    pub(crate) lane: Reg,
    /// Warp in the CTA.
    pub(crate) warp: Reg,
}

impl Emitter<'_, '_> {
    /// The registers that name the thread.
    pub(crate) fn threads(&mut self) -> Threads {
        if let Some(threads) = self.threads {
            return threads;
        }
        let bits = 5 + self.settings.num_warps.max(1).ilog2();
        let code = &mut self.code;
        let id = code.intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", Ty::I32, &[]);
        let thread = code.assume_below(id, bits);
        let (low, five) = (code.i32(31), code.i32(5));
        let threads = Threads { thread, lane: code.and(thread, low), warp: code.lshr(thread, five) };
        self.threads = Some(threads);
        threads
    }

    /// For every output of `layout` in order, its value in this thread with the register input at 0: the exclusive or of the
    /// images of the set bits of lane and warp.
    pub(crate) fn thread_coordinates(&mut self, layout: &LinearLayout) -> Vec<Reg> {
        let outs: Vec<Dim> = layout.out_dims().collect();
        outs.into_iter().map(|out| self.thread_coordinate(layout, out)).collect()
    }

    /// [`Emitter::thread_coordinates`] for one output.
    pub(crate) fn thread_coordinate(&mut self, layout: &LinearLayout, out: Dim) -> Reg {
        let images = |dim: Dim| (0..layout.in_bits(dim)).map(move |bit| layout.basis(dim, bit, out));
        let bits: Vec<u32> = images(Dim::Lane).chain(images(Dim::Warp)).collect();
        self.linear_in_thread(&bits)
    }

    /// The exclusive or of `images[i]` over the set bits `i` of the thread's number in the CTA. Bits that move by the same
    /// distance are masked and shifted together.
    pub(crate) fn linear_in_thread(&mut self, images: &[u32]) -> Reg {
        let thread = self.threads().thread;
        let mut moves: Vec<(i32, u32)> = Vec::new();
        for (bit, image) in images.iter().enumerate() {
            for target in (0..32).filter(|target| image >> target & 1 == 1) {
                let distance = target - bit as i32;
                match moves.iter_mut().find(|(known, _)| *known == distance) {
                    Some((_, mask)) => *mask |= 1 << bit,
                    None => moves.push((distance, 1 << bit)),
                }
            }
        }
        let code = &mut self.code;
        moves.into_iter().fold(code.i32(0), |sum, (distance, mask)| {
            let mask = code.i32(mask.into());
            let masked = code.and(thread, mask);
            let amount = code.i32(distance.unsigned_abs().into());
            let moved = if distance >= 0 { code.shl(masked, amount) } else { code.lshr(masked, amount) };
            code.xor(sum, moved)
        })
    }

    /// The exclusive or of `images[i]` over the set bits `first + i` of the warp's number, as a value that the hardware sees to be
    /// the same in the whole warp.
    pub(crate) fn in_uniform_warp(&mut self, first: u32, images: &[u32]) -> Reg {
        let zero = self.code.i32(0);
        if images.iter().all(|image| *image == 0) {
            return zero;
        }
        let warp = self.threads().warp;
        let code = &mut self.code;
        let (all, last) = (code.i32(-1), code.i32(31));
        // A shuffle has no effect besides its result, so it may be computed once, at the start.
        let warp = code.intrinsic("llvm.nvvm.shfl.sync.idx.i32", Ty::I32, &[all, warp, zero, last]);
        images.iter().enumerate().fold(zero, |sum, (bit, image)| {
            let (amount, one) = (code.i32(i64::from(first) + bit as i64), code.i32(1));
            let moved = code.lshr(warp, amount);
            let bit = code.and(moved, one);
            let factor = code.i32((*image).into());
            let part = code.mul(bit, factor);
            code.xor(sum, part)
        })
    }

    /// Whether this thread is the one that writes its elements: the others with copies of them stay out. `None` when there are
    /// no copies.
    pub(crate) fn writes(&mut self, tensor: &TensorType) -> Option<Reg> {
        let copies = tensor.free_lanes | tensor.free_warps << 5;
        if copies == 0 {
            return None;
        }
        let thread = self.threads().thread;
        let code = &mut self.code;
        let mask = code.i32(copies.into());
        let copy = code.and(thread, mask);
        let zero = code.i32(0);
        Some(code.icmp(crate::code::IntTest::Eq, copy, zero))
    }
}
