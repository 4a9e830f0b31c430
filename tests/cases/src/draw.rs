//! Inputs: numbers of a type from a named domain, the same in every run.
//!
//! Domains: `any` (every magnitude of the type, with its special numbers), `finite` (without infinities and NaN), `small`
//! (around one, for arithmetic), `unit` (-1 to 1), `positive`, `range(a,b)`, `log(a,b)` (magnitudes, both signs),
//! `logpos(a,b)`, `nonzero`, `shift` (below the width of the type), `bool`.

use crate::number::{Number, Type};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_seeder::Seeder;

/// The generator of all cases: the same numbers on every machine.
pub type Random = ChaCha8Rng;

/// A generator that depends on a text and nothing else.
pub fn seeded(text: &str) -> Random {
    Seeder::from(text).into_rng()
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
        let sign = if random.random() { 1.0 } else { -1.0 };
        match self {
            Domain::Any | Domain::Finite => {
                let special = [0.0, -0.0, 1.0, -1.0, ty.largest(), -ty.largest(), ty.smallest_normal(), 0.5, 1.5, 2.5];
                let infinite = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
                match index {
                    0..10 => special[index],
                    10..13 if matches!(self, Domain::Any) && !ty.is_fp8() => infinite[index - 10],
                    _ => {
                        let span = ty.largest().log2();
                        sign * random.random_range(-span..span * 0.999).exp2()
                    }
                }
            }
            Domain::Small | Domain::Nonzero => sign * random.random_range(0.0625..8.0),
            Domain::Shift => f64::from(random.random_range(0..8)),
            Domain::Range(low, high) => match index {
                0 => *low,
                _ => random.random_range(*low..*high),
            },
            Domain::Log(low, high, both) => {
                let magnitude = random.random_range(low.log2()..high.log2()).exp2();
                if *both { sign * magnitude } else { magnitude }
            }
        }
    }

    fn integer(&self, ty: Type, index: usize, random: &mut Random) -> i128 {
        let (least, greatest) = ty.integer_range();
        match self {
            Domain::Any | Domain::Finite => match [0, 1, ty.wrap(-1), least, greatest].get(index) {
                Some(special) => *special,
                // Half of them small in magnitude, so that wide types meet carries of every length.
                None if index.is_multiple_of(2) => {
                    ty.wrap(i128::from(random.random::<i64>() >> random.random_range(0..64)))
                }
                None => ty.wrap(random.random()),
            },
            Domain::Nonzero => {
                let value = ty.wrap(i128::from(random.random::<i64>() >> random.random_range(0..64)));
                if value == 0 || value == -1 { 3 } else { value }
            }
            Domain::Small => ty.wrap(random.random_range(-10..=10)),
            Domain::Shift => random.random_range(0..i128::from(ty.bits())),
            Domain::Range(low, high) | Domain::Log(low, high, _) => {
                (random.random_range(*low..*high).floor() as i128).clamp(least, greatest)
            }
        }
    }
}
