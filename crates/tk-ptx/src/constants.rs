//! Constant expressions: `4*8+1`, `(1<<5)-1`, `~0`.
//!
//! Operators wait on a stack until one that binds less follows, so that nothing recurses over the input.

use crate::ast::Immediate;
use crate::lexer::Token;
use crate::parser::Parser;
use tk_diag::Result;

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Xor,
    Or,
}

impl Binary {
    /// The larger, the sooner it is computed.
    fn strength(self) -> u32 {
        match self {
            Binary::Multiply | Binary::Divide | Binary::Remainder => 6,
            Binary::Add | Binary::Subtract => 5,
            Binary::ShiftLeft | Binary::ShiftRight => 4,
            Binary::And => 3,
            Binary::Xor => 2,
            Binary::Or => 1,
        }
    }

    /// The result in 64 bits, as ptxas computes; nothing when there is none.
    fn apply(self, a: i128, b: i128) -> Option<i128> {
        let shift = || u32::try_from(b).ok().filter(|shift| *shift < 64);
        let value = match self {
            Binary::Multiply => a.checked_mul(b)?,
            Binary::Divide => a.checked_div(b)?,
            Binary::Remainder => a.checked_rem(b)?,
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::ShiftLeft => a.checked_shl(shift()?)?,
            Binary::ShiftRight => a >> shift()?,
            Binary::And => a & b,
            Binary::Xor => a ^ b,
            Binary::Or => a | b,
        };
        (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
    }
}

/// What waits for an operand or a closing bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Bracket,
    Minus,
    Complement,
    Not,
    Binary(Binary),
}

impl Parser<'_> {
    /// Takes an expression of integers, or one literal of any kind.
    pub(crate) fn constant(&mut self) -> Result<Immediate> {
        let start = self.span;
        let (mut waiting, mut values): (Vec<Waiting>, Vec<i128>) = (Vec::new(), Vec::new());
        loop {
            self.prefixes(&mut waiting);
            match self.immediate()? {
                Immediate::Int(value) => values.push(value),
                // Floats are literals, with a sign at most.
                float => return self.signed_float(float, &waiting),
            }
            loop {
                apply_prefixes(&mut waiting, &mut values);
                let is_open = waiting.contains(&Waiting::Bracket);
                if !is_open || !self.accept(b')') {
                    break;
                }
                while let Some(Waiting::Binary(binary)) = waiting.last().copied() {
                    waiting.pop();
                    self.compute(binary, &mut values, start)?;
                }
                waiting.pop();
            }
            let Some(next) = self.binary() else { break };
            while let Some(Waiting::Binary(before)) = waiting.last().copied().filter(|w| binds(*w, next)) {
                waiting.pop();
                self.compute(before, &mut values, start)?;
            }
            waiting.push(Waiting::Binary(next));
        }
        while let Some(last) = waiting.pop() {
            match last {
                Waiting::Binary(binary) => self.compute(binary, &mut values, start)?,
                Waiting::Bracket | Waiting::Minus | Waiting::Complement | Waiting::Not => {
                    return Err(self.unexpected("`)`"));
                }
            }
        }
        values.pop().map(Immediate::Int).ok_or_else(|| self.unexpected("a number"))
    }

    /// Signs and brackets before an operand.
    fn prefixes(&mut self, waiting: &mut Vec<Waiting>) {
        loop {
            let prefix = match self.token {
                Token::Mark(b'(') => Waiting::Bracket,
                Token::Mark(b'-') => Waiting::Minus,
                Token::Mark(b'~') => Waiting::Complement,
                Token::Mark(b'!') => Waiting::Not,
                Token::Mark(b'+') => {
                    self.advance();
                    continue;
                }
                _ => return,
            };
            self.advance();
            waiting.push(prefix);
        }
    }

    fn signed_float(&self, float: Immediate, waiting: &[Waiting]) -> Result<Immediate> {
        match (waiting, float) {
            ([], float) => Ok(float),
            ([Waiting::Minus], Immediate::F32(bits)) => Ok(Immediate::F32(bits ^ 1 << 31)),
            ([Waiting::Minus], Immediate::F64(bits)) => Ok(Immediate::F64(bits ^ 1 << 63)),
            _ => Err(Box::new(self.error(self.span, "constant expressions of floats are not read"))),
        }
    }

    /// Takes an operator of two numbers, if one follows.
    fn binary(&mut self) -> Option<Binary> {
        let next = self.text.as_bytes().get(self.span.end as usize).copied();
        let binary = match self.token {
            Token::Mark(b'*') => Binary::Multiply,
            Token::Mark(b'/') => Binary::Divide,
            // A lone percent sign is read as a word, since names begin so.
            Token::Word if self.word() == "%" => Binary::Remainder,
            Token::Mark(b'+') => Binary::Add,
            Token::Mark(b'-') => Binary::Subtract,
            Token::Mark(b'&') => Binary::And,
            Token::Mark(b'^') => Binary::Xor,
            Token::Mark(b'|') => Binary::Or,
            Token::Mark(mark @ (b'<' | b'>')) if next == Some(mark) => {
                self.advance();
                if mark == b'<' { Binary::ShiftLeft } else { Binary::ShiftRight }
            }
            _ => return None,
        };
        self.advance();
        Some(binary)
    }

    fn compute(&self, binary: Binary, values: &mut Vec<i128>, start: tk_diag::Span) -> Result<()> {
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return Err(self.unexpected("a number")) };
        let Some(value) = binary.apply(a, b) else {
            return Err(Box::new(self.error(start, "this constant expression has no value of 64 bits")));
        };
        values.push(value);
        Ok(())
    }
}

/// Whether an operator that waits is computed before `next`.
fn binds(waiting: Waiting, next: Binary) -> bool {
    matches!(waiting, Waiting::Binary(before) if before.strength() >= next.strength())
}

/// Signs of the operand that was read last.
fn apply_prefixes(waiting: &mut Vec<Waiting>, values: &mut [i128]) {
    let Some(value) = values.last_mut() else { return };
    while let Some(prefix) = waiting.last() {
        *value = match prefix {
            Waiting::Minus => -*value,
            Waiting::Complement => i128::from(!(*value as i64)),
            Waiting::Not => i128::from(*value == 0),
            Waiting::Bracket | Waiting::Binary(_) => return,
        };
        waiting.pop();
    }
}
