//! Products by multiply-add whose operands are in one bank of registers.
//!
//! A thread's registers are in two banks, those with even and those with odd numbers, and a bank gives two of them in a cycle. A multiply-add of three
//! registers of one bank takes a cycle more, unless one of them is kept from the instruction before: four bits from bit 58 of its upper half on say
//! which operands it keeps.
//!
//! ptxas chooses registers so that few collide, if it has some to spare. Asked for one CTA more it has none, and then collisions depend on the order of the
//! multiply-adds, which nobody can tell before. So it is asked again, with other orders of the same sums ([`Order`]), and what collides least is taken.

use crate::assembling::{Assembling, Code};
use crate::machine_code::{Instruction, instructions};
use crate::machine_loops::are_in_loops;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::rewrite::{Order, Rewrite};

/// `FFMA`, whatever its operands are: the lowest nine bits.
const MULTIPLY_ADD: u64 = 0x023;
const KIND: u64 = 0x1ff;
/// That of three registers.
const OF_REGISTERS: u64 = 0x223;
/// The register that is always zero, and is in no bank.
const ZERO: u64 = 0xff;

/// Multiply-adds in loops that are enough to try other orders for them. Of 1,603 recorded launches 28 have as many and spend half of their instructions
/// on them.
const MANY: u32 = 256;

/// The part of the cycles of a loop that has to go away: one in so many. In fifteen of those 28 launches as much may: eight of these spill, and no order
/// saves enough in two.
const WORTH: u32 = 50;

/// What the loops of a kernel spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spent {
    instructions: u32,
    multiply_adds: u32,
    /// Multiply-adds of three registers of one bank.
    conflicts: u32,
}

impl Spent {
    fn of_loops(Code { image, made }: &Code) -> Option<Self> {
        let code = instructions(&made.cubin, &image.entry)?;
        let before = std::iter::once(None).chain(code.iter().map(Some));
        let is_inside = are_in_loops(&code);
        let mut spent = Self { instructions: 0, multiply_adds: 0, conflicts: 0 };
        for ((instruction, before), _) in code.iter().zip(before).zip(&is_inside).filter(|(_, is_inside)| **is_inside) {
            spent.instructions += 1;
            spent.multiply_adds += u32::from(instruction.opcode() & KIND == MULTIPLY_ADD);
            spent.conflicts += u32::from(has_conflict(*instruction, before));
        }
        Some(spent)
    }

    /// Cycles of a scheduler.
    fn cycles(self) -> u32 {
        self.instructions + self.conflicts
    }

    /// A part of the cycles that is worth another run of the assembler.
    fn is_slowed(self) -> bool {
        WORTH * self.conflicts > self.instructions
    }

    /// Most instructions are multiply-adds, and there are many: their issue is what a loop waits for.
    fn is_product(self) -> bool {
        self.multiply_adds >= MANY && 2 * self.multiply_adds > self.instructions
    }
}

/// The three registers that a multiply-add reads.
fn operands(instruction: &Instruction) -> Option<[u64; 3]> {
    let Instruction { low, high } = instruction;
    (instruction.opcode() == OF_REGISTERS).then_some([low >> 24 & 0xff, low >> 32 & 0xff, high & 0xff])
}

/// Three registers of one bank have to be read.
fn has_conflict(instruction: Instruction, before: Option<&Instruction>) -> bool {
    const KEPT: u64 = 58;
    let Some(read @ [a, b, c]) = operands(&instruction) else { return false };
    let is_kept = |at: usize| {
        before.is_some_and(|before| {
            before.high >> KEPT >> at & 1 == 1 && operands(before).is_some_and(|kept| kept[at] == read[at])
        })
    };
    let are_three = a != b && b != c && a != c && !read.contains(&ZERO) && !(0..read.len()).any(is_kept);
    are_three && a % 2 == b % 2 && b % 2 == c % 2
}

/// Code with the multiply-adds in another order.
struct Tried {
    code: Code,
    spent: Spent,
}

impl Assembling<'_> {
    /// The code with its multiply-adds in the order in which the fewest collide, where they collide much and the order saves enough.
    pub(crate) fn with_fewer_conflicts(&mut self, code: Code) -> Code {
        let may_collide = code.made.spill_bytes == Some(0) && code.image.ptx.contains("fma.rn.");
        if !may_collide || !self.unit.target.has_countable_waits() {
            return code;
        }
        let Some(now) = Spent::of_loops(&code).filter(|now| now.is_product() && now.is_slowed()) else { return code };
        let Ok(module) = tk_ptx::parse(&SourceFile::new("kernel.ptx", &code.image.ptx)) else { return code };
        let orders = Order::ALL.into_iter().filter_map(|order| module.rewritten(Rewrite::MultiplyAdds(order)));
        let orders: Vec<_> = orders.map(|ptx| KernelImage { ptx, ..code.image.clone() }).collect();
        self.begin_beside(orders.iter().skip(1).cloned());
        let mut best: Option<Tried> = None;
        for order in orders {
            let tried = self.in_order(&code, order).filter(|tried| {
                let then = tried.spent.cycles();
                let saves = now.cycles() - now.cycles() / WORTH >= then;
                saves && best.as_ref().is_none_or(|best| then < best.spent.cycles())
            });
            best = tried.or(best);
            if best.as_ref().is_some_and(|best| !best.spent.is_slowed()) {
                break;
            }
        }
        best.map_or(code, |best| best.code)
    }

    /// What the assembler makes of an order, unless that spills or keeps CTAs away.
    fn in_order(&mut self, code: &Code, order: KernelImage) -> Option<Tried> {
        let other = self.code(order).ok()?;
        let keeps_ctas = other.resident(self.unit)? >= code.resident(self.unit)?;
        let spent = Spent::of_loops(&other).filter(|_| keeps_ctas && other.made.spill_bytes == Some(0))?;
        Some(Tried { code: other, spent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiply_add([a, b, c]: [u64; 3], kept: u64) -> Instruction {
        Instruction { low: OF_REGISTERS | a << 24 | b << 32, high: c | kept << 58 }
    }

    #[test]
    fn three_registers_of_a_bank_collide() {
        let collides = |read| has_conflict(multiply_add(read, 0), None);
        assert!(collides([2, 4, 6]) && collides([1, 9, 33]));
        assert!(!collides([2, 4, 7]), "two of a bank");
        assert!(!collides([2, 2, 6]) && !collides([2, 4, 4]), "one twice");
        assert!(!collides([1, 3, ZERO]), "zero is in no bank");
        let other = Instruction { low: 0x210 | 2 << 24 | 4 << 32, high: 6 };
        assert!(!has_conflict(other, None), "no multiply-add");
    }

    #[test]
    fn what_is_kept_is_not_read() {
        let behind = |before: Instruction| has_conflict(multiply_add([2, 4, 6], 0), Some(&before));
        assert!(!behind(multiply_add([2, 5, 8], 0b001)) && !behind(multiply_add([1, 4, 8], 0b010)));
        assert!(behind(multiply_add([2, 5, 8], 0)), "not kept");
        assert!(behind(multiply_add([4, 5, 8], 0b001)), "kept as another operand");
        assert!(behind(multiply_add([2, 4, 6], 0b1000)), "none of the three");
    }

    #[test]
    fn products_are_mostly_multiply_adds() {
        let spent = |instructions, multiply_adds, conflicts| Spent { instructions, multiply_adds, conflicts };
        assert!(spent(2275, 2048, 151).is_product() && spent(2275, 2048, 151).is_slowed());
        assert!(!spent(2276, 2048, 6).is_slowed());
        assert!(!spent(4261, 2080, 91).is_product() && !spent(200, 180, 90).is_product());
    }
}
