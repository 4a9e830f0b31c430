//! `Code`: the LLVM function that is being written, as one thread sees it.
//!
//! Pure computations are nodes that are known once (value numbering over the dominating code) and become LLVM instructions only
//! when an effect, a branch or a phi needs them, in the outermost loop-free place their operands allow. So dead, repeated and
//! loop-invariant work never reaches LLVM, whose time goes with the number of instructions it is given. Simply calling the LLVM
//! builder for every register of every tensor would give it ten times as many.

mod compare;
mod device_call;
mod driver_call;
mod effect;
mod ffi;
mod float;
mod flow;
mod int;
mod late;
mod moved;
mod node;
mod place;
mod ranges;
mod realize;
mod reg;
mod rows;
mod swapped;
mod terms;
mod together;

pub(crate) use device_call::device_function;
pub(crate) use effect::{Asm, MemoryAccess};
pub(crate) use ffi::{set_llvm_options, skip_passes, split_blocks};
pub(crate) use flow::{Label, LoopMark, Phi};
pub(crate) use node::{FloatTest, IntTest};
pub(crate) use place::SourcePlaces;
pub(crate) use reg::{Lane, Reg, Space, Ty};
pub(crate) use together::VALUES_TOGETHER;

use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{FunctionValue, GlobalValue, InstructionValue};
use node::{Key, Node};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, Result};

/// The function being written.
pub(crate) struct Code<'l> {
    context: &'l Context,
    module: Module<'l>,
    builder: Builder<'l>,
    function: FunctionValue<'l>,
    /// Dynamic shared memory.
    shared: GlobalValue<'l>,
    nodes: Vec<Node<'l>>,
    known: FxHashMap<Key, u32>,
    scopes: Vec<Scope<'l>>,
    names: Vec<String>,
    name_numbers: FxHashMap<String, u32>,
    /// Constraints of interned pure inline assembly, by number of its text.
    constraints: FxHashMap<u32, String>,
    moved: moved::Moved,
    rows: rows::Rows,
    ranges: ranges::Ranges,
    /// Inline PTX that waits to be needed, by number.
    late: Vec<late::Late>,
    places: place::SourcePlaces<'l>,
    place: u32,
    contract: bool,
    comparisons: Comparisons,
}

/// Where comparisons of integers are computed that do not change in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparisons {
    /// Before the loop, once.
    LeaveLoops,
    /// In every iteration.
    Stay,
}

/// How often the code of a scope runs, beside that around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    /// More often: computations that can leave the loop do.
    Loop,
    /// Less often: computations stay in the branch.
    Branch,
    /// Nearly as often, since the branch has products of blocks: what does not change in a loop around it leaves both.
    BranchOfProducts,
}

/// Code that dominates everything written while the scope is open.
struct Scope<'l> {
    /// Where it goes on (or ended).
    block: BasicBlock<'l>,
    /// The branch that ends `block`, once inner scopes were opened.
    terminator: Option<InstructionValue<'l>>,
    runs: Runs,
    /// Keys to forget when it closes.
    known: Vec<Key>,
}

impl<'l> Code<'l> {
    /// Starts writing `function`, which has no blocks yet. `contract` lets LLVM fuse multiplications and additions.
    pub(crate) fn new(
        context: &'l Context,
        module: Module<'l>,
        function: FunctionValue<'l>,
        contract: bool,
        places: place::SourcePlaces<'l>,
    ) -> Self {
        let builder = context.create_builder();
        let block = context.append_basic_block(function, "");
        builder.position_at_end(block);
        let shared = module.get_global(SHARED_NAME).unwrap_or_else(|| {
            let bytes = context.i8_type().array_type(0);
            let shared = module.add_global(bytes, Some(AddressSpace::from(3)), SHARED_NAME);
            shared.set_alignment(16);
            shared
        });
        Self {
            context,
            module,
            builder,
            function,
            shared,
            nodes: Vec::with_capacity(1024),
            known: FxHashMap::default(),
            scopes: vec![Scope { block, terminator: None, runs: Runs::Branch, known: Vec::new() }],
            names: Vec::new(),
            name_numbers: FxHashMap::default(),
            constraints: FxHashMap::default(),
            moved: moved::Moved::default(),
            rows: rows::Rows::default(),
            ranges: ranges::Ranges::default(),
            late: Vec::new(),
            places,
            place: 0,
            contract,
            comparisons: Comparisons::LeaveLoops,
        }
    }

    /// The module that the function is in.
    pub(crate) fn into_module(self) -> Module<'l> {
        self.module
    }

    /// Parameter `index` of the function.
    pub(crate) fn parameter(&mut self, index: u32, ty: Ty, zeros: u64) -> Result<Reg> {
        let value = self.function.get_nth_param(index).ok_or_else(|| bug("the function lacks a parameter"))?;
        Ok(self.leaf(value, ty, zeros))
    }

    /// An address in dynamic shared memory, `offset` bytes from its start.
    pub(crate) fn shared_address(&mut self, offset: i64) -> Reg {
        let pointer = self.shared.as_pointer_value().into();
        if let Some(&node) = self.known.get(&SHARED_KEY) {
            return Reg { node, ty: Ty::Ptr(Space::Shared), offset };
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { key: SHARED_KEY, zeros: 0, scope: 0, place: 0, value: Some(pointer) });
        self.known.insert(SHARED_KEY, node);
        Reg { node, ty: Ty::Ptr(Space::Shared), offset }
    }

    /// The number of an interned name.
    fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.name_numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.name_numbers.insert(name.to_owned(), number);
        number
    }

    /// The LLVM type.
    fn llvm_type(&self, ty: Ty) -> BasicTypeEnum<'l> {
        llvm_type(self.context, ty)
    }
}

const SHARED_NAME: &str = "global_smem";
const SHARED_KEY: Key = Key { opcode: node::Opcode::Leaf, ty: Ty::Ptr(Space::Shared), args: [0; 4] };

/// The LLVM type of a machine type.
pub(crate) fn llvm_type(context: &Context, ty: Ty) -> BasicTypeEnum<'_> {
    match ty {
        Ty::Int(1) => context.bool_type().into(),
        Ty::Int(8) => context.i8_type().into(),
        Ty::Int(16) => context.i16_type().into(),
        Ty::Int(64) => context.i64_type().into(),
        Ty::Int(_) => context.i32_type().into(),
        Ty::F16 => context.f16_type().into(),
        Ty::BF16 => context.bf16_type().into(),
        Ty::F32 => context.f32_type().into(),
        Ty::F64 => context.f64_type().into(),
        Ty::Ptr(Space::Generic) => context.ptr_type(AddressSpace::from(0)).into(),
        Ty::Ptr(Space::Global) => context.ptr_type(AddressSpace::from(1)).into(),
        Ty::Ptr(Space::Shared) => context.ptr_type(AddressSpace::from(3)).into(),
        Ty::Vector(count, lane) => match llvm_type(context, lane.ty()) {
            BasicTypeEnum::IntType(int) => int.vec_type(count.into()).as_basic_type_enum(),
            BasicTypeEnum::FloatType(float) => float.vec_type(count.into()).as_basic_type_enum(),
            other => other,
        },
    }
}

/// A fault of code generation itself.
pub(crate) fn bug(message: impl std::fmt::Display) -> Box<Diagnostic> {
    Diagnostic::bug(format!("code generation: {message}")).boxed()
}
