//! What makes an encoding well-formed. The parser and `to_linear` both ask, so code may build encodings freely.

use crate::encoding::*;

/// Largest size, in elements, threads or warps, along one axis.
const MAX_SIZE: u32 = 1 << 30;

impl Encoding {
    /// Checks lengths, powers of two and orders; the message names the wrong field.
    pub fn verify(&self) -> Result<(), String> {
        match self {
            Encoding::Blocked(e) => e.verify(),
            Encoding::Slice(e) => {
                let rank = e.parent.rank();
                if !e.parent.is_distributed() {
                    Err("the parent of a slice is a distributed encoding".into())
                } else if e.dim as usize >= rank || rank < 2 {
                    Err(format!("dim {} cannot be sliced off a parent of rank {rank}", e.dim))
                } else {
                    Ok(())
                }
            }
            Encoding::NvidiaMma(e) => e.verify(),
            Encoding::DotOp(e) => e.verify(),
            Encoding::Linear(e) => check_surjective(e),
            Encoding::SwizzledShared(e) => {
                check_sizes("vec, perPhase and maxPhase", &[e.vec, e.per_phase, e.max_phase])?;
                check_order(&e.order)
            }
            Encoding::NvmmaShared(e) => {
                if ![0, 32, 64, 128].contains(&e.swizzling_byte_width) {
                    Err("swizzlingByteWidth is 0, 32, 64 or 128".into())
                } else if ![8, 16, 32, 64].contains(&e.element_bit_width) {
                    Err("elementBitWidth is 8, 16, 32 or 64".into())
                } else if e.rank == 0 || e.rank > 16 {
                    Err("rank is 1 to 16".into())
                } else {
                    Ok(())
                }
            }
            Encoding::PaddedShared(e) => {
                if e.intervals.is_empty() {
                    return Err("at least one interval is needed".into());
                }
                for (at, (interval, padding)) in e.intervals.iter().enumerate() {
                    check_sizes("intervals and paddings", &[*interval, *padding])?;
                    if e.intervals[..at].iter().any(|(other, _)| other == interval) {
                        return Err(format!("the interval {interval} is there twice"));
                    }
                }
                check_surjective(&e.linear)
            }
            Encoding::SharedLinear(e) => {
                check_sizes("alignment", &[e.alignment])?;
                check_surjective(&e.layout)
            }
        }
    }
}

impl BlockedEncoding {
    fn verify(&self) -> Result<(), String> {
        let rank = self.order.len();
        check_order(&self.order)?;
        for (name, sizes) in [
            ("sizePerThread", &self.size_per_thread),
            ("threadsPerWarp", &self.threads_per_warp),
            ("warpsPerCTA", &self.warps_per_cta),
        ] {
            if sizes.len() != rank {
                return Err(format!("{name} has {} entries and order has {rank}", sizes.len()));
            }
            check_sizes(name, sizes)?;
        }
        Ok(())
    }
}

impl MmaEncoding {
    fn verify(&self) -> Result<(), String> {
        let rank = self.warps_per_cta.len();
        check_sizes("warpsPerCTA", &self.warps_per_cta)?;
        let shape = &self.instr_shape;
        match self.version_major {
            2 => {
                if !(2..=3).contains(&rank) || shape.len() != rank {
                    return Err("version 2 has rank 2 or 3, with one instrShape entry per axis".into());
                }
                let (batch, tile) = shape.split_at(rank - 2);
                if tile[0] != 16 && tile[0] != 8 || tile[1] != 8 || batch.iter().any(|&size| size != 1) {
                    return Err(format!("version 2 has instrShape [16, 8], not {shape:?}"));
                }
                Ok(())
            }
            3 => {
                if rank != 2
                    || shape.len() != 3
                    || shape[0] != 16
                    || !shape[1].is_multiple_of(8)
                    || shape[1] == 0
                    || shape[1] > 256
                {
                    return Err(format!(
                        "version 3 has rank 2 and instrShape [16, n, k] with n = 8, 16, … 256, not {shape:?}"
                    ));
                }
                Ok(())
            }
            other => Err(format!("mma version {other} is not supported (2: mma.sync, 3: wgmma)")),
        }
    }
}

impl DotOpEncoding {
    fn verify(&self) -> Result<(), String> {
        if self.op_idx > 1 {
            return Err("opIdx is 0 or 1".into());
        }
        match (&*self.parent, self.k_width) {
            (Encoding::Blocked(_), 0) => Ok(()),
            (Encoding::Blocked(_), _) => Err("kWidth is only for mma parents".into()),
            (Encoding::NvidiaMma(mma), _) if mma.version_major == 3 && self.op_idx == 1 => {
                Err("wgmma takes its right operand from shared memory, so opIdx is 0 for version 3".into())
            }
            (Encoding::NvidiaMma(_), 1 | 2 | 4 | 8) if self.parent.rank() >= 2 => Ok(()),
            (Encoding::NvidiaMma(_), _) => Err("kWidth is 1, 2, 4 or 8 for mma parents".into()),
            (
                Encoding::Slice(_)
                | Encoding::DotOp(_)
                | Encoding::Linear(_)
                | Encoding::SwizzledShared(_)
                | Encoding::NvmmaShared(_)
                | Encoding::PaddedShared(_)
                | Encoding::SharedLinear(_),
                _,
            ) => Err("the parent of dot_op is a blocked or nvidia_mma encoding".into()),
        }
    }
}

fn check_surjective(layout: &crate::LinearLayout) -> Result<(), String> {
    if layout.is_surjective() { Ok(()) } else { Err("the bases do not reach every element".into()) }
}

fn check_sizes(name: &str, sizes: &[u32]) -> Result<(), String> {
    match sizes.iter().find(|size| !size.is_power_of_two() || **size > MAX_SIZE) {
        Some(size) => Err(format!("{name}: {size} is no power of two up to 2^30")),
        None => Ok(()),
    }
}

/// `order` is a permutation of 0 to its length.
pub(crate) fn check_order(order: &[u32]) -> Result<(), String> {
    if order.is_empty() || order.len() > 16 {
        return Err(format!("order has {} axes; 1 to 16 are possible", order.len()));
    }
    let seen = order.iter().fold(0u32, |seen, &axis| seen | 1u32.checked_shl(axis).unwrap_or(0));
    if seen == (1u32 << order.len()) - 1 {
        Ok(())
    } else {
        Err(format!("order {order:?} is no permutation of the axes"))
    }
}
