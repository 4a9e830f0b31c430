//! What became of the places of a source: the layouts of variables and how wide accesses are, read from the ttg IR that code is generated
//! from.

use crate::{Unit, Until, Unwatched, compile};
use tk_diag::{Diagnostic, SourceFile};
use tk_ir::attributes::VECTOR;
use tk_ir::{Context, Module, Op, Type, Value};

/// Facts of one kernel; further ones are left out.
const MAX_FACTS: usize = 1 << 16;

/// What became of a place of the source. One place has several facts where its function is called several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceFact {
    /// The file that the place is in, as the syntax tree calls it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In characters, from 1: where the expression begins.
    pub column: u32,
    /// What is there.
    pub made: Made,
    /// The layout, as IR writes it: `#ttg.blocked<{…}>`.
    pub layout: Option<String>,
    /// The lengths of what has that layout; of an access, those of what it moves.
    pub shape: Vec<i64>,
}

/// What stands at a place of the IR.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    /// A variable of the source.
    Variable(String),
    /// An access to global memory by threads.
    Access {
        /// Its operation in the IR: `tt.load`, or `ttg.async_copy_global_to_local` for a load that is begun ahead of time.
        operation: String,
        /// Elements that one instruction moves at most.
        elements: u32,
        /// Bits of an element.
        bits: u32,
    },
    /// A copy of a block by the unit for tensor memory accesses (TMA): its operation in the IR.
    BlockCopy(String),
}

/// What became of the places of a kernel under the arguments of a unit. Compiles it up to code generation.
///
/// # Errors
/// The user's errors, all that were found, or one of a later stage.
pub fn place_facts(unit: &Unit<'_>) -> Result<Vec<PlaceFact>, Vec<Diagnostic>> {
    let compiled = compile(unit, Until::Ttg, &mut Unwatched)?;
    let context = Context::new();
    let source = SourceFile::new("ttg", compiled.text);
    let module = Module::parse(&context, &source).map_err(|error| vec![*error])?;
    let mut facts: Vec<PlaceFact> = Vec::new();
    for function in module.functions() {
        for op in function.descendants() {
            if facts.len() >= MAX_FACTS {
                return Ok(facts);
            }
            facts.extend(access(op));
            facts.extend(op.results().into_iter().filter_map(|result| variable(op, result)));
        }
    }
    Ok(facts)
}

fn variable(op: Op<'_>, result: Value<'_>) -> Option<PlaceFact> {
    let layout = layout(result.ty())?;
    let name = op.loc().name()?;
    fact(op, Made::Variable(name.to_string()), Some(layout), result.ty().shape())
}

fn layout(ty: Type<'_>) -> Option<String> {
    ty.encoding().filter(|_| ty.is_tensor() || ty.is_memdesc()).map(|encoding| encoding.to_string())
}

fn access(op: Op<'_>) -> Option<PlaceFact> {
    if tk_passes::is_copy_by_tma(op) {
        return fact(op, Made::BlockCopy(op.name().to_string()), None, Vec::new());
    }
    let elements = u32::try_from(op.int_attr(VECTOR)?).ok()?;
    let pointers = op.operand(0).ty();
    let bits = pointers.element().pointee()?.element_bits();
    let made = Made::Access { operation: op.name().to_string(), elements, bits };
    fact(op, made, layout(pointers), pointers.shape())
}

fn fact(op: Op<'_>, made: Made, layout: Option<String>, shape: Vec<i64>) -> Option<PlaceFact> {
    let (file, line, column) = op.loc().file_line_col()?;
    Some(PlaceFact { file: file.to_string(), line, column, made, layout, shape })
}
