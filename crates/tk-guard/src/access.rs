//! Checks that every access lies in the memory of the pointer argument that its address comes from.
//!
//! The launch passes the first and the end address of that memory. An element that lies outside is recorded and left out of
//! the access, so the kernel runs on without harming anything and the launch reports it. Where an address can come from
//! several arguments, any of them will do. An address that is loaded from memory, or made from an integer, comes from no
//! argument and is not checked.

use crate::Guards;
use crate::defs::{Def, Defs, bounds_of, yields_of};
use crate::family::{Access, Family, settles};
use crate::rewrite::Rewriter;
use crate::sites::{Hidden, SiteKind};
use rustc_hash::FxHashMap;
use tk_check::checked::{BinaryOp, Block, CastKind, CompareOp, Element, Kernel, Op, OpKind, Type, Value};
use tk_types::ScalarType;

/// How far the origin of an address is followed through ops.
const MAX_LINKS: u32 = 200;

/// Adds the checks.
pub(crate) fn guard_accesses(mut kernel: Kernel, guards: &mut Guards) -> Kernel {
    let origins = origins(&kernel);
    if origins.is_empty() {
        return kernel;
    }
    let mut memory = FxHashMap::default();
    let pointers: Vec<(Value, String)> = kernel
        .params
        .iter()
        .filter(|param| kernel.ty(param.value).pointee().is_some() && Some(param.value) != guards.record)
        // The parts of a tuple share a name, which does not say whose memory is meant.
        .filter(|param| kernel.params.iter().filter(|other| other.name == param.name).count() == 1)
        .map(|param| (param.value, param.name.clone()))
        .collect();
    let address = Type::scalar(ScalarType::I64);
    for (value, name) in pointers {
        let first =
            guards.parameter(&mut kernel, Hidden::FirstByte(name.clone()), &format!("{name}.first"), address.clone());
        let end = guards.parameter(&mut kernel, Hidden::EndByte(name.clone()), &format!("{name}.end"), address.clone());
        memory.insert(value, Memory { name, first, end });
    }
    let record = guards.record_of(&mut kernel);
    let (out, body) = Rewriter::new(kernel);
    let mut checks = Checks { out, origins, memory, record, guards };
    let body = checks.block(body);
    checks.out.finish(body)
}

/// The memory behind an argument.
#[derive(Clone)]
struct Memory {
    name: String,
    first: Value,
    end: Value,
}

/// The pointer parameters that the address of each access can come from, by the address.
fn origins(kernel: &Kernel) -> FxHashMap<Value, Vec<Value>> {
    let defs = Defs::new(kernel);
    let params: Vec<Value> = kernel.params.iter().map(|param| param.value).collect();
    let mut found = FxHashMap::default();
    crate::defs::each_op(&kernel.body, &mut |op| {
        if Access::of(op).is_some() {
            let mut origin = Origin { params: Vec::new(), seen: Vec::new() };
            if origin.follow(&defs, &params, op.operands[0], MAX_LINKS).is_some() {
                found.insert(op.operands[0], origin.params);
            }
        }
    });
    found
}

struct Origin {
    params: Vec<Value>,
    seen: Vec<Value>,
}

impl Origin {
    /// Collects the parameters; `None` when the address also comes from elsewhere.
    fn follow(&mut self, defs: &Defs<'_>, params: &[Value], value: Value, links: u32) -> Option<()> {
        let links = links.checked_sub(1)?;
        if self.seen.contains(&value) {
            return Some(());
        }
        self.seen.push(value);
        if params.contains(&value) {
            self.params.push(value);
            return Some(());
        }
        let sources: Vec<Value> = match defs.of(value) {
            Def::Result(op, index) => match Family::of(&op.kind) {
                Family::AddPtr | Family::Bitcast => vec![op.operands[0]],
                Family::Select => op.operands[1..].to_vec(),
                Family::Movement => op.operands.clone(),
                Family::If => yields_of(op, index),
                Family::For | Family::While => carried(op, index),
                // Integers that become addresses, and what comes from memory or from elsewhere.
                Family::Source
                | Family::Arithmetic
                | Family::Function
                | Family::Access(_)
                | Family::Descriptor
                | Family::Combination
                | Family::Mixture
                | Family::Foreign
                | Family::Statement => return None,
            },
            Def::Carried(op, index) => carried(op, index),
            Def::Outside | Def::Induction => return None,
        };
        sources.into_iter().try_for_each(|source| self.follow(defs, params, source, links))
    }
}

fn carried(op: &Op, index: usize) -> Vec<Value> {
    let start = op.operands.get(bounds_of(op) + index).copied();
    let next = op.blocks.last().and_then(|body| body.yields.get(index)).copied();
    [start, next].into_iter().flatten().collect()
}

struct Checks<'g> {
    out: Rewriter,
    origins: FxHashMap<Value, Vec<Value>>,
    memory: FxHashMap<Value, Memory>,
    record: Value,
    guards: &'g mut Guards,
}

impl Checks<'_> {
    fn block(&mut self, block: Block) -> Block {
        let Block { args, ops, yields } = block;
        self.out.open_block();
        for op in ops {
            self.op(op);
        }
        self.out.settle();
        Block { args, ops: self.out.close_block(), yields }
    }

    fn op(&mut self, mut op: Op) {
        if settles(&op) {
            self.out.settle();
        }
        op.blocks = std::mem::take(&mut op.blocks).into_iter().map(|block| self.block(block)).collect();
        self.out.set_loc(op.loc);
        if let Some(access) = Access::of(&op)
            && let Some(memory) = self.memory_of(op.operands[0])
        {
            self.check(&mut op, access, &memory);
        }
        self.out.push(op);
    }

    fn memory_of(&self, address: Value) -> Option<Vec<Memory>> {
        let params = self.origins.get(&address)?;
        params.iter().map(|param| self.memory.get(param).cloned()).collect::<Option<Vec<_>>>().filter(|m| !m.is_empty())
    }

    fn check(&mut self, op: &mut Op, access: Access, memory: &[Memory]) {
        let (pointer, what) = (op.operands[0], access.verb());
        let bytes = match self.out.ty(pointer).pointee() {
            Some(Element::Scalar(scalar)) => scalar.bytes(),
            Some(Element::Pointer { .. } | Element::Descriptor { .. }) | None => 8,
        };
        let wide = self.out.ty(pointer).with_scalar(ScalarType::I64);
        let address = self.out.emit(OpKind::Cast(CastKind::PtrToInt), &[pointer], wide.clone());
        let inside = memory.iter().map(|memory| self.inside(address, memory, bytes)).collect::<Vec<_>>();
        let holds = inside.into_iter().reduce(|a, b| self.logic(BinaryOp::Or, a, b));
        let Some(inside) = holds else { return };
        let argument = memory[0].name.clone();
        let site = self.guards.site(SiteKind::Access { what, argument, bytes }, op.loc);
        let (record, start, mask_value) = (self.record, memory[0].first, access.mask().map(|place| op.operands[place]));
        // The element is left out of the access at once, and told behind it.
        self.out.later(|out| {
            let first = out.shaped(start, pointer);
            let offset = out.emit(OpKind::Binary(BinaryOp::SubI), &[address, first], wide);
            let ty = out.ty(inside);
            let holds = match mask_value {
                Some(mask) => {
                    let ones = out.int(1, ty.clone());
                    let unmasked = out.emit(OpKind::Binary(BinaryOp::Xor), &[mask, ones], ty.clone());
                    out.emit(OpKind::Binary(BinaryOp::Or), &[inside, unmasked], ty)
                }
                None => inside,
            };
            out.guard(record, site, holds, offset);
        });
        if settles(op) {
            self.out.settle();
        }
        self.leave_out(op, access, inside, memory);
    }

    /// Whether `bytes` bytes from an address lie in the memory of an argument.
    fn inside(&mut self, address: Value, memory: &Memory, bytes: u32) -> Value {
        let ty = self.out.ty(memory.end);
        let size = self.out.int(bytes.into(), ty.clone());
        let last = self.out.emit(OpKind::Binary(BinaryOp::SubI), &[memory.end, size], ty);
        let (first, last) = (self.out.shaped(memory.first, address), self.out.shaped(last, address));
        let above = self.out.compare(CompareOp::GeS, address, first);
        let below = self.out.compare(CompareOp::LeS, address, last);
        self.logic(BinaryOp::And, above, below)
    }

    fn logic(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.out.ty(a);
        self.out.emit(OpKind::Binary(op), &[a, b], ty)
    }

    /// Takes the elements that lie outside out of an access.
    fn leave_out(&mut self, op: &mut Op, access: Access, inside: Value, memory: &[Memory]) {
        if let Some(place) = access.mask() {
            op.operands[place] = self.logic(BinaryOp::And, op.operands[place], inside);
            return;
        }
        match access {
            Access::Load { .. } => op.operands.insert(1, inside),
            Access::Store { .. } | Access::Update { .. } => op.operands.push(inside),
            // It goes to the first element instead, which it leaves as it is or not; the launch fails either way.
            Access::CompareAndSwap => {
                let ty = self.out.ty(op.operands[0]);
                let first = self.out.shaped(memory[0].first, op.operands[0]);
                let start = self.out.emit(OpKind::Cast(CastKind::IntToPtr), &[first], ty.clone());
                op.operands[0] = self.out.emit(OpKind::Select, &[inside, op.operands[0], start], ty);
            }
        }
        if let OpKind::Load { mask, .. } | OpKind::Store { mask, .. } | OpKind::AtomicRmw { mask, .. } = &mut op.kind {
            *mask = true;
        }
    }
}
