//! Variables, parameters and function headers.

use crate::ast::*;
use crate::lexer::Token;
use crate::parser::Parser;
use crate::{Linkage, Space, Type};
use tk_diag::Result;

impl Parser<'_> {
    /// `.space [.align n] [.v4] .type [.ptr .space .align n] name[dims] [= init]`, without the `;`.
    pub(crate) fn variable(&mut self, linkage: Linkage) -> Result<Variable> {
        let space = self.word().strip_prefix('.').and_then(Space::parse);
        let Some(space) = space else { return Err(self.unexpected("a state space such as `.global`")) };
        self.advance();
        let (mut align, mut lanes, mut ty, mut pointer) = (None, 1, None, None::<PointerHint>);
        while self.token == Token::Word && self.word().starts_with('.') {
            let word = &self.word()[1..];
            if let Some(found) = Type::parse(word).or(is_handle(word).then_some(Type::B64)) {
                ty = Some(found);
            } else if word == "align" {
                self.advance();
                let value = Some(self.unsigned()?.min(1 << 20) as u32);
                match &mut pointer {
                    Some(hint) => hint.align = value,
                    None => align = value,
                }
                continue;
            } else if word == "ptr" {
                pointer = Some(PointerHint { space: Space::Generic, align: None });
            } else if let Some(found) = Space::parse(word).filter(|_| pointer.is_some()) {
                pointer = Some(PointerHint { space: found, align: None });
            } else if let Some(found) = word.strip_prefix('v').and_then(|n| n.parse().ok()) {
                lanes = found;
            } else if !matches!(word, "unified" | "attribute" | "managed") {
                return Err(self.unexpected("a type, an alignment or a name"));
            }
            self.advance();
        }
        let place = TextPlace(self.span);
        let name = self.name()?.to_string();
        let Some(ty) = ty else {
            return Err(Box::new(self.error(place.0, &format!("`{name}` is declared without a type"))));
        };
        let dims = self.dims()?;
        let init = if self.accept(b'=') { self.initialiser()? } else { Vec::new() };
        Ok(Variable { name, linkage, space, ty, lanes, align, dims, init, pointer, place })
    }

    fn dims(&mut self) -> Result<Vec<Option<u64>>> {
        let mut dims = Vec::new();
        while self.accept(b'[') {
            if self.accept(b']') {
                dims.push(None);
            } else {
                dims.push(Some(self.unsigned()?));
                self.expect(b']')?;
            }
        }
        Ok(dims)
    }

    /// One value or nested braces of values; nesting is flattened, as arrays lie flat in memory.
    fn initialiser(&mut self) -> Result<Vec<Initial>> {
        let mut out = Vec::new();
        let mut depth = 0usize;
        loop {
            if self.accept(b'{') {
                depth += 1;
                continue;
            }
            if self.accept(b'}') {
                depth = depth.saturating_sub(1);
            } else {
                out.push(self.initial()?);
            }
            if depth == 0 {
                return Ok(out);
            }
            self.accept(b',');
            if self.token == Token::End {
                return Err(self.unexpected("`}`"));
            }
        }
    }

    fn initial(&mut self) -> Result<Initial> {
        if self.token != Token::Word {
            return Ok(Initial::Value(self.constant()?));
        }
        let mut name = self.name()?;
        if name == "generic" && self.accept(b'(') {
            name = self.name()?;
            self.expect(b')')?;
        }
        let name = name.to_string();
        let offset = self.plus_offset()?;
        Ok(Initial::Address(name, offset))
    }

    /// The rest of an entry or function, after `.entry` or `.func`.
    pub(crate) fn function(&mut self, linkage: Linkage, is_entry: bool) -> Result<Function> {
        let returns = if !is_entry && self.token == Token::Mark(b'(') { self.parameters()? } else { Vec::new() };
        let place = TextPlace(self.span);
        let name = self.name()?.to_string();
        let params = if self.token == Token::Mark(b'(') { self.parameters()? } else { Vec::new() };
        let mut function = Function {
            name,
            linkage,
            is_entry,
            returns,
            params,
            directives: Vec::new(),
            registers: Vec::new(),
            body: None,
            place,
        };
        while self.token == Token::Word {
            let directive = self.directive()?;
            function.directives.push(directive);
        }
        if !self.accept(b';') {
            if is_entry && function.params.iter().any(|param| param.space == Space::Reg) {
                return Err(Box::new(self.error(place.0, "a kernel has no parameters in registers (`.reg`)")));
            }
            function.body = Some(self.body(&mut function)?);
        }
        Ok(function)
    }

    fn parameters(&mut self) -> Result<Vec<Variable>> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        while self.token != Token::Mark(b')') {
            params.push(self.variable(Linkage::Internal)?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(params)
    }

    /// `.reqntid 128, 1, 1`; a `.pragma` of a header keeps no text.
    fn directive(&mut self) -> Result<(String, Vec<u64>)> {
        let Some(name) = self.word().strip_prefix('.') else { return Err(self.unexpected("`{` or a directive")) };
        self.advance();
        let mut values = Vec::new();
        if name == "pragma" {
            self.quoted()?;
            self.expect(b';')?;
        }
        if self.token == Token::Number {
            values.push(self.unsigned()?);
            while self.accept(b',') {
                values.push(self.unsigned()?);
            }
        }
        Ok((name.to_string(), values))
    }
}

/// What textures are named by, which is opaque.
fn is_handle(word: &str) -> bool {
    matches!(word, "texref" | "surfref" | "samplerref")
}
