//! Inputs: numbers of a type from a named domain, the same in every run.
//!
//! Domains: `any` (every magnitude of the type, with its special numbers), `finite` (without infinities and NaN), `small`
//! (around one, for arithmetic), `unit` (-1 to 1), `positive`, `range(a,b)`, `log(a,b)` (magnitudes, both signs),
//! `logpos(a,b)`, `nonzero`, `shift` (below the width of the type), `bool`.

use crate::number::{Number, Type};

/// A generator of pseudo-random bits: splitmix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that depends on a text and nothing else.
    pub fn new(seed: &str) -> Random {
        let start = seed
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Random(start)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Draws `count` numbers of a type. An unknown domain is an error that names it.
pub fn draw(ty: Type, domain: &str, count: usize, random: &mut Random) -> Result<Vec<Number>, String> {
    let domain = Domain::parse(domain)?;
    Ok((0..count).map(|i| ty.rounded(domain.number(ty, i, random))).collect())
}

enum Domain {
    Any,
    Finite,
    Small,
    Nonzero,
    Shift,
    Range(f64, f64),
    Log(f64, f64, bool),
}

impl Domain {
    fn parse(text: &str) -> Result<Domain, String> {
        let text = text.trim();
        let (name, limits) = text.split_once('(').unwrap_or((text, ""));
        let limits: Vec<f64> = limits
            .trim_end_matches(')')
            .split(',')
            .filter(|limit| !limit.is_empty())
            .map(|limit| limit.trim().parse().map_err(|_| format!("`{text}`: not a number: {limit}")))
            .collect::<Result<_, _>>()?;
        Ok(match (name, limits.as_slice()) {
            ("any", []) => Domain::Any,
            ("finite", []) => Domain::Finite,
            ("small", []) => Domain::Small,
            ("nonzero", []) => Domain::Nonzero,
            ("shift", []) => Domain::Shift,
            ("unit", []) => Domain::Range(-1.0, 1.0),
            ("bool", []) => Domain::Range(0.0, 2.0),
            ("positive", []) => Domain::Range(0.25, 8.0),
            ("range", [low, high]) => Domain::Range(*low, *high),
            ("log", [low, high]) => Domain::Log(*low, *high, true),
            ("logpos", [low, high]) => Domain::Log(*low, *high, false),
            _ => return Err(format!("`{text}` is not a domain")),
        })
    }

    fn number(&self, ty: Type, index: usize, random: &mut Random) -> Number {
        if ty.is_float() {
            Number::Float(self.float(ty, index, random))
        } else {
            Number::Int(self.integer(ty, index, random))
        }
    }

    fn float(&self, ty: Type, index: usize, random: &mut Random) -> f64 {
        let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
        match self {
            Domain::Any | Domain::Finite => {
                let special = [0.0, -0.0, 1.0, -1.0, ty.largest(), -ty.largest(), ty.smallest_normal(), 0.5, 1.5, 2.5];
                let infinite = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
                match index {
                    0..10 => special[index],
                    10..13 if matches!(self, Domain::Any) && !ty.is_fp8() => infinite[index - 10],
                    _ => {
                        let span = ty.largest().log2();
                        sign * random.between(-span, span * 0.999).exp2()
                    }
                }
            }
            Domain::Small | Domain::Nonzero => sign * random.between(0.0625, 8.0),
            Domain::Shift => random.between(0.0, 8.0).floor(),
            Domain::Range(low, high) => match index {
                0 => *low,
                _ => random.between(*low, *high),
            },
            Domain::Log(low, high, both) => {
                let magnitude = random.between(low.log2(), high.log2()).exp2();
                if *both { sign * magnitude } else { magnitude }
            }
        }
    }

    fn integer(&self, ty: Type, index: usize, random: &mut Random) -> i128 {
        let (least, greatest) = ty.integer_range();
        let anything = |random: &mut Random| ty.wrap(i128::from(random.bits()));
        match self {
            Domain::Any | Domain::Finite => match [0, 1, ty.wrap(-1), least, greatest].get(index) {
                Some(special) => *special,
                // Half of them small in magnitude, so that wide types meet carries of every length.
                None if index.is_multiple_of(2) => ty.wrap(i128::from(random.bits() as i64 >> random.below(64))),
                None => anything(random),
            },
            Domain::Nonzero => {
                let value = ty.wrap(i128::from(random.bits() as i64 >> random.below(64)));
                if value == 0 || value == -1 { 3 } else { value }
            }
            Domain::Small => ty.wrap(i128::from(random.bits() % 21) - 10),
            Domain::Shift => i128::from(random.bits() % u64::from(ty.bits())),
            Domain::Range(low, high) | Domain::Log(low, high, _) => {
                (random.between(*low, *high).floor() as i128).clamp(least, greatest)
            }
        }
    }
}
