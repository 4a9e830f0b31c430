//! Operands and literals.

use crate::ast::*;
use crate::lexer::Token;
use crate::parser::Parser;
use tk_diag::Result;

/// Names of special registers, without `%` and without `.x`.
const SPECIAL: &[&str] = &[
    "tid",
    "ntid",
    "laneid",
    "warpid",
    "nwarpid",
    "ctaid",
    "nctaid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "current_graph_exec",
];

impl Parser<'_> {
    /// Operands up to `;`, which is left.
    pub(crate) fn operands(&mut self, opcode: &str) -> Result<Vec<Operand>> {
        // Brackets of other instructions belong to constant expressions.
        let is_call = opcode == "call" || opcode.starts_with("call.");
        let mut out = Vec::new();
        if self.token == Token::Mark(b';') {
            return Ok(out);
        }
        loop {
            out.push(self.operand(is_call)?);
            if !self.accept(b',') {
                return Ok(out);
            }
        }
    }

    fn operand(&mut self, is_call: bool) -> Result<Operand> {
        match self.token {
            Token::Mark(b'{') => Ok(Operand::Vector(self.group(b'{', b'}')?)),
            Token::Mark(b'(') if is_call => Ok(Operand::List(self.group(b'(', b')')?)),
            Token::Mark(b'[') => self.address(),
            Token::Mark(b'!') => {
                self.advance();
                Ok(Operand::Not(self.register()?))
            }
            _ => self.simple(),
        }
    }

    /// A group holds simple operands only, so operands do not nest.
    fn group(&mut self, open: u8, close: u8) -> Result<Vec<Operand>> {
        self.expect(open)?;
        let mut out = Vec::new();
        while self.token != Token::Mark(close) {
            out.push(self.simple()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(out)
    }

    /// A register, pair, special register, symbol or literal.
    fn simple(&mut self) -> Result<Operand> {
        if matches!(self.token, Token::Number | Token::Mark(b'-' | b'+' | b'~' | b'(')) {
            return Ok(Operand::Immediate(self.constant()?));
        }
        if self.token != Token::Word {
            return Err(self.unexpected("an operand"));
        }
        let word = self.word();
        if let Some(parts) = self.find_vector(word) {
            self.advance();
            return Ok(Operand::Vector(parts.map(Operand::Register).collect()));
        }
        if word == "_" || self.find_register(word).is_some() {
            let first = self.find_register(word);
            self.advance();
            if self.accept(b'|') {
                let second = if self.word() == "_" { None } else { Some(self.find_or_fail()?) };
                self.advance();
                return Ok(Operand::Pair(first, second));
            }
            return Ok(first.map_or(Operand::Sink, Operand::Register));
        }
        if let Some(name) = word.strip_prefix('%') {
            let name = name.split('.').next().unwrap_or(name);
            if !SPECIAL.contains(&name) && !name.starts_with("envreg") && !name.starts_with("pm") {
                self.find_or_fail()?;
            }
            self.advance();
            return Ok(Operand::Special(word.to_string()));
        }
        self.advance();
        let offset = self.plus_offset()?;
        Ok(Operand::Symbol(word.to_string(), offset))
    }

    fn address(&mut self) -> Result<Operand> {
        self.expect(b'[')?;
        let base = match self.token {
            Token::Number | Token::Mark(b'-' | b'(') => Base::Absolute,
            _ => {
                let word = self.word();
                match self.find_register(word) {
                    Some(register) => {
                        self.advance();
                        Base::Register(register)
                    }
                    None if word.starts_with('%') => return Err(self.undeclared()),
                    None => Base::Symbol(self.name()?.to_string()),
                }
            }
        };
        let offset = if base == Base::Absolute { self.signed()? } else { self.plus_offset()? };
        let mut more = Vec::new();
        while self.accept(b',') {
            more.push(match self.token {
                Token::Mark(b'{') => Operand::Vector(self.group(b'{', b'}')?),
                _ => self.simple()?,
            });
        }
        self.expect(b']')?;
        Ok(Operand::Address(Box::new(Address { base, offset, more })))
    }

    /// `+ 16`, `+-4`, `- 4` or nothing.
    pub(crate) fn plus_offset(&mut self) -> Result<i64> {
        if self.accept(b'+') || self.token == Token::Mark(b'-') { self.signed() } else { Ok(0) }
    }

    fn signed(&mut self) -> Result<i64> {
        let at = self.span;
        match self.constant()? {
            Immediate::Int(value) if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() => Ok(value as i64),
            _ => Err(Box::new(self.error(at, "an offset is an integer of 64 bits"))),
        }
    }

    /// Takes a register.
    pub(crate) fn register(&mut self) -> Result<Register> {
        let register = self.find_or_fail()?;
        self.advance();
        Ok(register)
    }

    fn find_or_fail(&self) -> Result<Register> {
        self.find_register(self.word()).ok_or_else(|| self.undeclared())
    }

    fn undeclared(&self) -> Box<tk_diag::Diagnostic> {
        if self.token != Token::Word {
            return self.unexpected("a register");
        }
        let message = format!("`{}` is not declared here", self.word().chars().take(40).collect::<String>());
        Box::new(self.error(self.span, &message).help("declare registers with `.reg` before they are used"))
    }

    /// Takes a number without a sign, below 2^64.
    pub(crate) fn unsigned(&mut self) -> Result<u64> {
        let at = self.span;
        match self.constant()? {
            Immediate::Int(value) if u64::try_from(value).is_ok() => Ok(value as u64),
            _ => Err(Box::new(self.error(at, "expected a number from 0 to 2^64-1"))),
        }
    }

    /// Takes a literal without a sign.
    pub(crate) fn immediate(&mut self) -> Result<Immediate> {
        let literal = if self.token == Token::Number { read_literal(self.word()) } else { None };
        let Some(literal) = literal else { return Err(self.unexpected("a number")) };
        self.advance();
        Ok(literal)
    }
}

/// `12`, `0x1F`, `0b101`, `017`, `5U`, `0f3F800000`, `0d…`, `1.5e-3`.
fn read_literal(word: &str) -> Option<Immediate> {
    let lower = word.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0f").filter(|hex| hex.len() == 8) {
        return u32::from_str_radix(hex, 16).ok().map(Immediate::F32);
    }
    if let Some(hex) = lower.strip_prefix("0d").filter(|hex| hex.len() == 16) {
        return u64::from_str_radix(hex, 16).ok().map(Immediate::F64);
    }
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0b") => (&lower[2..], 2),
        Some(_) if lower.starts_with('0') && lower.bytes().all(|b| b.is_ascii_digit()) => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    if let Ok(value) = u64::from_str_radix(digits.trim_end_matches('u'), radix) {
        return Some(Immediate::Int(i128::from(value)));
    }
    if radix != 10 || !lower.contains(['.', 'e']) {
        return None;
    }
    lower.parse::<f64>().ok().map(|value| Immediate::F64(value.to_bits()))
}
