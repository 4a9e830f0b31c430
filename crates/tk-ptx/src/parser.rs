//! The parser: module level and statements. `declarations.rs` reads variables and headers, `operands.rs` operands.
//!
//! It keeps one token of lookahead and a stack of register scopes; nothing recurses over the input, so neither long
//! lines nor deep braces cost more than their length.

use crate::ast::*;
use crate::lexer::{Lexer, Token};
use crate::{Linkage, Space, Type};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use tk_diag::{BAD_PTX, Diagnostic, NESTING_TOO_DEEP, Result, SourceFile, Span};

/// Deepest nesting of `{ }` in a body.
const MAX_SCOPES: usize = 200;
/// Most registers of one function.
const MAX_REGISTERS: u32 = 1 << 22;

/// Parses a PTX file. Errors are `bad-ptx` with the place in `source`.
pub fn parse(source: &SourceFile) -> Result<Module> {
    let mut lexer = Lexer::new(source.text());
    let (token, span) = lexer.next();
    let parser = Parser { source, text: source.text(), lexer, token, span, last: 0, scopes: Vec::new() };
    parser.module()
}

/// The registers that one `{ }` declares.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    plain: FxHashMap<&'a str, Declared>,
    numbered: FxHashMap<&'a str, Declared>,
}

/// A declaration of registers.
#[derive(Clone, Copy)]
struct Declared {
    first: u32,
    count: u32,
    /// Registers of each vector.
    lanes: u32,
}

pub(crate) struct Parser<'a> {
    source: &'a SourceFile,
    pub(crate) text: &'a str,
    lexer: Lexer<'a>,
    /// The token not yet taken, and its place.
    pub(crate) token: Token,
    pub(crate) span: Span,
    /// End of the token taken last.
    pub(crate) last: u32,
    scopes: Vec<Scope<'a>>,
}

impl<'a> Parser<'a> {
    fn module(mut self) -> Result<Module> {
        let mut module = Module {
            version: (0, 0),
            target: Vec::new(),
            address_size: 64,
            files: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            source: self.source.clone(),
        };
        while self.token != Token::End {
            self.item(&mut module)?;
        }
        if module.version == (0, 0) {
            let error = self.error(Span::new(0, 0), "a PTX file starts with `.version`, and this one has none");
            return Err(Box::new(error.help("check that the file holds PTX text")));
        }
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Result<()> {
        match self.word() {
            ".version" => {
                self.advance();
                module.version = self.version()?;
            }
            ".target" => {
                self.advance();
                module.target = self.words()?;
            }
            ".address_size" => {
                self.advance();
                module.address_size = self.unsigned()? as u32;
            }
            ".file" => {
                self.advance();
                let file = self.file()?;
                module.files.push(file);
            }
            ".section" => self.section()?,
            ".pragma" => {
                self.advance();
                self.quoted()?;
                self.expect(b';')?;
            }
            ".alias" => self.skip_to_semicolon()?,
            "@" => self.skip_debug_line(),
            _ => self.declaration(module)?,
        }
        Ok(())
    }

    fn declaration(&mut self, module: &mut Module) -> Result<()> {
        let linkage = Linkage::parse(self.word());
        if linkage.is_some() {
            self.advance();
        }
        let linkage = linkage.unwrap_or(Linkage::Internal);
        match self.word() {
            word @ (".entry" | ".func") => {
                self.advance();
                let function = self.function(linkage, word == ".entry")?;
                module.functions.push(function);
            }
            word if word.starts_with('.') && Space::parse(&word[1..]).is_some() => {
                let variable = self.variable(linkage)?;
                self.expect(b';')?;
                module.variables.push(variable);
            }
            _ => return Err(self.unexpected("a directive such as `.entry`, `.func`, `.global` or `.target`")),
        }
        Ok(())
    }

    /// Lines that start with `@@` carry old debug information.
    fn skip_debug_line(&mut self) {
        self.lexer.skip_line();
        self.advance();
    }

    fn version(&mut self) -> Result<(u32, u32)> {
        let text = self.word();
        let parts = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some(version) = parts.filter(|_| self.token == Token::Number) else {
            return Err(self.unexpected("a version such as 8.7"));
        };
        self.advance();
        Ok(version)
    }

    fn words(&mut self) -> Result<Vec<String>> {
        let mut words = vec![self.name()?.to_string()];
        while self.accept(b',') {
            words.push(self.name()?.to_string());
        }
        Ok(words)
    }

    /// `1 "kernel.py"`, with an optional time and size that mean nothing here.
    fn file(&mut self) -> Result<(u32, String)> {
        let number = self.unsigned()? as u32;
        let name = self.quoted()?;
        while self.accept(b',') {
            self.unsigned()?;
        }
        Ok((number, name))
    }

    /// A debug section: its braces hold data that is skipped.
    fn section(&mut self) -> Result<()> {
        let start = self.span;
        self.advance();
        self.name()?;
        self.expect(b'{')?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.token {
                Token::Mark(b'{') => depth += 1,
                Token::Mark(b'}') => depth -= 1,
                Token::End => return Err(Box::new(self.error(start, "this section has no closing `}`"))),
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    fn skip_to_semicolon(&mut self) -> Result<()> {
        while !matches!(self.token, Token::Mark(b';') | Token::End) {
            self.advance();
        }
        self.expect(b';')
    }

    /// The body after a function's header, from `{` to its `}`.
    pub(crate) fn body(&mut self, function: &mut Function) -> Result<Vec<Statement>> {
        let start = self.span;
        self.expect(b'{')?;
        self.scopes = vec![Scope::default()];
        self.declare_parameters(function)?;
        let mut out = Vec::new();
        loop {
            match self.token {
                Token::Mark(b'{') => {
                    if self.scopes.len() >= MAX_SCOPES {
                        let message = format!("braces are nested deeper than {MAX_SCOPES} levels");
                        let error = Diagnostic::error(NESTING_TOO_DEEP, message).at(self.source, self.span, "");
                        return Err(Box::new(error.help("take scopes out of each other")));
                    }
                    self.advance();
                    self.scopes.push(Scope::default());
                    out.push(Statement::Open);
                }
                Token::Mark(b'}') => {
                    self.advance();
                    self.scopes.pop();
                    if self.scopes.is_empty() {
                        return Ok(out);
                    }
                    out.push(Statement::Close);
                }
                Token::Mark(b';') => self.advance(),
                Token::End => return Err(Box::new(self.error(start, "this body has no closing `}`"))),
                _ => self.statement(function, &mut out)?,
            }
        }
    }

    fn statement(&mut self, function: &mut Function, out: &mut Vec<Statement>) -> Result<()> {
        let word = self.word();
        match word {
            ".reg" => self.registers(function, out),
            ".loc" => {
                let location = self.location()?;
                out.push(Statement::Location(location));
                Ok(())
            }
            ".pragma" => {
                self.advance();
                let text = self.quoted()?;
                out.push(Statement::Pragma(text));
                self.expect(b';')
            }
            ".branchtargets" => {
                self.advance();
                let targets = self.words()?;
                out.push(Statement::BranchTargets(targets));
                self.expect(b';')
            }
            ".callprototype" | ".calltargets" => {
                let start = self.span;
                self.skip_to_semicolon()?;
                let text = self.source.slice(Span { start: start.start, end: self.last });
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                out.push(Statement::Prototype(text));
                Ok(())
            }
            ".section" => self.section(),
            ".file" => Err(self.unexpected("a statement; `.file` belongs outside bodies")),
            _ if word.starts_with('.') && Space::parse(&word[1..]).is_some() => {
                let variable = self.variable(Linkage::Internal)?;
                out.push(Statement::Variable(Box::new(variable)));
                self.expect(b';')
            }
            _ => self.label_or_instruction(out),
        }
    }

    fn registers(&mut self, function: &mut Function, out: &mut Vec<Statement>) -> Result<()> {
        self.advance();
        let lanes = self.lanes()?;
        let ty = self.ty()?;
        loop {
            let at = self.span;
            let name = self.name()?;
            let mut count = None;
            if self.accept(b'<') {
                count = Some(u32::try_from(self.unsigned()?).unwrap_or(u32::MAX));
                self.expect(b'>')?;
            }
            out.push(Statement::Registers(function.registers.len()));
            self.declare(function, (name, at), RegisterGroup { name: name.to_string(), ty, count, lanes, first: 0 })?;
            if !self.accept(b',') {
                return self.expect(b';');
            }
        }
    }

    /// `.v2`, `.v4` or nothing.
    fn lanes(&mut self) -> Result<u32> {
        let lanes = match self.word() {
            ".v2" => 2,
            ".v4" => 4,
            _ => return Ok(1),
        };
        self.advance();
        Ok(lanes)
    }

    /// Adds registers to a function and to the innermost scope.
    fn declare(&mut self, function: &mut Function, (name, at): (&'a str, Span), group: RegisterGroup) -> Result<()> {
        let first = function.register_count();
        if group.registers() > MAX_REGISTERS - first.min(MAX_REGISTERS) {
            let message = format!("more than {MAX_REGISTERS} registers in one function");
            return Err(Box::new(self.error(at, &message)));
        }
        let declared = Declared { first, count: group.count.unwrap_or(1), lanes: group.lanes };
        if let Some(scope) = self.scopes.last_mut() {
            match group.count {
                None => drop(scope.plain.insert(name, declared)),
                Some(_) => drop(scope.numbered.insert(name, declared)),
            }
        }
        function.registers.push(RegisterGroup { first, ..group });
        Ok(())
    }

    /// Parameters in registers are registers of the body.
    fn declare_parameters(&mut self, function: &mut Function) -> Result<()> {
        let parameters: Vec<Variable> = function.returns.iter().chain(&function.params).cloned().collect();
        for parameter in parameters.into_iter().filter(|parameter| parameter.space == Space::Reg) {
            let Variable { name, ty, lanes, place, .. } = parameter;
            let text = self.text.get(place.0.start as usize..place.0.end as usize).unwrap_or("");
            let lanes = if matches!(lanes, 2 | 4) { lanes } else { 1 };
            self.declare(function, (text, place.0), RegisterGroup { name, ty, count: None, lanes, first: 0 })?;
        }
        Ok(())
    }

    /// The registers of a whole vector.
    pub(crate) fn find_vector(&self, name: &str) -> Option<impl Iterator<Item = Register> + use<>> {
        let (declared, number) = self.find_declared(name)?;
        let first = declared.first + number * declared.lanes;
        (declared.lanes > 1).then(|| (first..first + declared.lanes).map(Register))
    }

    /// The register a name stands for here: `%r1`, or `v.x` of a vector.
    pub(crate) fn find_register(&self, name: &str) -> Option<Register> {
        if let Some((declared, number)) = self.find_declared(name) {
            return (declared.lanes == 1).then_some(Register(declared.first + number));
        }
        let (vector, lane) = name.rsplit_once('.')?;
        let lane = match lane {
            "x" | "r" => 0,
            "y" | "g" => 1,
            "z" | "b" => 2,
            "w" | "a" => 3,
            _ => return None,
        };
        let (declared, number) = self.find_declared(vector)?;
        (lane < declared.lanes && declared.lanes > 1).then(|| Register(declared.first + number * declared.lanes + lane))
    }

    /// What a name stands for here, innermost scope first, and which of the numbered ones it is.
    fn find_declared(&self, name: &str) -> Option<(Declared, u32)> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &name[prefix.len()..];
        let number: Option<u32> = number.parse().ok().filter(|_| number == "0" || !number.starts_with('0'));
        self.scopes.iter().rev().find_map(|scope| {
            let plain = scope.plain.get(name).map(|declared| (*declared, 0));
            plain.or_else(|| {
                let declared = scope.numbered.get(prefix).copied()?;
                number.filter(|n| *n < declared.count).map(|n| (declared, n))
            })
        })
    }

    fn location(&mut self) -> Result<Location> {
        self.advance();
        let (file, line, column) = self.three()?;
        let mut inlined = None;
        while self.accept(b',') {
            match self.name()? {
                "function_name" => {
                    let function = self.name()?.to_string();
                    let offset = if self.accept(b'+') { self.unsigned()? } else { 0 };
                    inlined = Some(Inlined { function, offset, at: (0, 0, 0) });
                }
                "inlined_at" => {
                    let at = self.three()?;
                    inlined.get_or_insert(Inlined { function: String::new(), offset: 0, at }).at = at;
                }
                other => {
                    let span = Span { start: self.last - other.len() as u32, end: self.last };
                    return Err(Box::new(self.error(span, "`.loc` takes `function_name` and `inlined_at` only")));
                }
            }
        }
        Ok(Location { file, line, column, inlined })
    }

    fn three(&mut self) -> Result<(u32, u32, u32)> {
        Ok((self.unsigned()? as u32, self.unsigned()? as u32, self.unsigned()? as u32))
    }

    fn label_or_instruction(&mut self, out: &mut Vec<Statement>) -> Result<()> {
        let guard = if self.accept(b'@') { Some(self.guard()?) } else { None };
        if self.token != Token::Word {
            return Err(self.unexpected("an instruction, a label or a directive"));
        }
        let start = self.span;
        let word = self.word();
        self.advance();
        if guard.is_none() && self.accept(b':') {
            out.push(Statement::Label(word.to_string(), TextPlace(start)));
            return Ok(());
        }
        if !word.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(Box::new(self.error(start, &format!("`{word}` is neither an instruction nor a directive"))));
        }
        let mut word = Cow::Borrowed(word);
        // People write `prmt .b32`.
        while self.token == Token::Word && self.word().starts_with('.') {
            word.to_mut().push_str(self.word());
            self.advance();
        }
        let operands = self.operands(&word)?;
        let place = TextPlace(Span { start: start.start, end: self.last });
        self.expect(b';')?;
        let opcode = Opcode(word.into());
        out.push(Statement::Instruction(Box::new(Instruction { guard, opcode, operands, place })));
        Ok(())
    }

    fn guard(&mut self) -> Result<Guard> {
        let negated = self.accept(b'!');
        let register = self.register()?;
        Ok(Guard { register, negated })
    }

    /// A type with its point: `.b32`.
    pub(crate) fn ty(&mut self) -> Result<Type> {
        let Some(ty) = self.word().strip_prefix('.').and_then(Type::parse) else {
            return Err(self.unexpected("a type such as `.b32`"));
        };
        self.advance();
        Ok(ty)
    }

    pub(crate) fn advance(&mut self) {
        self.last = self.span.end;
        (self.token, self.span) = self.lexer.next();
        // `.reg.v4.u16` is three directives.
        if self.token == Token::Word && self.word().starts_with('.') {
            let inner = self.word()[1..].find('.').map(|at| self.span.start + 1 + at as u32);
            if let Some(end) = inner {
                self.span.end = end;
                self.lexer.go_back(end as usize);
            }
        }
    }

    /// The text of the token not yet taken.
    pub(crate) fn word(&self) -> &'a str {
        self.text.get(self.span.start as usize..self.span.end as usize).unwrap_or("")
    }

    /// Takes a word.
    pub(crate) fn name(&mut self) -> Result<&'a str> {
        if self.token != Token::Word {
            return Err(self.unexpected("a name"));
        }
        let name = self.word();
        self.advance();
        Ok(name)
    }

    pub(crate) fn accept(&mut self, mark: u8) -> bool {
        let found = self.token == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, mark: u8) -> Result<()> {
        if self.accept(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", mark as char))) }
    }

    /// Takes a quoted text, without its quotes; escapes stay as written.
    pub(crate) fn quoted(&mut self) -> Result<String> {
        if self.token != Token::Text {
            return Err(self.unexpected("a text in quotes"));
        }
        let text = self.word().trim_matches('"').to_string();
        self.advance();
        Ok(text)
    }

    pub(crate) fn error(&self, span: Span, message: &str) -> Diagnostic {
        Diagnostic::error(BAD_PTX, message).at(self.source, span, "")
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let found: String = match self.token {
            Token::End => "the end of the file".to_string(),
            Token::Bad => "a character that PTX does not have".to_string(),
            _ => format!("`{}`", self.word().chars().take(40).collect::<String>()),
        };
        Box::new(self.error(self.span, &format!("expected {wanted}, found {found}")))
    }
}
