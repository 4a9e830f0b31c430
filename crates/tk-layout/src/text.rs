//! Triton's attribute text: `Display` writes it, [`Encoding::parse`] reads it.
//!
//! The reader turns text into a small tree of values first (numbers, lists, nested attributes), then checks the fields of each
//! attribute; so the fields may come in any order and a wrong one is named. Nesting is bounded, nothing panics.

use crate::encoding::*;
use crate::verify::check_order;
use crate::{Dim, LinearLayout};
use std::fmt::{self, Write};
use std::sync::Arc;

/// Deepest nesting of attributes and lists that is read.
const MAX_DEPTH: u32 = 32;

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Encoding::Blocked(e) => write!(
                f,
                "#ttg.blocked<{{sizePerThread = {:?}, threadsPerWarp = {:?}, warpsPerCTA = {:?}, order = {:?}}}>",
                e.size_per_thread, e.threads_per_warp, e.warps_per_cta, e.order
            ),
            Encoding::Slice(e) => write!(f, "#ttg.slice<{{dim = {}, parent = {}}}>", e.dim, e.parent),
            Encoding::NvidiaMma(e) => write!(
                f,
                "#ttg.nvidia_mma<{{versionMajor = {}, versionMinor = {}, warpsPerCTA = {:?}, instrShape = {:?}}}>",
                e.version_major, e.version_minor, e.warps_per_cta, e.instr_shape
            ),
            Encoding::DotOp(e) => {
                write!(f, "#ttg.dot_op<{{opIdx = {}, parent = {}", e.op_idx, e.parent)?;
                if e.k_width != 0 {
                    write!(f, ", kWidth = {}", e.k_width)?;
                }
                f.write_str("}>")
            }
            Encoding::Linear(e) => write!(f, "#ttg.linear<{e}>"),
            Encoding::SwizzledShared(e) => write!(
                f,
                "#ttg.swizzled_shared<{{vec = {}, perPhase = {}, maxPhase = {}, order = {:?}}}>",
                e.vec, e.per_phase, e.max_phase, e.order
            ),
            Encoding::NvmmaShared(e) => {
                write!(
                    f,
                    "#ttg.nvmma_shared<{{swizzlingByteWidth = {}, transposed = {}, elementBitWidth = {}",
                    e.swizzling_byte_width, e.transposed, e.element_bit_width
                )?;
                if e.fp4_padded {
                    f.write_str(", fp4Padded = true")?;
                }
                if e.rank != 2 {
                    write!(f, ", rank = {}", e.rank)?;
                }
                f.write_str("}>")
            }
            Encoding::PaddedShared(e) => fmt_padded(e, f),
            Encoding::SharedLinear(e) => {
                // Without a basis for blocks Triton leaves the list out.
                let only_offset = without_block(&e.layout);
                write!(
                    f,
                    "#ttg.shared_linear<{}, alignment = {}>",
                    only_offset.as_ref().unwrap_or(&e.layout),
                    e.alignment
                )
            }
        }
    }
}

/// The layout without its input `block`, when that has no bits.
fn without_block(layout: &LinearLayout) -> Option<LinearLayout> {
    let axes: Vec<Dim> = layout.out_dims().collect();
    (layout.in_bits(Dim::Block) == 0).then(|| layout.sublayout(&[Dim::Offset], &axes).ok()).flatten()
}

fn fmt_padded(e: &PaddedSharedEncoding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("#ttg.padded_shared<[")?;
    for (at, (interval, padding)) in e.intervals.iter().enumerate() {
        write!(f, "{}{interval}:+{padding}", if at == 0 { "" } else { ", " })?;
    }
    match identity_order(&e.linear) {
        Some((order, shape)) => write!(f, "] {{order = {order:?}, shape = {shape:?}}}>"),
        None => write!(f, "] {}>", e.linear),
    }
}

/// Order and shape when the layout walks the axes one after the other in the default way.
fn identity_order(linear: &LinearLayout) -> Option<(Vec<u32>, Vec<u32>)> {
    let shape: Vec<u32> = linear.out_dims().map(|dim| linear.out_size(dim)).collect();
    let mut order: Vec<u32> = Vec::new();
    for bit in 0..linear.in_bits(Dim::Offset) {
        let axis = linear.basis_vector(Dim::Offset, bit).iter().position(|&value| value != 0)? as u32;
        if order.last() != Some(&axis) {
            order.push(axis);
        }
    }
    order.extend((0..shape.len() as u32).rev().filter(|axis| !order.contains(axis)).collect::<Vec<_>>());
    (order.len() == shape.len() && row_walk(&order, &shape).ok()? == *linear).then_some((order, shape))
}

/// From offset to the axes of `shape`, the first axis of `order` fastest.
pub(crate) fn row_walk(order: &[u32], shape: &[u32]) -> Result<LinearLayout, String> {
    let mut layout = LinearLayout::empty();
    for &axis in order {
        let size = *shape.get(axis as usize).ok_or("an axis of `order` is not in `shape`")?;
        layout = layout.product(&LinearLayout::identity1d(size, Dim::Offset, Dim::Axis(axis as u8))?)?;
    }
    let layout = layout.product(&LinearLayout::identity1d(1, Dim::Block, Dim::Axis(0))?)?;
    layout.transpose_outs(&Dim::axes(shape.len()))
}

impl Encoding {
    /// Reads one attribute in Triton's text, such as `#ttg.slice<{dim = 1, parent = #ttg.blocked<{…}>}>`.
    /// Aliases (`#blocked1`) cannot be resolved here and are an error.
    pub fn parse(text: &str) -> Result<Encoding, String> {
        let mut reader = Reader { rest: text, depth: 0 };
        let encoding = reader.attribute()?;
        reader.skip_space();
        if reader.rest.is_empty() {
            Ok(encoding)
        } else {
            Err(format!("unexpected {} after the encoding", reader.here()))
        }
    }
}

/// A value on the right of `=`.
enum Value {
    Number(u32),
    Bool(bool),
    List(Vec<Value>),
    Attribute(Encoding),
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// The next few characters, for a message.
    fn here(&self) -> String {
        if self.rest.is_empty() {
            "end of text".into()
        } else {
            format!("`{}`", self.rest.chars().take(20).collect::<String>())
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_space();
        self.rest.strip_prefix(token).map(|rest| self.rest = rest).is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("expected `{token}`, found {}", self.here())) }
    }

    fn word(&mut self) -> Result<&'a str, String> {
        self.skip_space();
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(format!("expected a name, found {}", self.here()));
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(word)
    }

    fn number(&mut self) -> Result<u32, String> {
        let at = self.here();
        self.word()?.parse().map_err(|_| format!("expected a number below 2^32, found {at}"))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("the encoding is nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn value(&mut self) -> Result<Value, String> {
        self.skip_space();
        if self.rest.starts_with('#') {
            return Ok(Value::Attribute(self.attribute()?));
        }
        if self.take("[") {
            return self.nested(|reader| reader.list().map(Value::List));
        }
        match self.rest.get(..1) {
            Some("t") if self.take("true") => Ok(Value::Bool(true)),
            Some("f") if self.take("false") => Ok(Value::Bool(false)),
            _ => self.number().map(Value::Number),
        }
    }

    fn list(&mut self) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        while !self.take("]") {
            if !values.is_empty() {
                self.expect(",")?;
            }
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn fields(&mut self) -> Result<Fields<'a>, String> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.take("}") {
            if !fields.is_empty() {
                self.expect(",")?;
            }
            let name = self.word()?;
            self.expect("=")?;
            fields.push((name, self.value()?));
        }
        Ok(Fields { fields })
    }

    fn attribute(&mut self) -> Result<Encoding, String> {
        self.nested(|reader| {
            reader.expect("#")?;
            let name = reader.word()?;
            if !name.starts_with("ttg.") {
                return Err(format!("`#{name}` is no layout encoding (expected `#ttg.…<…>`)"));
            }
            reader.expect("<")?;
            let encoding = reader.body(name)?;
            reader.expect(">")?;
            encoding.verify().map_err(|why| format!("in `#{name}`: {why}"))?;
            Ok(encoding)
        })
    }

    fn body(&mut self, name: &str) -> Result<Encoding, String> {
        if name == "ttg.padded_shared" {
            return self.padded();
        }
        let mut fields = self.fields()?;
        let encoding = match name {
            "ttg.blocked" => Encoding::Blocked(BlockedEncoding {
                size_per_thread: fields.numbers("sizePerThread")?,
                threads_per_warp: fields.numbers("threadsPerWarp")?,
                warps_per_cta: fields.numbers("warpsPerCTA")?,
                order: fields.numbers("order")?,
            }),
            "ttg.slice" => Encoding::Slice(SliceEncoding { dim: fields.number("dim")?, parent: fields.parent()? }),
            "ttg.nvidia_mma" => Encoding::NvidiaMma(MmaEncoding {
                version_major: fields.number("versionMajor")?,
                version_minor: fields.number_or("versionMinor", 0)?,
                warps_per_cta: fields.numbers("warpsPerCTA")?,
                instr_shape: fields.numbers("instrShape")?,
            }),
            "ttg.dot_op" => Encoding::DotOp(DotOpEncoding {
                op_idx: fields.number("opIdx")?,
                parent: fields.parent()?,
                k_width: fields.number_or("kWidth", 0)?,
            }),
            "ttg.swizzled_shared" => Encoding::SwizzledShared(SwizzledSharedEncoding {
                vec: fields.number("vec")?,
                per_phase: fields.number("perPhase")?,
                max_phase: fields.number("maxPhase")?,
                order: fields.numbers("order")?,
            }),
            "ttg.nvmma_shared" => Encoding::NvmmaShared(NvmmaSharedEncoding {
                swizzling_byte_width: fields.number("swizzlingByteWidth")?,
                transposed: fields.flag("transposed")?,
                element_bit_width: fields.number("elementBitWidth")?,
                fp4_padded: fields.flag("fp4Padded")?,
                rank: fields.number_or("rank", 2)?,
            }),
            "ttg.linear" => {
                let dims = [Dim::Register, Dim::Lane, Dim::Warp, Dim::Block];
                Encoding::Linear(fields.bases(&dims)?)
            }
            "ttg.shared_linear" => {
                let layout = fields.bases(&[Dim::Offset, Dim::Block])?;
                self.expect(",")?;
                self.expect("alignment")?;
                self.expect("=")?;
                Encoding::SharedLinear(SharedLinearEncoding { layout, alignment: self.number()? })
            }
            _ => return Err(format!("`#{name}` is not an encoding that tk knows")),
        };
        fields.finish()?;
        Ok(encoding)
    }

    fn padded(&mut self) -> Result<Encoding, String> {
        self.expect("[")?;
        let mut intervals = Vec::new();
        while !self.take("]") {
            if !intervals.is_empty() {
                self.expect(",")?;
            }
            let interval = self.number()?;
            self.expect(":")?;
            self.expect("+")?;
            intervals.push((interval, self.number()?));
        }
        let mut fields = self.fields()?;
        let linear = if fields.has("order") {
            let (order, shape) = (fields.numbers("order")?, fields.numbers("shape")?);
            check_order(&order)?;
            if order.len() != shape.len() {
                return Err("`order` and `shape` have different lengths".into());
            }
            row_walk(&order, &shape)?
        } else {
            fields.bases(&[Dim::Offset, Dim::Block])?
        };
        fields.finish()?;
        Ok(Encoding::PaddedShared(PaddedSharedEncoding { intervals, linear }))
    }
}

struct Fields<'a> {
    fields: Vec<(&'a str, Value)>,
}

impl Fields<'_> {
    fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| *field == name)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.fields.iter().position(|(field, _)| *field == name)?;
        Some(self.fields.swap_remove(at).1)
    }

    fn number(&mut self, name: &str) -> Result<u32, String> {
        match self.take(name) {
            Some(Value::Number(number)) => Ok(number),
            Some(_) => Err(format!("`{name}` is a number")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    fn number_or(&mut self, name: &str, default: u32) -> Result<u32, String> {
        if self.has(name) { self.number(name) } else { Ok(default) }
    }

    fn flag(&mut self, name: &str) -> Result<bool, String> {
        match self.take(name) {
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(format!("`{name}` is `true` or `false`")),
            None => Ok(false),
        }
    }

    fn parent(&mut self) -> Result<Arc<Encoding>, String> {
        match self.take("parent") {
            Some(Value::Attribute(parent)) => Ok(Arc::new(parent)),
            _ => Err("`parent` is missing or no encoding".into()),
        }
    }

    fn numbers(&mut self, name: &str) -> Result<Vec<u32>, String> {
        match self.take(name) {
            Some(Value::List(values)) => number_list(name, values),
            Some(_) => Err(format!("`{name}` is a list of numbers")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    /// A list of bases per input; missing inputs have none. Sizes are the smallest that hold the bases.
    fn bases(&mut self, dims: &[Dim]) -> Result<LinearLayout, String> {
        let mut ins = Vec::new();
        let mut rank = None;
        for &dim in dims {
            let mut name = String::new();
            let _ = write!(name, "{dim}");
            let lists = match self.take(&name) {
                Some(Value::List(lists)) => lists,
                None => Vec::new(),
                Some(_) => return Err(format!("`{name}` is a list of bases")),
            };
            let mut bases = Vec::new();
            for list in lists {
                let Value::List(values) = list else { return Err(format!("each basis of `{name}` is a list")) };
                let basis = number_list(&name, values)?;
                if *rank.get_or_insert(basis.len()) != basis.len() {
                    return Err("the bases have different lengths".into());
                }
                bases.push(basis);
            }
            ins.push((dim, bases));
        }
        let rank = rank.ok_or("the encoding has no basis at all, so its rank is unknown")?;
        LinearLayout::from_bases_inferred(&ins, &Dim::axes(rank))
    }

    /// Fields left over are trivial cluster fields or errors.
    fn finish(self) -> Result<(), String> {
        for (name, value) in self.fields {
            match (name, value) {
                ("CGALayout" | "CTAsPerCGA" | "CTASplitNum", Value::List(values))
                    if values.iter().all(|value| matches!(value, Value::Number(1))) => {}
                ("CTAOrder", Value::List(_)) => {}
                ("CGALayout" | "CTAsPerCGA" | "CTASplitNum" | "CTAOrder", _) => {
                    return Err(format!("`{name}` splits the tensor over CTAs, which tk does not support"));
                }
                _ => return Err(format!("unexpected field `{name}`")),
            }
        }
        Ok(())
    }
}

fn number_list(name: &str, values: Vec<Value>) -> Result<Vec<u32>, String> {
    let number = |value| if let Value::Number(number) = value { Some(number) } else { None };
    values.into_iter().map(number).collect::<Option<_>>().ok_or_else(|| format!("`{name}` is a list of numbers"))
}
