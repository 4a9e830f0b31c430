//! Slow ways that are rarely taken: one test of several inputs of a thread says whether a short way does for all of them.
//!
//! A slow way in line for every register of a tensor would make the kernel many times longer. Here it is there once, in a loop over the inputs, beside the
//! short way of all of them or behind it; for a single input it is a branch behind the short way. (A device function per call would do too, but then every register would
//! be moved to and fro around the call.)
//!
//! The loop gives results, so nothing but inputs lives across the branch of several inputs, or inputs and results ([`ShortWay`]). What the short way has got half way,
//! an angle and a quadrant for each input, would be kept for a loop that nearly never runs: a sum of sines has 72 registers instead of 96.

use crate::code::{Code, IntTest, Label, LoopMark, Reg, Ty};
use tk_diag::Result;

/// A result: the reduced angle and its quadrant.
pub(super) type Pair = [Reg; 2];

/// Inputs that one branch looks after.
const CHUNK: usize = 32;

/// Where the short way of several inputs stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShortWay {
    /// Before the branch, so that nothing waits for the test: where few warps run, and each waits for itself. Results live across the branch beside the inputs.
    First,
    /// Behind the branch, beside the loop: nothing but inputs lives across it.
    Beside,
}

/// What is computed of each input.
pub(super) struct Ways<'w, 'l> {
    pub(super) place: ShortWay,
    /// Whether the short way does not do for one of several inputs.
    pub(super) is_beyond: &'w dyn Fn(&mut Code<'l>, &[Reg]) -> Reg,
    /// Results where the short way does.
    pub(super) short: &'w dyn Fn(&mut Code<'l>, Reg) -> Vec<Reg>,
    /// The same results of any input.
    pub(super) general: &'w dyn Fn(&mut Code<'l>, Reg) -> Vec<Reg>,
}

/// The results of each of several inputs.
pub(super) fn in_two_ways<'l>(code: &mut Code<'l>, inputs: &[Reg], ways: &Ways<'_, 'l>) -> Result<Vec<Vec<Reg>>> {
    let mut results = Vec::with_capacity(inputs.len());
    for chunk in inputs.chunks(CHUNK) {
        results.extend(chunk_in_two_ways(code, chunk, ways)?);
    }
    Ok(results)
}

/// Results, and the block that goes on with them.
struct Arm<'l> {
    from: Label<'l>,
    results: Vec<Vec<Reg>>,
}

fn chunk_in_two_ways<'l>(code: &mut Code<'l>, inputs: &[Reg], ways: &Ways<'_, 'l>) -> Result<Vec<Vec<Reg>>> {
    let is_beyond = (ways.is_beyond)(code, inputs);
    if is_beyond.constant() == Some(0) {
        return Ok(inputs.iter().map(|input| (ways.short)(code, *input)).collect());
    }
    let (slow, exit) = (code.label(), code.label());
    let (before, short) = match ways.place {
        ShortWay::First => {
            let short = short_arm(code, inputs, ways)?;
            code.branch(is_beyond, slow, exit)?;
            (short.from, short)
        }
        ShortWay::Beside => {
            let (before, beside) = (code.here(), code.label());
            code.branch(is_beyond, slow, beside)?;
            code.open_scope(beside, false);
            let short = short_arm(code, inputs, ways)?;
            code.jump(exit)?;
            code.close_scope();
            (before, short)
        }
    };
    let types: Vec<Ty> = short.results[0].iter().map(|result| result.ty()).collect();
    let slow = one_at_a_time(code, inputs, &types, ways, [before, slow, exit])?;
    code.continue_at(exit);
    join(code, &[short, slow])
}

/// All results by the short way, in the current block.
fn short_arm<'l>(code: &mut Code<'l>, inputs: &[Reg], ways: &Ways<'_, 'l>) -> Result<Arm<'l>> {
    let mut results = Vec::with_capacity(inputs.len());
    for input in inputs {
        let of_input = (ways.short)(code, *input);
        results.push(settled(code, &of_input)?);
    }
    Ok(Arm { from: code.here(), results })
}

/// A loop that computes the results of one input in each iteration; `before` branches to it, and it goes on at `exit`.
fn one_at_a_time<'l>(
    code: &mut Code<'l>,
    inputs: &[Reg],
    types: &[Ty],
    ways: &Ways<'_, 'l>,
    [before, body, exit]: [Label<'l>; 3],
) -> Result<Arm<'l>> {
    code.open_scope(body, true);
    let (number, number_phi) = code.phi(Ty::I32, 0)?;
    let mut carried = Vec::with_capacity(inputs.len() * types.len());
    for ty in inputs.iter().flat_map(|_| types) {
        carried.push(code.phi(*ty, 0)?);
    }
    let is_at: Vec<Reg> = (0..inputs.len())
        .map(|at| {
            let at = code.i32(at as i64);
            code.icmp(IntTest::Eq, number, at)
        })
        .collect();
    let others = is_at.iter().zip(inputs).skip(1);
    let input = others.fold(inputs[0], |chosen, (is_at, input)| code.select(*is_at, *input, chosen));
    let right = (ways.general)(code, input);
    let mut next = Vec::with_capacity(carried.len());
    for (at, (old, _)) in carried.iter().enumerate() {
        let value = code.select(is_at[at / types.len()], right[at % types.len()], *old);
        next.push(code.settle(value)?);
    }
    let (zero, one, count) = (code.i32(0), code.i32(1), code.i32(inputs.len() as i64));
    let next_number = code.add(number, one);
    let next_number = code.settle(next_number)?;
    let again = code.icmp(IntTest::Ne, next_number, count);
    let latch = code.here();
    code.branch(again, body, exit)?;
    // ptxas would write a loop that often runs out for each input.
    code.mark_loop(&[LoopMark::KeepRolled]);
    code.add_incoming(number_phi, zero, before)?;
    code.add_incoming(number_phi, next_number, latch)?;
    for (at, (_, phi)) in carried.into_iter().enumerate() {
        let nothing = code.zero(types[at % types.len()]);
        code.add_incoming(phi, nothing, before)?;
        code.add_incoming(phi, next[at], latch)?;
    }
    code.close_scope();
    Ok(Arm { from: latch, results: next.chunks(types.len()).map(<[Reg]>::to_vec).collect() })
}

/// The results of the arm that was taken.
fn join<'l>(code: &mut Code<'l>, arms: &[Arm<'l>]) -> Result<Vec<Vec<Reg>>> {
    let mut joined = Vec::with_capacity(arms[0].results.len());
    for at in 0..arms[0].results.len() {
        let mut of_input = Vec::with_capacity(arms[0].results[at].len());
        for which in 0..arms[0].results[at].len() {
            let (value, phi) = code.phi(arms[0].results[at][which].ty(), 0)?;
            for arm in arms {
                code.add_incoming(phi, arm.results[at][which], arm.from)?;
            }
            of_input.push(value);
        }
        joined.push(of_input);
    }
    Ok(joined)
}

fn settled(code: &mut Code<'_>, values: &[Reg]) -> Result<Vec<Reg>> {
    values.iter().map(|value| code.settle(*value)).collect()
}

/// Replaces `result` by `slow(input)` where `wrong` holds: a branch for a single register. In a loop nothing of it would change, and LLVM would compute all
/// of it before the loop, whether it is needed or not: rotations with an angle for each thread take 14.4 instead of 16.2 µs on an H200.
pub(super) fn repair_one(
    code: &mut Code<'_>,
    wrong: Reg,
    input: Reg,
    result: Pair,
    slow: fn(&mut Code<'_>, Reg) -> Pair,
) -> Result<Pair> {
    if wrong.constant() == Some(0) {
        return Ok(result);
    }
    let wrong = code.settle(wrong)?;
    let [first, second] = result;
    let initial = [code.settle(first)?, code.settle(second)?];
    let (body, exit) = (code.label(), code.label());
    let before = code.here();
    code.branch(wrong, body, exit)?;
    code.open_scope(body, false);
    let [first, second] = slow(code, input);
    let repaired = [code.settle(first)?, code.settle(second)?];
    let end = code.here();
    code.jump(exit)?;
    code.close_scope();
    code.continue_at(exit);
    let mut joined = initial;
    for (at, joined) in joined.iter_mut().enumerate() {
        let (value, phi) = code.phi(initial[at].ty(), 0)?;
        code.add_incoming(phi, initial[at], before)?;
        code.add_incoming(phi, repaired[at], end)?;
        *joined = value;
    }
    Ok(joined)
}
