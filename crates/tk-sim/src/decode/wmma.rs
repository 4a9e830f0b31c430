//! `wmma.load`, `wmma.store` and `wmma.mma`. Loads and stores become one access for each element that a lane holds.

use super::collective::{element, shape};
use super::{Call, Decoder};
use crate::ops::{self, FloatMode, Function};
use crate::program::*;
use crate::report::AccessKind;
use tk_diag::Result;
use tk_ptx::Type;

/// A fragment of a matrix in registers.
struct Fragment {
    rows: usize,
    columns: usize,
    /// Bits of an element.
    bits: usize,
}

impl Fragment {
    fn per_lane(&self) -> usize {
        self.rows * self.columns / 32
    }

    /// Elements of a register.
    fn per_register(&self) -> usize {
        (32 / self.bits).max(1)
    }

    /// Registers that hold each element once.
    fn registers(&self) -> usize {
        self.per_lane() / self.per_register()
    }
}

/// The shapes that the elements of A and B have.
fn has_shape(element: Element, shape: (usize, usize, usize)) -> bool {
    match element {
        Element::F16 | Element::BF16 | Element::S8 | Element::U8 => {
            matches!(shape, (16, 16, 16) | (8, 32, 16) | (32, 8, 16))
        }
        Element::TF32 => shape == (16, 16, 8),
        Element::F64 => shape == (8, 8, 4),
        Element::E4M3 | Element::E5M2 => false,
    }
}

impl Decoder<'_> {
    /// Decodes `wmma.*`; `false` for products of fewer than 8 bits.
    pub(super) fn wmma(&mut self, call: &Call<'_>) -> Result<bool> {
        let Some(shape) = call.words.iter().find_map(|word| shape(word)) else { return Ok(false) };
        match call.words.first().copied() {
            Some("load") => self.wmma_move(call, shape, false),
            Some("store") => self.wmma_move(call, shape, true),
            Some("mma") => self.wmma_multiply(call, shape),
            _ => Ok(false),
        }
    }

    fn fragment(call: &Call<'_>, (m, n, k): (usize, usize, usize)) -> Option<Fragment> {
        let ty = call.words.last()?;
        let bits = match *ty {
            "f32" | "s32" => 32,
            other => element(other)?.bits(),
        };
        let is_sum = matches!(*ty, "f32" | "s32") || *ty == "f64" || *ty == "f16";
        let (rows, columns) = match call.words.get(1).copied()? {
            "a" if has_shape(element(ty)?, (m, n, k)) => (m, k),
            "b" if has_shape(element(ty)?, (m, n, k)) => (k, n),
            "c" | "d" if is_sum => (m, n),
            _ => return None,
        };
        Some(Fragment { rows, columns, bits })
    }

    /// `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {…}, [p], stride` and `wmma.store.d… [p], {…}, stride`.
    fn wmma_move(&mut self, call: &Call<'_>, shape: (usize, usize, usize), store: bool) -> Result<bool> {
        let Some(fragment) = Self::fragment(call, shape) else { return Ok(false) };
        let by_rows = match (call.has("row"), call.has("col")) {
            (true, false) => true,
            (false, true) => false,
            _ => return Ok(false),
        };
        let (address, values) = if store { (0, 1) } else { (1, 0) };
        let (base, offset, place) = self.address(self.operand(call, address)?)?;
        let memory = self.space(call, place);
        let values = self.operand(call, values)?;
        let registers = match store {
            true => self.group(values, |decoder, operand| decoder.source(operand, Type::B32))?,
            false => self.group(values, |decoder, operand| decoder.destination(operand))?,
        };
        let once = fragment.registers();
        // A and B of f16 have eight registers in every shape, so that 8 by 16 elements are there four times.
        if once == 0 || !registers.len().is_multiple_of(once) || registers.len() > 4 * once {
            return Err(self.malformed(call));
        }
        let leading = if by_rows { fragment.columns } else { fragment.rows };
        let stride = match call.operand(2) {
            Some(operand) => self.source(operand, Type::U32)?,
            None => self.literal(leading as u64),
        };
        self.gather_warp();
        let kind = if store { AccessKind::Store } else { AccessKind::Load };
        let site = self.site(kind, memory, fragment.bits as u32);
        let mut parts = Vec::new();
        let per = fragment.per_register();
        if store && per > 1 {
            for register in &registers[..once] {
                let slots: Vec<Slot> = (0..per).map(|_| self.new_slot()).collect();
                let (pool, count, bits) = (self.pool(&slots), per as u32, fragment.bits as u32);
                self.emit(Op::Register(RegisterOp::Unpack { parts: pool, count, a: *register, bits }));
                parts.extend(slots);
            }
        }
        for e in 0..fragment.per_lane() {
            let value = match (per, store) {
                (1, _) => registers[e],
                (_, true) => parts[e],
                (_, false) => {
                    parts.push(self.new_slot());
                    parts[e]
                }
            };
            let base = self.element_address(&fragment, e, (base, stride), by_rows)?;
            let access = Access {
                memory,
                window: call.window(memory),
                bytes: fragment.bits as u32 / 8,
                count: 1,
                extend: 0,
                base,
                offset,
                regs: self.pool(&[value]),
                site,
                order: MemoryOrder::Weak,
                scope: MemoryScope::Cta,
                constant: false,
            };
            self.program.accesses.push(access);
            let index = self.program.accesses.len() as u32 - 1;
            self.emit(if store { Op::Store(index) } else { Op::Load(index) });
        }
        if !store {
            self.fill_registers(&fragment, &registers, &parts);
        }
        Ok(true)
    }

    /// Packs what was loaded, and repeats it in the registers that are left.
    fn fill_registers(&mut self, fragment: &Fragment, registers: &[Slot], parts: &[Slot]) {
        let (once, per) = (fragment.registers(), fragment.per_register());
        if per > 1 {
            for (register, parts) in registers.iter().zip(parts.chunks(per)) {
                let (parts, count, bits) = (self.pool(parts), per as u32, fragment.bits as u32);
                self.emit(Op::Register(RegisterOp::Pack { d: *register, parts, count, bits }));
            }
        }
        for (i, register) in registers.iter().enumerate().skip(once) {
            self.copy_slot(*register, registers[i - once]);
        }
    }

    /// Waits for all lanes of the warp.
    fn gather_warp(&mut self) {
        let members = self.literal(u32::MAX.into());
        let (d, p) = (self.new_slot(), self.new_pred());
        self.emit(Op::Lanes(LaneOp::Vote { kind: Vote::Any, d, p, a: Pred::TRUE, members }));
    }

    /// The address of element `e` of each lane's fragment.
    fn element_address(
        &mut self,
        fragment: &Fragment,
        e: usize,
        (base, stride): (Slot, Slot),
        by_rows: bool,
    ) -> Result<Slot> {
        let at = |lane: usize| lane * fragment.per_lane() + e;
        let (rows, columns): (Vec<u64>, Vec<u64>) =
            (0..32).map(|lane| ((at(lane) / fragment.columns) as u64, (at(lane) % fragment.columns) as u64)).unzip();
        let (outer, inner) = if by_rows { (rows, columns) } else { (columns, rows) };
        let (outer, inner) = (self.lane_constant(&outer), self.lane_constant(&inner));
        let size = self.literal(fragment.bits as u64 / 8);
        let Some(Function::Three(f)) = ops::find("mad", Type::U64, &FloatMode::new(&["lo", "u64"])) else {
            return Err(self.fail(tk_diag::UNSUPPORTED, "the simulator has no 64-bit products"));
        };
        let (index, address) = (self.new_slot(), self.new_slot());
        self.emit(Op::Three { f, d: index, a: outer, b: stride, c: inner });
        self.emit(Op::Three { f, d: address, a: index, b: size, c: base });
        Ok(address)
    }

    /// A slot with a value for each lane.
    fn lane_constant(&mut self, values: &[u64]) -> Slot {
        let slot = self.new_slot();
        self.program.lane_constants.push((slot, std::array::from_fn(|lane| values[lane])));
        slot
    }

    /// `wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32 {d}, {a}, {b}, {c}`; for f16 the types of A and B are left out.
    fn wmma_multiply(&mut self, call: &Call<'_>, (m, n, k): (usize, usize, usize)) -> Result<bool> {
        let [d, a, b, c] = call.operands else { return Err(self.malformed(call)) };
        let is_type = |word: &&&str| matches!(**word, "f32" | "s32") || element(word).is_some();
        let types: Vec<&str> = call.words.iter().filter(is_type).copied().collect();
        let (d_type, a_type, b_type, c_type) = match types.as_slice() {
            [d, c] => (*d, "f16", "f16", *c),
            [d, a, b, c] => (*d, *a, *b, *c),
            _ => return Ok(false),
        };
        let overflow = if call.has("satfinite") { Overflow::Saturates } else { Overflow::Wraps };
        let sums = (Sums::named(d_type, overflow), Sums::named(c_type, overflow));
        let (Some(element), Some(b_element), (Some(d_sums), Some(c_sums))) = (element(a_type), element(b_type), sums)
        else {
            return Ok(false);
        };
        let plain = ["mma", "sync", "aligned", "row", "col", "satfinite", "rn"];
        let unknown = |word: &&str| !plain.contains(word) && shape(word).is_none() && !types.contains(word);
        let fits =
            has_shape(element, (m, n, k)) && element.bits() == b_element.bits() && sums_fit(element, d_sums, c_sums);
        if !fits || call.words.iter().any(unknown) {
            return Ok(false);
        }
        let product = Product {
            m,
            n,
            k,
            element,
            b_element,
            c_sums,
            d_sums,
            layout: FragmentLayout::Rows,
            d: self.group(d, |x, o| x.destination(o))?,
            a: self.group(a, |x, o| x.source(o, Type::B32))?,
            b: self.group(b, |x, o| x.source(o, Type::B32))?,
            c: self.group(c, |x, o| x.source(o, Type::B32))?,
        };
        let registers = |rows: usize, columns: usize, bits: usize| Fragment { rows, columns, bits }.registers();
        let sum = |ty: &str| if ty == "f16" { 16 } else { element.bits().max(32) };
        let enough = product.a.len() >= registers(m, k, element.bits())
            && product.b.len() >= registers(k, n, element.bits())
            && product.c.len() == registers(m, n, sum(c_type))
            && product.d.len() == registers(m, n, sum(d_type));
        if !enough {
            return Err(self.malformed(call));
        }
        self.push_product(product);
        Ok(true)
    }

    fn push_product(&mut self, product: Product) {
        self.program.products.push(product);
        self.emit(Op::Product(self.program.products.len() as u32 - 1));
    }

    /// `mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32`: four products, each of eight lanes.
    pub(super) fn mma_of_quad_pairs(&mut self, call: &Call<'_>, d_type: &str, c_type: &str) -> Result<bool> {
        let [d, a, b, c] = call.operands else { return Err(self.malformed(call)) };
        let majors: Vec<Major> = call.words.iter().filter_map(|word| major(word)).collect();
        let ([a_major, b_major], (Some(d_sums), Some(c_sums))) =
            (majors.as_slice(), (Sums::named(d_type, Overflow::Wraps), Sums::named(c_type, Overflow::Wraps)))
        else {
            return Ok(false);
        };
        if !sums_fit(Element::F16, d_sums, c_sums) || call.has("satfinite") {
            return Ok(false);
        }
        let product = Product {
            m: 8,
            n: 8,
            k: 4,
            element: Element::F16,
            b_element: Element::F16,
            c_sums,
            d_sums,
            layout: FragmentLayout::QuadPairs { a: *a_major, b: *b_major },
            d: self.group(d, |x, o| x.destination(o))?,
            a: self.group(a, |x, o| x.source(o, Type::B32))?,
            b: self.group(b, |x, o| x.source(o, Type::B32))?,
            c: self.group(c, |x, o| x.source(o, Type::B32))?,
        };
        let count = |sums: Sums| if sums == Sums::Half { 4 } else { 8 };
        let lengths = [product.a.len(), product.b.len(), product.c.len(), product.d.len()];
        if lengths != [2, 2, count(c_sums), count(d_sums)] {
            return Err(self.malformed(call));
        }
        self.push_product(product);
        Ok(true)
    }
}

fn major(word: &str) -> Option<Major> {
    match word {
        "row" => Some(Major::Row),
        "col" => Some(Major::Column),
        _ => None,
    }
}

/// The sums that products of an element have.
fn sums_fit(element: Element, d: Sums, c: Sums) -> bool {
    match element {
        Element::F16 => matches!((d, c), (Sums::Half | Sums::Single, Sums::Half | Sums::Single)),
        Element::BF16 | Element::TF32 | Element::E4M3 | Element::E5M2 => (d, c) == (Sums::Single, Sums::Single),
        Element::S8 | Element::U8 => matches!((d, c), (Sums::Integer(_), Sums::Integer(_))),
        Element::F64 => (d, c) == (Sums::Double, Sums::Double),
    }
}
