//! Conversions within each warp by `shfl.sync.idx`.
//!
//! Destination register `r` of lane `l` wants source register `R(r, l)` of lane `S(r, l)`, both linear. In one round every lane can
//! receive one value and give one. So a linear map `D` from lanes to destination registers is chosen such that `l ↦ S(D(l), l)` is as injective
//! as can be; round `ρ` then fills register `ρ ^ D(l)` of lane `l`. What a lane has to give is linear in its own number, so both ends
//! are exchanges of registers by exclusive or, each a row of selects.

use super::{Origin, RegisterCopy, combine, expand_copies};
use crate::f2::Span;

/// For lanes with an odd number of bits in common with `lane_mask`: word `w` takes the place of word `w ^ word_xor`, for all words at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Which lanes exchange.
    pub lane_mask: u32,
    /// Which words change places.
    pub word_xor: u32,
}

/// One shuffle of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuffleRound {
    /// The word (after the exchanges `before`) that every lane gives.
    pub give: u32,
    /// Constant part of the lane to receive from: `lane_xor ^ (exclusive or of lane_map[k] for the set bits k of the own lane)`.
    pub lane_xor: u32,
    /// The word (before the exchanges `after`) that is received.
    pub take: u32,
}

/// Words are groups of registers that travel together: 32 bits of narrow elements, otherwise one element.
///
/// To follow the plan: pack `src_words`; apply `before` in order; do each round; apply `after` in order to the received words; unpack to `dst_words`; fill
/// `copies`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShufflePlan {
    /// Source registers of each word, lowest bits first.
    pub src_words: Vec<Vec<u32>>,
    /// Destination registers of each received word, lowest bits first.
    pub dst_words: Vec<Vec<u32>>,
    /// Exchanges among the source words.
    pub before: Vec<Exchange>,
    /// Lane to receive from, linear part: the image of each lane bit. The same for all rounds.
    pub lane_map: Vec<u32>,
    /// The rounds, one for each destination word.
    pub rounds: Vec<ShuffleRound>,
    /// Exchanges among the received words.
    pub after: Vec<Exchange>,
    /// Destination registers that repeat another one.
    pub copies: Vec<RegisterCopy>,
}

impl ShufflePlan {
    /// Twice the wavefronts plus the instructions, of which an exchange has one for each word.
    pub(super) fn cost(&self) -> u64 {
        let shuffles = self.rounds.iter().filter(|round| !self.is_local(round)).count();
        let selects = self.before.len() * self.src_words.len() + self.after.len() * self.dst_words.len();
        3 * shuffles as u64 + selects as u64
    }

    /// Whether a round receives from the own lane, so that no shuffle is needed.
    pub fn is_local(&self, round: &ShuffleRound) -> bool {
        round.lane_xor == 0 && self.lane_map.iter().enumerate().all(|(bit, image)| *image == 1 << bit)
    }
}

/// The plan, when the conversion stays within warps and one value per lane and round is enough.
pub(super) fn plan(origin: &Origin, element_bits: u32) -> Option<ShufflePlan> {
    if !origin.stays_in_warp() {
        return None;
    }
    let most = if element_bits < 32 { (32 / element_bits).trailing_zeros() as usize } else { 0 };
    let problem = Problem::of(origin)?;
    (0..=most).rev().find_map(|packed| problem.solve(origin, packed))
}

/// Linear maps of the conversion without redundant destination registers.
struct Problem {
    /// Bits of destination registers that are no copies.
    register_bits: Vec<u32>,
    /// `D`: image of each lane bit as a combination of `register_bits` (bit i = i-th of them).
    shift: Vec<u64>,
    /// Source lane of each lane bit after the shift.
    lane_map: Vec<u64>,
    /// Source register as a function of the source lane: image of each lane bit.
    give_map: Vec<u64>,
}

impl Problem {
    fn of(origin: &Origin) -> Option<Self> {
        let is_copy = |bit: u32| origin.copies.iter().any(|repeated| repeated.bit == bit);
        let register_bits: Vec<u32> = (0..origin.registers.len() as u32).filter(|bit| !is_copy(*bit)).collect();
        let lane_of = |bit: u32| origin.thread(origin.registers[bit as usize]);
        // Lanes whose source lane depends on earlier lanes get another register, one that lies in a lane not yet read from.
        let kept = independent_lanes(origin);
        let mut reached = Span::of(kept.iter().map(|&bit| origin.thread(origin.lanes[bit])));
        let basis = reached.clone();
        let kept_places: Vec<u64> = kept.iter().map(|&bit| origin.lanes[bit]).collect();
        let repeats =
            |place: u64| basis.solve(origin.thread(place)).is_some_and(|by| combine(&kept_places, by as u64) == place);
        let mut spare = register_bits.iter().enumerate();
        let mut shift = vec![0u64; origin.lanes.len()];
        for (bit, shift) in shift.iter_mut().enumerate() {
            if !repeats(origin.lanes[bit])
                && let Some((at, _)) = spare.by_ref().find(|(_, register)| reached.insert(lane_of(**register)))
            {
                *shift = 1 << at;
            }
        }
        let registers: Vec<u64> = register_bits.iter().map(|bit| origin.registers[*bit as usize]).collect();
        let places: Vec<u64> =
            origin.lanes.iter().zip(&shift).map(|(&lane, &shift)| lane ^ combine(&registers, shift)).collect();
        let lane_map: Vec<u64> = places.iter().map(|&place| origin.thread(place)).collect();
        let span = Span::of(lane_map.iter().copied());
        // What a lane gives must follow from its number: lanes that are read twice must give the same both times.
        let give = |target: u64| span.solve(target).map(|from| origin.register(combine(&places, from as u64)));
        for (place, &lane) in places.iter().zip(&lane_map) {
            if give(lane)? != origin.register(*place) {
                return None;
            }
        }
        let give_map = linear_extension(
            &lane_map,
            &places.iter().map(|&place| origin.register(place)).collect::<Vec<_>>(),
            origin.lane_bits,
        );
        Some(Self { register_bits, shift, lane_map, give_map })
    }

    /// The plan with words of `2^packed` elements.
    fn solve(&self, origin: &Origin, packed: usize) -> Option<ShufflePlan> {
        let place = |at: usize| origin.registers[self.register_bits[at] as usize];
        // Only registers that come from the own round's lane, and that no lane shifts by, can travel together.
        let shifted = self.shift.iter().fold(0, |all, shift| all | shift);
        let together: Vec<usize> = (0..self.register_bits.len())
            .filter(|&at| origin.thread(place(at)) == 0 && shifted >> at & 1 == 0)
            .take(packed)
            .collect();
        if together.len() < packed {
            return None;
        }
        let apart: Vec<usize> = (0..self.register_bits.len()).filter(|at| !together.contains(at)).collect();
        // Basis of the source registers in use: first those inside a word, then those that number the words.
        let inside: Vec<u64> = together.iter().map(|&at| origin.register(place(at))).collect();
        let mut numbering = Span::of(inside.iter().copied());
        let mut words = Vec::new();
        for vector in apart.iter().map(|&at| origin.register(place(at))).chain(self.give_map.iter().copied()) {
            if numbering.insert(vector) {
                words.push(vector);
            }
        }
        let mut basis = Span::of(inside.iter().copied());
        words.iter().for_each(|&word| _ = basis.insert(word));
        let word_of = |register: u64| -> Option<u32> {
            let coordinates = basis.solve(register)? as u64;
            (coordinates & ((1 << packed) - 1) == 0).then_some((coordinates >> packed) as u32)
        };
        let list = |inside: &[u64], words: &[u64]| -> Vec<Vec<u32>> {
            let word = |number: u64| {
                (0..1u64 << inside.len()).map(|at| (combine(words, number) ^ combine(inside, at)) as u32).collect()
            };
            (0..1u64 << words.len()).map(word).collect()
        };
        let register = |at: &usize| 1u64 << self.register_bits[*at];
        let dst_words =
            list(&together.iter().map(register).collect::<Vec<_>>(), &apart.iter().map(register).collect::<Vec<_>>());
        let rounds = (0..dst_words.len() as u64).map(|take| {
            let from = combine(&apart.iter().map(|&at| place(at)).collect::<Vec<_>>(), take);
            // The giving lane is `lane_xor` away from where the linear part leads, so its own exchange differs by a constant.
            let lane_xor = origin.thread(from);
            let give = origin.register(from) ^ combine(&self.give_map, lane_xor);
            Some(ShuffleRound { give: word_of(give)?, lane_xor: lane_xor as u32, take: take as u32 })
        });
        let apart_mask =
            |shift: u64| apart.iter().enumerate().fold(0, |mask, (to, at)| mask | ((shift >> at & 1) as u32) << to);
        Some(ShufflePlan {
            src_words: list(&inside, &words),
            rounds: rounds.collect::<Option<Vec<_>>>()?,
            before: exchanges(&self.give_map.iter().map(|&register| word_of(register)).collect::<Option<Vec<_>>>()?),
            lane_map: self.lane_map.iter().map(|&lane| lane as u32).collect(),
            after: exchanges(&self.shift.iter().map(|&shift| apart_mask(shift)).collect::<Vec<_>>()),
            copies: expand_copies(origin.registers.len(), &origin.copies),
            dst_words,
        })
    }
}

/// Lane bits, in order, whose source lanes are independent.
fn independent_lanes(origin: &Origin) -> Vec<usize> {
    let mut span = Span::default();
    (0..origin.lanes.len()).filter(|&bit| span.insert(origin.thread(origin.lanes[bit]))).collect()
}

/// The linear map that sends each of `from` to its `to` (known to be consistent), and the rest of the space to 0: images of `bits` unit vectors.
fn linear_extension(from: &[u64], to: &[u64], bits: u32) -> Vec<u64> {
    let mut basis = Span::of(from.iter().copied());
    let mut images = to.to_vec();
    for bit in 0..bits {
        basis.insert(1 << bit);
        images.push(0);
    }
    (0..bits).map(|bit| combine(&images, basis.solve(1 << bit).unwrap_or(0) as u64)).collect()
}

/// One exchange for each independent direction of the linear map from lanes to words.
fn exchanges(map: &[u32]) -> Vec<Exchange> {
    let mut directions: Vec<u64> = Vec::new();
    let mut span = Span::default();
    for &image in map {
        if span.insert(u64::from(image)) {
            directions.push(u64::from(image));
        }
    }
    let coordinates = Span::of(directions.iter().copied());
    let uses = |image: u32, at: usize| coordinates.solve(u64::from(image)).is_some_and(|used| used >> at & 1 == 1);
    let lane_mask = |at: usize| (0..map.len()).filter(|&bit| uses(map[bit], at)).fold(0, |mask, bit| mask | 1 << bit);
    directions
        .iter()
        .enumerate()
        .map(|(at, word)| Exchange { lane_mask: lane_mask(at), word_xor: *word as u32 })
        .collect()
}
