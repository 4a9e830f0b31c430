//! What is known of a tensor's values along each axis: runs of consecutive numbers, runs of equal ones, and alignment.
//!
//! This is the lattice alone, plain data without IR. [`super::axis_rules`] says how each operation transforms it and
//! [`super::axis_flow`] walks a module. The vectors have one entry per axis (one entry for a scalar) and hold powers of two.

/// The divisibility of zero: every power of two of interest divides it.
pub const MAX_DIVISOR: u64 = 1 << 62;

/// Facts about an integer or pointer, scalar or tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisInfo {
    /// Length of the aligned runs `x, x+1, …` along each axis; for pointers, of consecutive elements.
    pub contiguity: Vec<u64>,
    /// A power of two that divides the first value of every such run; for pointers, in bytes.
    pub divisibility: Vec<u64>,
    /// Length of the aligned runs of equal values.
    pub constancy: Vec<u64>,
    /// The one value everywhere, sign-extended from its width.
    pub constant: Option<i64>,
    /// No value is negative (see [`super::axis_rules`] for what this takes for granted).
    pub non_negative: bool,
}

/// Greatest common divisor of two powers of two.
pub fn gcd(a: u64, b: u64) -> u64 {
    a.min(b)
}

/// The largest power of two that divides `value`, at most [`MAX_DIVISOR`].
pub fn power_of_two_divisor(value: i64) -> u64 {
    if value == 0 { MAX_DIVISOR } else { (1u64 << value.trailing_zeros()).min(MAX_DIVISOR) }
}

impl AxisInfo {
    /// Facts from their vectors, with the divisibility that holds for every value copied to every axis.
    pub fn new(contiguity: Vec<u64>, divisibility: Vec<u64>, constancy: Vec<u64>) -> Self {
        Self { contiguity, divisibility, constancy, constant: None, non_negative: false }.normalized()
    }

    /// Nothing is known.
    pub fn unknown(rank: usize) -> Self {
        Self::new(vec![1; rank], vec![1; rank], vec![1; rank])
    }

    /// The same integer everywhere in a tensor of this shape (`[1]` for a scalar).
    pub fn constant(value: i64, shape: &[u64]) -> Self {
        let rank = shape.len();
        let mut info = Self::new(vec![1; rank], vec![power_of_two_divisor(value); rank], shape.to_vec());
        info.constant = Some(value);
        info.non_negative = value >= 0;
        info
    }

    /// `start, start+1, …, end-1`.
    pub fn range(start: i64, end: i64) -> Self {
        let length = power_of_two_divisor(end - start);
        let divisibility = power_of_two_divisor(start).min(1 << 30);
        let mut info = Self::new(vec![length], vec![divisibility], vec![1]);
        info.non_negative = start >= 0;
        if end - start == 1 {
            info.constant = Some(start);
        }
        info
    }

    /// Says whether no value is negative.
    pub fn with_non_negative(mut self, non_negative: bool) -> Self {
        self.non_negative = non_negative;
        self
    }

    /// Number of axes; 1 for a scalar.
    pub fn rank(&self) -> usize {
        self.contiguity.len()
    }

    /// A power of two that divides every value, not only the first of each run.
    pub fn overall_divisor(&self) -> u64 {
        (0..self.rank()).filter(|&d| self.contiguity[d] == 1).map(|d| self.divisibility[d]).max().unwrap_or(1)
    }

    /// An axis without runs makes its divisibility hold for all values, hence for every axis.
    fn normalized(mut self) -> Self {
        let overall = self.overall_divisor();
        for divisibility in &mut self.divisibility {
            *divisibility = (*divisibility).max(overall);
        }
        self
    }

    /// The divisor of the first values when the runs along axis `d` are cut to `length`; `unit` is what one step adds (1 for
    /// integers, the element's bytes for pointers).
    pub fn divisor_of_shorter_runs(&self, d: usize, length: u64, unit: u64) -> u64 {
        if length >= self.contiguity[d] {
            self.divisibility[d]
        } else {
            gcd(self.divisibility[d], length.saturating_mul(unit))
        }
    }

    /// What holds of a value that is one of the two.
    pub fn join(&self, other: &Self, unit: u64) -> Self {
        let rank = self.rank().min(other.rank());
        let mut joined = Self::unknown(rank);
        for d in 0..rank {
            let contiguity = gcd(self.contiguity[d], other.contiguity[d]);
            joined.contiguity[d] = contiguity;
            joined.constancy[d] = gcd(self.constancy[d], other.constancy[d]);
            joined.divisibility[d] = gcd(
                self.divisor_of_shorter_runs(d, contiguity, unit),
                other.divisor_of_shorter_runs(d, contiguity, unit),
            );
        }
        joined.constant = self.constant.filter(|_| self.constant == other.constant);
        joined.non_negative = self.non_negative && other.non_negative;
        joined.normalized()
    }

    /// Replaces facts by hints of the user (`tl.multiple_of` and the like), which are trusted.
    pub fn with_hints(mut self, hints: &Hints) -> Self {
        let apply = |own: &mut Vec<u64>, hint: &Option<Vec<u64>>| {
            for (own, hint) in own.iter_mut().zip(hint.iter().flatten()) {
                *own = *hint;
            }
        };
        apply(&mut self.contiguity, &hints.contiguity);
        apply(&mut self.divisibility, &hints.divisibility);
        apply(&mut self.constancy, &hints.constancy);
        self.normalized()
    }

    /// What holds where both do: the other facts are about the same value.
    pub fn with_also(mut self, other: &Self) -> Self {
        let most = |own: &mut Vec<u64>, other: &[u64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
        };
        most(&mut self.contiguity, &other.contiguity);
        most(&mut self.divisibility, &other.divisibility);
        most(&mut self.constancy, &other.constancy);
        self.constant = self.constant.or(other.constant);
        self.non_negative |= other.non_negative;
        self.normalized()
    }

    /// The text of the test pass, which is also Triton's.
    pub fn describe(&self) -> String {
        let constant = self.constant.map_or("<none>".to_string(), |value| value.to_string());
        format!(
            "contiguity = {:?}, divisibility = {:?}, constancy = {:?}, constant_value = {constant}",
            self.contiguity, self.divisibility, self.constancy
        )
    }
}

/// What `tt.contiguity`, `tt.divisibility` and `tt.constancy` attributes say; powers of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Replaces the computed contiguity.
    pub contiguity: Option<Vec<u64>>,
    /// Replaces the computed divisibility.
    pub divisibility: Option<Vec<u64>>,
    /// Replaces the computed constancy.
    pub constancy: Option<Vec<u64>>,
}

impl Hints {
    /// No hint at all.
    pub fn is_empty(&self) -> bool {
        self.contiguity.is_none() && self.divisibility.is_none() && self.constancy.is_none()
    }
}
