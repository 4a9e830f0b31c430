//! Numbers of a program that offsets of 64 bits add to rows which change in loops: they go to the pointers.

use super::{Changes, continues_in, is_replication};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Pointers that a wide sum may lead to: a thread keeps 64 bits more for each.
const MOST_POINTERS: usize = 4;

/// Uses that are looked at between a wide sum and the pointers.
const MOST_USES: usize = 16;

/// Numbers that a wide sum may move to the pointers.
const MOST_NUMBERS: usize = 4;

/// Additions before that of the offsets that are looked at.
const MOST_ADDITIONS: usize = 32;

/// A sum of 64 bits, of numbers that are the same for all elements and a rest that changes in more loops than they do, and than what it moves.
///
/// It is computed in each iteration, once for each row of a thread. With the numbers at the pointers it need not be: the rows are widened, scaled
/// and added by one instruction (`IMAD.WIDE`). So the sum must lead to pointers only, whose offsets it is a term of, or it would be computed all
/// the same. Between them are sums and replication, which compute the same numbers without it.
pub(super) struct WideSum<'c> {
    sum: Op<'c>,
    /// Scalars.
    numbers: Vec<Value<'c>>,
    rest: Value<'c>,
    pointers: Vec<MovedPointer<'c>>,
}

/// Pointers to elements, as one pointer and their offsets.
struct MovedPointer<'c> {
    /// The first addition of offsets to the pointer: these, or others that a chain begins with.
    addition: Op<'c>,
    /// The pointer that they are added to: a scalar.
    start: Value<'c>,
}

impl<'c> MovedPointer<'c> {
    /// `None` where the pointers are not one pointer and offsets, or something else needs them on the way to these offsets.
    fn of(addition: Op<'c>) -> Option<Self> {
        let inner = |op: &Op<'c>| {
            op.operand(0).defining_op().filter(|inner| inner.kind() == OpKind::TtAddPtr && continues_in(*inner))
        };
        let addition = std::iter::successors(Some(addition), inner).take(MOST_ADDITIONS).last()?;
        Some(Self { addition, start: addition.operand(0).splat_source()? })
    }
}

impl<'c> WideSum<'c> {
    pub(super) fn of(sum: Op<'c>, changes: &Changes) -> Option<Self> {
        let orders = [[0, 1], [1, 0]];
        let (numbers, rest) = orders
            .into_iter()
            .find_map(|[number, rest]| Some((numbers_of(sum.operand(number))?, sum.operand(rest))))?;
        let pointers = pointers_moved_by(sum)?;
        let is_there = |pointer: &MovedPointer<'c>| numbers.iter().all(|number| number.dominates(pointer.addition));
        if !pointers.iter().all(is_there) {
            return None;
        }
        let starts = pointers.iter().map(|pointer| pointer.start);
        let unchanged = numbers.iter().copied().chain(starts).map(|value| changes.depth(value)).max()?;
        (changes.depth(rest) > unchanged).then_some(Self { sum, numbers, rest, pointers })
    }

    pub(super) fn write(&self, changes: &mut Changes) {
        for pointer in &self.pointers {
            let mut builder = Builder::before(pointer.addition).with_location(self.sum.loc());
            let mut depth = changes.depth(pointer.start);
            let mut start = pointer.start;
            for number in &self.numbers {
                depth = depth.max(changes.depth(*number));
                start = builder.addptr(start, *number);
            }
            // A later sum may move it once more.
            changes.note(start, depth);
            let repeated = builder.splat(start, pointer.addition.operand(0).ty());
            pointer.addition.set_operand(0, repeated);
        }
        self.sum.result(0).replace_all_uses_with(self.rest);
    }
}

/// A sum of tensors of 64 bits of which no hint says anything.
pub(super) fn is_wide_sum(op: Op<'_>) -> bool {
    let is_wide = |ty: Type<'_>| ty.is_tensor() && ty.element_bits() == 64;
    op.kind() == OpKind::ArithAddI && is_wide(op.result(0).ty()) && op.discardable_attrs().is_empty()
}

/// The scalars whose sum a tensor repeats.
fn numbers_of(value: Value<'_>) -> Option<Vec<Value<'_>>> {
    let (mut numbers, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match value.splat_source() {
            Some(number) => numbers.push(number),
            None => pending.extend(value.defining_op().filter(|op| is_wide_sum(*op))?.operands()),
        }
        if numbers.len() + pending.len() > MOST_NUMBERS {
            return None;
        }
    }
    Some(numbers)
}

/// The pointers whose offsets have the sum as a term, each once; `None` where it leads to anything else.
fn pointers_moved_by(sum: Op<'_>) -> Option<Vec<MovedPointer<'_>>> {
    let (mut pointers, mut pending, mut uses) = (Vec::new(), vec![sum], 0);
    while let Some(op) = pending.pop() {
        for (user, operand) in op.result(0).users() {
            uses += 1;
            if user.kind() == OpKind::TtAddPtr {
                pointers.push(MovedPointer::of(user).filter(|_| operand == 1)?);
            } else if is_wide_sum(user) || is_replication(user) {
                pending.push(user);
            } else {
                return None;
            }
            if uses > MOST_USES || pointers.len() > MOST_POINTERS {
                return None;
            }
        }
    }
    let is_moved_once = |at: usize| pointers[..at].iter().all(|other| other.addition != pointers[at].addition);
    (!pointers.is_empty() && (0..pointers.len()).all(is_moved_once)).then_some(pointers)
}
