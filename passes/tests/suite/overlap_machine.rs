//! The interpreter of the overlap test: scalars are numbers, tensors are hashes of the expressions that made them, and shared memory is real.

use crate::overlap_expressions::{hash, meaning, number};
use std::collections::{HashMap, HashSet, VecDeque};
use tk_ir::ops::{AsyncCopyGlobalToLocalOp, ForOp, IfOp, LoadOp};
use tk_ir::{Block, Module, Op, OpKind, Value};

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Known {
    Int(i64),
    /// A tensor that repeats a number.
    Splat(i64),
    /// A tensor, or a scalar that is not a known number.
    Expression(u64),
    /// The result of a product under way.
    Unfinished(u64, usize),
    /// A view of a buffer: allocation, slot, how often it was transposed.
    Buffer(usize, i64, bool),
    /// A part of a view, along the axis that a product sums over: from, to, and length of the whole axis.
    Part(usize, i64, bool, [i64; 3]),
    Token,
}

#[derive(Debug, Default)]
struct Slot {
    content: Option<u64>,
    /// Written since the last fence, since the last barrier; read since the last barrier.
    unfenced: bool,
    unmet_write: bool,
    unmet_read: bool,
    /// When it was last read.
    read_at: u64,
}

/// An `mbarrier` that every thread arrives at. The machine is all threads at once, so a phase is over when it has arrived once.
#[derive(Debug, Default)]
struct Mbarrier {
    phases: usize,
    /// Copies that arrive, and when the last arrival was.
    copies: Vec<Copy>,
    arrived_at: u64,
}

struct Product {
    id: usize,
    reads: Vec<((usize, i64), Option<u64>)>,
}

type Copy = ((usize, i64), u64);

pub(crate) struct Machine {
    trips: i64,
    /// The parameter that says how often the loop runs, and by how much it grows per iteration; `pid` counts from 0.
    varied: (String, i64),
    values: HashMap<usize, Known>,
    slots: HashMap<(usize, i64), Slot>,
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
    products: VecDeque<Product>,
    next_product: usize,
    /// Products of parts so far: what they multiply and add to, and up to where.
    partial: HashMap<u64, (Vec<u64>, i64)>,
    stores: Vec<u64>,
    mbarriers: HashMap<(usize, i64), Mbarrier>,
    /// Counts reads and arrivals.
    time: u64,
    /// Barriers and fences are looked at.
    strict: bool,
    poison: u64,
    /// Transposes of expressions, both ways.
    transposes: HashMap<u64, u64>,
}

impl Machine {
    pub(crate) fn run(module: &Module<'_>, trips: i64, varied: (String, i64), strict: bool) -> Vec<u64> {
        let mut machine = Self {
            trips,
            varied,
            values: HashMap::new(),
            slots: HashMap::new(),
            open: Vec::new(),
            groups: VecDeque::new(),
            products: VecDeque::new(),
            next_product: 0,
            partial: HashMap::new(),
            stores: Vec::new(),
            mbarriers: HashMap::new(),
            time: 0,
            strict,
            poison: 0,
            transposes: HashMap::new(),
        };
        let function = module.functions()[0];
        let block = function.region(0).first_block().expect("a body");
        for (index, argument) in block.arguments().into_iter().enumerate() {
            let known = if argument.ty().is_int() {
                let is_varied = machine.varied.0 == format!("arg{index}");
                Known::Int(if is_varied { trips * machine.varied.1 } else { 256 + 16 * index as i64 })
            } else {
                Known::Expression(hash(("argument", index)))
            };
            machine.values.insert(argument.id(), known);
        }
        machine.block(block);
        assert!(machine.groups.iter().all(Vec::is_empty), "copies are never waited for");
        assert!(machine.products.is_empty(), "products are never waited for");
        machine.stores
    }

    fn get(&self, value: Value<'_>) -> Known {
        self.values.get(&value.id()).unwrap_or_else(|| panic!("{value:?} is used before it is made")).clone()
    }

    fn set(&mut self, value: Value<'_>, known: Known) {
        self.values.insert(value.id(), known);
    }

    /// A value like no other.
    fn poison(&mut self) -> u64 {
        self.poison += 1;
        hash(("poison", self.poison))
    }

    fn int(&self, value: Value<'_>) -> Option<i64> {
        match self.get(value) {
            Known::Int(number) => Some(number),
            _ => None,
        }
    }

    /// An operand as part of an expression.
    fn expression(&mut self, value: Value<'_>) -> u64 {
        match self.get(value) {
            Known::Expression(expression) => expression,
            Known::Unfinished(..) => self.poison(),
            Known::Buffer(alloc, slot, transposed) => {
                let content = self.read((alloc, slot), false);
                if transposed { self.transposed(content) } else { content }
            }
            other => hash(other),
        }
    }

    fn read(&mut self, at: (usize, i64), by_wgmma: bool) -> u64 {
        let strict = self.strict;
        let poison = self.poison();
        let slot = self.slots.get_mut(&at).unwrap_or_else(|| panic!("buffer {at:?} does not exist"));
        assert!(!strict || !slot.unmet_write, "buffer {at:?} is read without a barrier after it was written");
        assert!(!strict || !by_wgmma || !slot.unfenced, "buffer {at:?} is read by wgmma without a fence");
        slot.unmet_read = true;
        self.time += 1;
        slot.read_at = self.time;
        slot.content.unwrap_or(poison)
    }

    fn may_write(&self, at: (usize, i64)) {
        let slot = self.slots.get(&at).unwrap_or_else(|| panic!("buffer {at:?} does not exist"));
        let is_needed = self.products.iter().any(|product| product.reads.iter().any(|(read, _)| *read == at));
        assert!(!is_needed, "buffer {at:?} is overwritten while a product reads it");
        assert!(
            !self.strict || !slot.unmet_read && !slot.unmet_write,
            "buffer {at:?} is overwritten without a barrier"
        );
    }

    fn write(&mut self, at: (usize, i64), content: u64) {
        let slot = Slot { content: Some(content), unfenced: true, unmet_write: true, ..Slot::default() };
        self.slots.insert(at, slot);
    }

    fn block(&mut self, block: Block<'_>) {
        block.ops().into_iter().for_each(|op| self.op(op));
    }

    /// All threads meet.
    fn meet(&mut self) {
        self.slots.values_mut().for_each(|slot| {
            slot.unmet_read = false;
            slot.unmet_write = false;
        });
    }

    /// The number of the program along the axis of an operation.
    fn program_id(&self, op: Op<'_>) -> i64 {
        let is_varied = self.varied.0 == "pid" && op.int_attr("axis") == Some(0);
        if is_varied { self.trips - 1 } else { 3 }
    }

    fn op(&mut self, op: Op<'_>) {
        use OpKind::*;
        if op.kind() != TtgLocalAlloc && op.int_attr(tk_ir::attributes::ALLOCATION_SIZE).is_some_and(|bytes| bytes > 0)
        {
            // What goes through scratch memory has a barrier inside.
            self.meet();
        }
        match op.kind() {
            ScfFor => self.follow_loop(ForOp::cast(op).expect("a loop")),
            ScfIf => self.follow_branch(IfOp::cast(op).expect("a branch")),
            ScfYield | TtReturn | TtgLocalDealloc | LlvmAssume => {}
            TtGetProgramId => {
                let id = self.program_id(op);
                self.set(op.result(0), Known::Int(id));
            }
            // It is the program in the middle, which has its number from either end (`longest-programs-first`).
            TtGetNumPrograms => {
                let id = self.program_id(op);
                self.set(op.result(0), Known::Int(2 * id + 1));
            }
            TtgConvertLayout => {
                let known = match self.get(op.operand(0)) {
                    Known::Unfinished(..) => Known::Expression(self.poison()),
                    known => known,
                };
                self.set(op.result(0), known);
            }
            TtLoad => {
                let load = LoadOp::cast(op).expect("a load");
                let content = self.loaded(load.ptr(), load.mask(), load.other());
                self.set(op.result(0), Known::Expression(content));
            }
            TtStore => {
                let parts: Vec<u64> = op.operands().into_iter().map(|operand| self.expression(operand)).collect();
                self.stores.push(hash(("store", parts)));
            }
            GpuBarrier | TkPairBarrier => self.meet(),
            // Who multiplies first changes no result.
            TkWaitHandOver | TkHandOver => {}
            TtngFenceAsyncShared => self.slots.values_mut().for_each(|slot| slot.unfenced = false),
            TtgLocalAlloc | TtgMemDescIndex | TtgMemDescTrans | TtgMemDescSubslice | TtgLocalLoad => self.memory(op),
            TtgLocalStore => {
                let content = self.expression(op.operand(0));
                let Known::Buffer(alloc, slot, _) = self.get(op.operand(1)) else { panic!("{op:?}") };
                self.may_write((alloc, slot));
                self.write((alloc, slot), content);
            }
            TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup | TtgAsyncWait => self.copies(op),
            TtngInitBarrier | TtngInvalBarrier | TtngArriveBarrier | TtngAsyncCopyMbarrierArrive | TtngWaitBarrier => {
                self.mbarrier(op);
            }
            TtngWarpGroupDot => self.product(op),
            TtngWarpGroupDotWait => self.wait_for_products(op),
            _ => self.arithmetic(op),
        }
    }

    /// What a load gives; a mask that is true everywhere is none.
    fn loaded(&mut self, pointer: Value<'_>, mask: Option<Value<'_>>, other: Option<Value<'_>>) -> u64 {
        let mask = match mask.map(|mask| self.get(mask)) {
            Some(Known::Splat(0) | Known::Int(0)) => return self.poison(),
            Some(Known::Splat(_) | Known::Int(_)) | None => None,
            Some(mask) => Some(hash(mask)),
        };
        let other = other.filter(|_| mask.is_some()).map(|other| self.expression(other));
        let pointer = self.expression(pointer);
        hash(("load", pointer, mask, other))
    }

    fn memory(&mut self, op: Op<'_>) {
        let result = op.result(0);
        match op.kind() {
            OpKind::TtgLocalAlloc if op.num_operands() == 0 => {
                for slot in 0..result.ty().shape()[0] {
                    self.slots.insert((op.id(), slot), Slot::default());
                }
                self.set(result, Known::Buffer(op.id(), 0, false));
            }
            OpKind::TtgLocalAlloc => {
                let content = self.expression(op.operand(0));
                if self.slots.contains_key(&(op.id(), 0)) {
                    self.may_write((op.id(), 0));
                }
                self.write((op.id(), 0), content);
                self.set(result, Known::Buffer(op.id(), 0, false));
            }
            OpKind::TtgMemDescIndex => {
                let (Known::Buffer(alloc, _, transposed), Some(index)) =
                    (self.get(op.operand(0)), self.int(op.operand(1)))
                else {
                    panic!("{op:?} has no number")
                };
                assert!(self.slots.contains_key(&(alloc, index)), "{op:?}: buffer {index} does not exist");
                self.set(result, Known::Buffer(alloc, index, transposed));
            }
            OpKind::TtgMemDescTrans => {
                let Known::Buffer(alloc, index, transposed) = self.get(op.operand(0)) else { panic!("{op:?}") };
                self.set(result, Known::Buffer(alloc, index, !transposed));
            }
            OpKind::TtgMemDescSubslice => {
                let Known::Buffer(alloc, index, transposed) = self.get(op.operand(0)) else { panic!("{op:?}") };
                let offsets = op.attr("offsets").and_then(|offsets| offsets.as_ints()).expect("offsets");
                let (whole, part) = (op.operand(0).ty().shape(), result.ty().shape());
                let axis = (0..whole.len()).find(|axis| whole[*axis] != part[*axis]).expect("an axis that is cut");
                let range = [offsets[axis], offsets[axis] + part[axis], whole[axis]];
                self.set(result, Known::Part(alloc, index, transposed, range));
            }
            _ => {
                let content = self.expression(op.operand(0));
                self.set(result, Known::Expression(content));
            }
        }
    }

    fn copies(&mut self, op: Op<'_>) {
        match op.kind() {
            OpKind::TtgAsyncCopyGlobalToLocal => {
                let copy = AsyncCopyGlobalToLocalOp::cast(op).expect("a copy");
                let Known::Buffer(alloc, slot, _) = self.get(copy.result()) else { panic!("{op:?}") };
                let content = self.loaded(copy.src(), copy.mask(), copy.other());
                self.may_write((alloc, slot));
                self.slots.insert((alloc, slot), Slot::default());
                self.open.push(((alloc, slot), content));
            }
            OpKind::TtgAsyncCommitGroup => self.groups.push_back(std::mem::take(&mut self.open)),
            _ => {
                let pending = op.int_attr("num").expect("a number") as usize;
                while self.groups.len() > pending {
                    for (at, content) in self.groups.pop_front().into_iter().flatten() {
                        // A copy that is waited for is complete, for every proxy.
                        let slot = Slot { content: Some(content), unmet_write: true, ..Slot::default() };
                        self.slots.insert(at, slot);
                    }
                }
            }
        }
        self.set(op.result(0), Known::Token);
    }

    fn mbarrier(&mut self, op: Op<'_>) {
        let Known::Buffer(alloc, index, _) = self.get(op.operand(0)) else { panic!("{op:?}") };
        let at = (alloc, index);
        self.time += 1;
        match op.kind() {
            OpKind::TtngInitBarrier => {
                self.mbarriers.insert(at, Mbarrier::default());
            }
            OpKind::TtngInvalBarrier => {
                let barrier = self.mbarriers.remove(&at).expect("an mbarrier");
                assert!(barrier.copies.is_empty(), "mbarrier {at:?} ends before its copies have arrived");
            }
            OpKind::TtngWaitBarrier => {
                let phase = self.int(op.operand(1)).expect("a phase") as usize;
                let barrier = self.mbarriers.get_mut(&at).expect("an mbarrier");
                assert_eq!(barrier.phases % 2, 1 - phase, "mbarrier {at:?} is waited for in another phase");
                let (copies, arrived_at) = (std::mem::take(&mut barrier.copies), barrier.arrived_at);
                for (at, content) in copies {
                    self.slots.insert(at, Slot { content: Some(content), ..Slot::default() });
                }
                // What was read before the arrival has been read by all.
                self.slots
                    .values_mut()
                    .filter(|slot| slot.read_at <= arrived_at)
                    .for_each(|slot| slot.unmet_read = false);
            }
            kind => {
                let copies: Vec<Copy> = if kind == OpKind::TtngAsyncCopyMbarrierArrive {
                    self.groups.iter_mut().flat_map(std::mem::take).collect()
                } else {
                    assert!(op.attr("tk.each_warp").is_some(), "one thread arrives for all");
                    Vec::new()
                };
                let barrier = self.mbarriers.get_mut(&at).expect("an mbarrier");
                barrier.phases += 1;
                barrier.arrived_at = self.time;
                barrier.copies.extend(copies);
            }
        }
    }

    fn product(&mut self, op: Op<'_>) {
        let id = self.next_product;
        self.next_product += 1;
        let mut reads = Vec::new();
        let mut parts = Vec::new();
        let mut ranges = Vec::new();
        for operand in [op.operand(0), op.operand(1)] {
            let known = self.get(operand);
            if let Known::Part(.., range) = known {
                ranges.push(range);
            }
            if let Known::Buffer(alloc, slot, transposed) | Known::Part(alloc, slot, transposed, _) = known {
                let content = self.read((alloc, slot), true);
                reads.push(((alloc, slot), self.slots[&(alloc, slot)].content));
                parts.push(if transposed { self.transposed(content) } else { content });
            } else {
                parts.push(self.expression(operand));
            }
        }
        // Products that add to one accumulator follow each other without a wait.
        parts.push(match self.get(op.operand(2)) {
            Known::Unfinished(expression, _) => expression,
            other => self.as_expression(other),
        });
        let meaning = match ranges[..] {
            [] => self.dot_meaning(op, &parts),
            [a, b] if a == b => self.product_of_parts(op, parts, a),
            _ => panic!("{op:?} multiplies different parts"),
        };
        if op.int_attr("isAsync") == Some(1) {
            self.products.push_back(Product { id, reads });
            self.set(op.result(0), Known::Unfinished(meaning, id));
        } else {
            self.set(op.result(0), Known::Expression(meaning));
        }
    }

    /// Parts that follow each other from the first to the last are the whole product.
    fn product_of_parts(&mut self, op: Op<'_>, parts: Vec<u64>, [from, to, whole]: [i64; 3]) -> u64 {
        let first = match self.partial.get(&parts[2]) {
            _ if from == 0 => parts,
            Some((first, end)) if *end == from && first[..2] == parts[..2] => first.clone(),
            _ => return self.poison(),
        };
        if to == whole {
            return self.dot_meaning(op, &first);
        }
        let meaning = hash(("part", &first, to));
        self.partial.insert(meaning, (first, to));
        meaning
    }

    fn as_expression(&mut self, known: Known) -> u64 {
        match known {
            Known::Expression(expression) => expression,
            other => hash(other),
        }
    }

    fn wait_for_products(&mut self, op: Op<'_>) {
        let pending = op.int_attr("pendings").expect("a number") as usize;
        while self.products.len() > pending {
            for (at, content) in self.products.pop_front().into_iter().flat_map(|product| product.reads) {
                let slot = self.slots.get_mut(&at).expect("a buffer");
                assert_eq!(slot.content, content, "buffer {at:?} changed while a product read it");
                slot.unmet_read = true;
                self.time += 1;
                slot.read_at = self.time;
            }
        }
        let under_way: HashSet<usize> = self.products.iter().map(|product| product.id).collect();
        for (operand, result) in op.operands().into_iter().zip(op.results()) {
            let known = match self.get(operand) {
                Known::Unfinished(expression, id) if !under_way.contains(&id) => Known::Expression(expression),
                other => other,
            };
            self.set(result, known);
        }
    }

    fn follow_loop(&mut self, view: ForOp<'_>) {
        let bounds =
            [view.lower_bound(), view.upper_bound(), view.step()].map(|bound| self.int(bound).expect("a known bound"));
        let mut carried: Vec<Known> = view.init_args().into_iter().map(|value| self.get(value)).collect();
        let mut induction = bounds[0];
        while induction < bounds[1] {
            self.set(view.induction_var(), Known::Int(induction));
            for (argument, value) in view.iter_args().into_iter().zip(carried) {
                self.set(argument, value);
            }
            self.block(view.body());
            carried = view.yielded().into_iter().map(|value| self.get(value)).collect();
            induction += bounds[2];
        }
        for (result, value) in view.results().into_iter().zip(carried) {
            self.set(result, value);
        }
    }

    fn follow_branch(&mut self, view: IfOp<'_>) {
        let taken = self.int(view.condition()).expect("a known condition") != 0;
        let block = if taken { Some(view.then_block()) } else { view.else_block() };
        let Some(block) = block else { return };
        self.block(block);
        let yielded = block.terminator().map(|op| op.operands()).unwrap_or_default();
        for (result, value) in view.op.results().into_iter().zip(yielded) {
            let known = self.get(value);
            self.set(result, known);
        }
    }

    fn arithmetic(&mut self, op: Op<'_>) {
        if op.num_results() == 1 && !op.result(0).ty().is_tensor() && op.result(0).ty().is_int() {
            let operands: Option<Vec<i64>> = op.operands().into_iter().map(|operand| self.int(operand)).collect();
            if let Some(number) = operands.and_then(|operands| number(op, &operands)) {
                return self.set(op.result(0), Known::Int(number));
            }
        }
        if op.kind() == OpKind::ArithSelect
            && let Some(condition) = self.int(op.operand(0))
        {
            let known = self.get(op.operand(if condition != 0 { 1 } else { 2 }));
            return self.set(op.result(0), known);
        }
        if op.kind() == OpKind::TtSplat || op.kind() == OpKind::TtBroadcast {
            match self.get(op.operand(0)) {
                Known::Int(number) | Known::Splat(number) => return self.set(op.result(0), Known::Splat(number)),
                _ => {}
            }
        }
        if op.kind() == OpKind::ArithConstant
            && op.result(0).ty().is_int_like()
            && let Some(number) = op.result(0).constant_int()
        {
            return self.set(op.result(0), Known::Splat(number));
        }
        let is_sum = matches!(op.kind(), OpKind::ArithAddI | OpKind::TtAddPtr);
        if op.kind() == OpKind::ArithAndI && self.and(op) || is_sum && self.add_zero(op) {
            return;
        }
        let mut parts: Vec<u64> = op.operands().into_iter().map(|operand| self.expression(operand)).collect();
        if matches!(op.kind(), OpKind::ArithAddI | OpKind::ArithMulI) {
            // Folding moves constants to the right.
            parts.sort_unstable();
        }
        let meaning = match op.kind() {
            OpKind::TtDot => self.dot_meaning(op, &parts),
            OpKind::TtTrans => self.transposed(parts[0]),
            _ => meaning(op, &parts),
        };
        if op.kind() == OpKind::ArithConstant {
            self.transposes.insert(meaning, meaning);
        }
        for (index, result) in op.results().into_iter().enumerate() {
            self.set(result, Known::Expression(if index == 0 { meaning } else { hash((meaning, index)) }));
        }
    }

    fn transposed(&mut self, expression: u64) -> u64 {
        if let Some(known) = self.transposes.get(&expression) {
            return *known;
        }
        let transposed = hash(("transposed", expression));
        self.transposes.insert(transposed, expression);
        self.transposes.insert(expression, transposed);
        transposed
    }

    /// Products mean the same by any instruction, and the product of two transposes is the transpose of a product.
    fn dot_meaning(&mut self, op: Op<'_>, parts: &[u64]) -> u64 {
        let number = |name| op.int_attr(name).unwrap_or(0);
        // Without a precision, f32 operands are multiplied in full.
        let precision = op.int_attr("inputPrecision").unwrap_or(tk_ir::ops::InputPrecision::Ieee.number());
        let product = |parts: &[u64]| hash(("dot", parts, precision, number("maxNumImpreciseAcc")));
        let [a, b, c] = *parts else { return product(parts) };
        let turned = [b, a, c].map(|part| self.transposed(part));
        let (product, of_turned) = (product(parts), product(&turned));
        self.transposes.insert(product, of_turned);
        self.transposes.insert(of_turned, product);
        product
    }

    /// A sum with zero; true when it is one.
    fn add_zero(&mut self, op: Op<'_>) -> bool {
        let (a, b) = (self.get(op.operand(0)), self.get(op.operand(1)));
        let known = match (a, b) {
            (Known::Splat(0), other) | (other, Known::Splat(0) | Known::Int(0)) => other,
            _ => return false,
        };
        self.set(op.result(0), known);
        true
    }

    /// `and` with a mask that is the same everywhere; true when that decides.
    fn and(&mut self, op: Op<'_>) -> bool {
        let (a, b) = (self.get(op.operand(0)), self.get(op.operand(1)));
        let known = match (a, b) {
            (Known::Splat(1), other) | (other, Known::Splat(1)) => other,
            (Known::Splat(0), _) | (_, Known::Splat(0)) => Known::Splat(0),
            _ => return false,
        };
        self.set(op.result(0), known);
        true
    }
}
