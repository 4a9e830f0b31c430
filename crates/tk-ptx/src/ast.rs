//! The syntax tree of a PTX module.
//!
//! Function bodies are flat: `{` and `}` are statements ([`Statement::Open`], [`Statement::Close`]), so that nothing
//! that walks a body needs recursion. Registers are resolved to numbers while parsing (scopes of inline assembly declare
//! their own); labels stay names and obey the same scopes.

use crate::{Linkage, Mnemonic, Space, Type};
use tk_diag::{SourceFile, Span};

/// Where a thing was written. Two things are equal wherever they were written, so places always compare equal.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct TextPlace(pub Span);

impl PartialEq for TextPlace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One PTX file. Two modules are equal when they say the same, wherever they were read from.
#[derive(Clone, Debug)]
pub struct Module {
    /// `.version`, such as (8, 7).
    pub version: (u32, u32),
    /// `.target`: the architecture first, then options.
    pub target: Vec<String>,
    /// `.address_size` in bits.
    pub address_size: u32,
    /// `.file` table: number and name.
    pub files: Vec<(u32, String)>,
    /// Module-level variables, in order.
    pub variables: Vec<Variable>,
    /// Entries and functions, in order; a forward declaration has no body.
    pub functions: Vec<Function>,
    /// The text it was parsed from.
    pub source: SourceFile,
}

impl PartialEq for Module {
    fn eq(&self, other: &Self) -> bool {
        (self.version, &self.target, self.address_size, &self.files)
            == (other.version, &other.target, other.address_size, &other.files)
            && self.variables == other.variables
            && self.functions == other.functions
    }
}

/// A variable in any state space, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Who sees it.
    pub linkage: Linkage,
    /// Its state space.
    pub space: Space,
    /// Element type.
    pub ty: Type,
    /// Elements of a `.v2`/`.v4` type; 1 for a scalar.
    pub lanes: u32,
    /// `.align` in bytes, when given.
    pub align: Option<u32>,
    /// Array dimensions; `None` for `[]`.
    pub dims: Vec<Option<u64>>,
    /// Initialiser; empty when there is none.
    pub init: Vec<Initial>,
    /// `.ptr` attribute of a kernel parameter.
    pub pointer: Option<PointerHint>,
    /// Where it is declared.
    pub place: TextPlace,
}

/// What `.ptr` says of the memory a parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerHint {
    /// The space it points to.
    pub space: Space,
    /// Alignment of the memory, bytes.
    pub align: Option<u32>,
}

/// One element of an initialiser.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// A number.
    Value(Immediate),
    /// The address of a symbol plus bytes; `generic(symbol)` too.
    Address(String, i64),
}

/// An entry or a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Who sees it.
    pub linkage: Linkage,
    /// A kernel (`.entry`), not a `.func`.
    pub is_entry: bool,
    /// Values a `.func` returns.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// `.reqntid 128` and the like, in order: the name without its point, and its numbers.
    pub directives: Vec<(String, Vec<u64>)>,
    /// Register declarations; [`Register`] counts through them.
    pub registers: Vec<RegisterGroup>,
    /// Body; `None` for a declaration.
    pub body: Option<Vec<Statement>>,
    /// Where its name is.
    pub place: TextPlace,
}

/// `.reg .b32 %r<33>;` or `.reg .pred complete;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterGroup {
    /// Name, or the prefix of numbered names.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// How many numbered registers; `None` for one plain name.
    pub count: Option<u32>,
    /// Registers of a vector (`.v4`): `a.x` to `a.w` are registers of their own; 1 for a scalar.
    pub lanes: u32,
    /// Number of its first register.
    pub first: u32,
}

/// A register of one function, numbered in declaration order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u32);

/// One statement of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// Register declaration: an index into [`Function::registers`].
    Registers(usize),
    /// A variable of the body.
    Variable(Box<Variable>),
    /// `name:`.
    Label(String, TextPlace),
    /// `.loc`.
    Location(Location),
    /// `.pragma`.
    Pragma(String),
    /// `.branchtargets a, b;`, after its label.
    BranchTargets(Vec<String>),
    /// `.callprototype`, kept as text.
    Prototype(String),
    /// An instruction.
    Instruction(Box<Instruction>),
}

/// `.loc 1 30 24`, possibly inlined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Number in the `.file` table.
    pub file: u32,
    /// Line from 1; 0 when unknown.
    pub line: u32,
    /// Column from 1; 0 when unknown.
    pub column: u32,
    /// Where it was inlined.
    pub inlined: Option<Inlined>,
}

/// `function_name LABEL+4, inlined_at 1 101 37`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inlined {
    /// Label of the function's name in `.debug_str`.
    pub function: String,
    /// Bytes after the label.
    pub offset: u64,
    /// File, line and column of the call.
    pub at: (u32, u32, u32),
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `@%p1` or `@!%p1`.
    pub guard: Option<Guard>,
    /// Its opcode.
    pub opcode: Opcode,
    /// Operands, destinations first.
    pub operands: Vec<Operand>,
    /// From its opcode to its last operand.
    pub place: TextPlace,
}

/// A predicate guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The predicate.
    pub register: Register,
    /// `@!`.
    pub negated: bool,
}

/// `ld.global.v4.b32`: a name and modifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opcode(pub Box<str>);

impl Opcode {
    /// The whole word.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first point: `ld`.
    pub fn name(&self) -> &str {
        self.0.split('.').next().unwrap_or("")
    }

    /// The instruction that [`Opcode::name`] names; `None` for one that PTX has not, or that is newer than tk.
    pub fn mnemonic(&self) -> Option<Mnemonic> {
        Mnemonic::parse(self.name())
    }

    /// The parts after it: `global`, `v4`, `b32`. `L1::evict_last` is one part.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> {
        self.0.split('.').skip(1)
    }

    /// A modifier is there.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers().any(|m| m == modifier)
    }
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// `!%p1`.
    Not(Register),
    /// `%p1|%p2`: two destinations. Either may be `_`, which is `None`.
    Pair(Option<Register>, Option<Register>),
    /// `%tid.x`, with its `%`.
    Special(String),
    /// A number.
    Immediate(Immediate),
    /// A variable, function or label, with bytes added.
    Symbol(String, i64),
    /// `[…]`.
    Address(Box<Address>),
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
    /// `_`.
    Sink,
}

/// `[%rd1+16]`, `[symbol]`, `[%rd1, {%r1, %r2}]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// What it starts from.
    pub base: Base,
    /// Bytes added.
    pub offset: i64,
    /// What follows a comma inside the brackets: tensor coordinates, an mbarrier.
    pub more: Vec<Operand>,
}

/// What an address starts from.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// A register.
    Register(Register),
    /// A variable.
    Symbol(String),
    /// Nothing: the offset is the address.
    Absolute,
}

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Immediate {
    /// An integer, between -2^63 and 2^64-1.
    Int(i128),
    /// `0f3F800000`: bits of an f32.
    F32(u32),
    /// `0d…` or a decimal literal: bits of an f64.
    F64(u64),
}
