//! Fewer CTAs at once, where each loads a large block and then adds it to rows elsewhere.
//!
//! Such a CTA first waits for its loads and adds nothing, and then adds and loads nothing. Two on a multiprocessor do both at the same time, one this and the
//! other that. More of them are there at once when the grid starts, so all load, and then all add: each of the two waits in a longer queue while the other
//! rests. What more CTAs are for, requests under way while one waits, the loads of one CTA are enough for: 32 KiB are twice what memory brings a
//! multiprocessor in the time that a load takes.
//!
//! On an H200 an `index_add` of 1,920 CTAs with 128 rows of 256 bytes each takes 1.042 times as long with the five CTAs that have room as with two, and
//! 1.014 times as long with three (docs/measurements.md, "Blocks that are added to rows come from two CTAs at once").
//!
//! The CTAs that are too many are kept away by shared memory that nobody uses.

use crate::Unit;
use crate::assembling::Code;
use crate::machine_waits::memory_waits;
use crate::residents::waves;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::StraightAccesses;
use tk_types::Residency;

/// CTAs that load and add in turns.
const AT_ONCE: u32 = 2;
/// Bytes that a CTA loads at least. Less leaves memory idle while the CTA waits.
const LEAST_LOADED: u64 = 32 << 10;
/// Bytes of one instruction that adds neighbours of a row. Where each number has a place of its own, the addresses of one instruction are the work, and
/// how many CTAs are best is not known.
const OF_ROWS: u64 = 16;
/// Turns at least in which the CTAs of the grid come as it is. In one or two most of the time is their start and their end.
const LEAST_WAVES: u32 = 3;
/// Threads of a warp.
const WARP_SIZE: u64 = 32;
/// Steps in which shared memory is asked for.
const KIB: u32 = 1024;

/// Takes so much shared memory that two CTAs have room, where that is better than more of them.
pub(crate) fn with_fewer_at_once(unit: &Unit<'_>, code: Code) -> Code {
    let Some(shared_bytes) = shared_bytes_of_few(unit, &code) else { return code };
    Code { image: KernelImage { shared_bytes, ..code.image }, ..code }
}

/// The shared memory that leaves room for two CTAs; `None` where there are no more, or where these are better.
fn shared_bytes_of_few(unit: &Unit<'_>, Code { image, made }: &Code) -> Option<u32> {
    if !unit.target.has_countable_waits() || image.num_ctas != 1 || made.spill_bytes != Some(0) {
        return None;
    }
    let registers = made.registers?;
    let ctas = |bytes: u32| unit.target.occupancy(registers, bytes, image.num_warps).ctas_per_sm;
    let now = ctas(image.shared_bytes);
    let comes_in_waves = match unit.options.residency {
        Residency::AtMost(brought) => waves(brought, now) >= LEAST_WAVES,
        Residency::Many => true,
        Residency::Any | Residency::One => false,
    };
    if now <= AT_ONCE || !comes_in_waves || !loads_and_adds(image) {
        return None;
    }
    // Loads that wait for each other need other CTAs.
    memory_waits(&made.cubin, &image.entry).filter(|waits| *waits < 2.0)?;
    let most = unit.target.max_shared_bytes_per_cta() / KIB;
    (image.shared_bytes.div_ceil(KIB)..=most).rev().map(|kib| kib * KIB).find(|bytes| ctas(*bytes) == AT_ONCE)
}

/// Its threads run once through code that loads a large block, and adds at least half of all bytes that it moves to rows of global memory.
fn loads_and_adds(image: &KernelImage) -> bool {
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok();
    let accesses = module.and_then(|module| module.entry(&image.entry)?.straight_accesses());
    accesses.is_some_and(|accesses| is_block_to_rows(accesses, image.num_warps))
}

fn is_block_to_rows(accesses: StraightAccesses, num_warps: u32) -> bool {
    let StraightAccesses { loaded, stored, combined, narrowest_combined } = accesses;
    let threads = u64::from(num_warps) * WARP_SIZE;
    narrowest_combined >= OF_ROWS && combined >= loaded + stored && loaded * threads >= LEAST_LOADED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_that_are_added_to_rows_come_from_two_ctas() {
        let accesses = StraightAccesses { loaded: 260, stored: 0, combined: 512, narrowest_combined: 16 };
        assert!(is_block_to_rows(accesses, 4));
        assert!(!is_block_to_rows(accesses, 2), "16 KiB");
        assert!(!is_block_to_rows(StraightAccesses { narrowest_combined: 4, ..accesses }, 4), "single numbers");
        assert!(!is_block_to_rows(StraightAccesses { stored: 256, ..accesses }, 4), "more is loaded and stored");
    }
}
