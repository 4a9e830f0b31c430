//! Two turns of equal size, where the CTAs of a grid come in two turns.
//!
//! Where a grid brings 31 CTAs to each multiprocessor and 24 have room, 24 run at first, and then seven, which ask memory for less than it can bring. With room
//! for 16 both turns are alike, and each thread has half as many registers again: addresses that the stores need stay in registers. ptxas
//! takes fewer registers than it is given where the code needs no more, so it is also given a block that is never run and needs them (`tk_ptx`'s
//! `held_registers`). Code that was asked for one CTA more before, and gave up registers for it, gets more than it had.
//!
//! On an H200 seventeen launches are 1.023 times as fast in the mean, 0.994 to 1.059 (docs/measurements.md, "Two turns of equal size"). Only code that
//! runs through once and moves memory: others have something to do beside that, which more CTAs hide, and reductions and loops in two turns are 0.95 to
//! 1.07 times as fast. Where warps or shared memory say how many CTAs have room, registers are not what keeps others away, and fewer were no faster. Nor
//! were they in the mean where grids bring at most sixteen, or come in three turns.

use crate::Unit;
use crate::assembling::{Assembling, Code};
use crate::products::Products;
use crate::residents::half_of_uneven_waves;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::rewrite::Rewrite;
use tk_target::{Limit, WARP_SIZE};

/// Bytes that the CTAs of a multiprocessor load and store at least, as the text has them. Three launches with 84 KiB are 0.988, 0.989 and 1.006 times as
/// fast with even turns.
const LEAST_MOVED: u64 = 128 << 10;

/// Registers that the block that is never run takes beside those that it holds, and some that ptxas may need beside them: those of a thread come in eights.
const BESIDE_HELD: u32 = 12;

/// What lanes exchange values by.
const EXCHANGES: [&str; 3] = ["shfl.", "redux.", "vote."];

/// CTAs of the first turn, and the registers that each of their threads may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    ctas: u32,
    registers: u32,
}

impl Assembling<'_> {
    /// The code with as many CTAs in the first turn as in the second one, where it only moves memory and registers leave room for that.
    pub(crate) fn with_even_turns(&mut self, code: Code) -> Code {
        self.even_turns(&code).unwrap_or(code)
    }

    fn even_turns(&mut self, code: &Code) -> Option<Code> {
        let turn = turn(self.unit, code)?;
        let ptx = asks_for(&code.image.ptx, turn.ctas)?;
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &ptx)).ok()?;
        let held = module.rewritten(Rewrite::HeldRegisters(turn.registers.checked_sub(BESIDE_HELD)?))?;
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let even = self.code(KernelImage { ptx: held, ..code.image.clone() }).ok()?;
        let is_even = turn.ctas <= even.resident(self.unit)? && even.resident(self.unit)? < code.resident(self.unit)?;
        (even.made.spill_bytes == Some(0) && is_even).then_some(even)
    }
}

/// The text that asks for so many CTAs, also where it asked for others, as it does for one more than had room ([`crate::one_more`]) or for fewer
/// whose loads come together ([`crate::loads_together`]).
fn asks_for(ptx: &str, ctas: u32) -> Option<String> {
    let asked = tk_codegen::resident_ctas(ptx);
    let free = asked.and_then(|asked| tk_codegen::without_resident_ctas(ptx, asked));
    tk_codegen::with_resident_ctas(free.as_deref().unwrap_or(ptx), ctas)
}

/// The first of two even turns, where the CTAs of a grid come in two that are not even because registers leave room for more than half of them.
fn turn(unit: &Unit<'_>, code: &Code) -> Option<Turn> {
    let Code { image, made } = code;
    let is_measured = unit.target.has_countable_waits() && image.num_ctas == 1 && made.spill_bytes == Some(0);
    let brought = unit.options.brought.at_most().filter(|_| is_measured)?;
    let now = unit.target.occupancy(made.registers?, image.shared_bytes, image.num_warps);
    // Of grids that are told as one number some may come in one turn as it is.
    let has_two = unit.options.brought.at_least()? > now.ctas_per_sm;
    let ctas = half_of_uneven_waves(brought, now.ctas_per_sm).filter(|_| has_two && now.limit == Limit::Registers)?;
    let registers = unit.target.register_budget(image.num_warps, ctas);
    moves_memory(image, brought).then_some(Turn { ctas, registers })
}

/// Each of its threads runs once through code that loads and stores, so much of it that this is what the CTAs of a multiprocessor wait for.
fn moves_memory(image: &KernelImage, brought: u32) -> bool {
    let computes = EXCHANGES.iter().any(|name| image.ptx.contains(name));
    if computes || !matches!(Products::of(&image.ptx), Products::None) {
        return false;
    }
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok();
    let Some(accesses) = module.and_then(|module| module.entry(&image.entry)?.straight_accesses()) else {
        return false;
    };
    let threads = u64::from(brought) * u64::from(image.num_warps) * u64::from(WARP_SIZE);
    accesses.combined == 0 && (accesses.loaded + accesses.stored) * threads >= LEAST_MOVED
}
