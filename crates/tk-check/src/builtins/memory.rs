//! Loads and stores.

use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{CacheModifier, Element, EvictionPolicy, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function(
        "load",
        &[
            "pointer",
            "mask?",
            "other?",
            "boundary_check?",
            "padding_option?",
            "cache_modifier?",
            "eviction_policy?",
            "volatile?",
        ],
        load,
    ),
    method("store", &["pointer", "value", "mask?", "boundary_check?", "cache_modifier?", "eviction_policy?"], store),
];

/// How an access uses the caches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caching {
    pub(crate) cache: CacheModifier,
    pub(crate) eviction: EvictionPolicy,
}

/// How a load reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadOptions {
    pub(crate) caching: Caching,
    pub(crate) volatile: bool,
}

/// Options that loads and stores share.
pub(crate) fn cache_options<'a>(
    cx: &Context,
    cache: Option<&Spanned<'a>>,
    eviction: Option<&Spanned<'a>>,
    store: bool,
) -> R<Caching> {
    let cache = match cache {
        None => CacheModifier::None,
        Some(arg) => match (&*cx.constant_str("`cache_modifier`", arg)?, store) {
            ("", _) => CacheModifier::None,
            (".cg", _) => CacheModifier::Cg,
            (".cs", _) => CacheModifier::Cs,
            (".ca", false) => CacheModifier::Ca,
            (".cv", false) => CacheModifier::Cv,
            (".wb", true) => CacheModifier::Wb,
            (".wt", true) => CacheModifier::Wt,
            (other, _) => {
                let known = if store {
                    "\".wb\", \".cg\", \".cs\" and \".wt\""
                } else {
                    "\".ca\", \".cg\", \".cs\" and \".cv\""
                };
                let message =
                    format!("{other:?} is not a cache modifier of a {}", if store { "store" } else { "load" });
                return Err(cx
                    .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                    .help(format!("There are {known}."))
                    .into());
            }
        },
    };
    let eviction = match eviction {
        None => EvictionPolicy::Normal,
        Some(arg) => match &*cx.constant_str("`eviction_policy`", arg)? {
            "" | "evict_normal" => EvictionPolicy::Normal,
            "evict_first" => EvictionPolicy::EvictFirst,
            "evict_last" => EvictionPolicy::EvictLast,
            other => {
                let message = format!("{other:?} is not an eviction policy");
                let help = "There are \"evict_first\", \"evict_last\" and \"evict_normal\".";
                return Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into());
            }
        },
    };
    Ok(Caching { cache, eviction })
}

impl Context {
    /// A pointer or a tensor of pointers.
    pub(crate) fn pointer_argument<'a>(&mut self, what: &str, arg: &Spanned<'a>) -> R<Value> {
        match arg.val {
            Val::Value(value) if self.builder.ty(value).pointee().is_some() => Ok(value),
            _ => {
                let found = self.describe(&arg.val);
                let message = format!("{what} needs a pointer, not {found}");
                let help = if matches!(arg.val, Val::Value(_)) {
                    "Add the offsets to a pointer argument: `ptr + offsets`."
                } else {
                    "Pass a pointer argument of the kernel plus offsets."
                };
                Err(self.error(tk_diag::TYPE_MISMATCH, arg.span, message, found).help(help).into())
            }
        }
    }

    /// A mask as i1 values.
    pub(crate) fn mask_argument<'a>(&mut self, arg: &Spanned<'a>) -> R<Value> {
        let value = self.value_of("a mask", arg)?;
        if self.builder.ty(value).number() == Some(ScalarType::I1) {
            return Ok(value);
        }
        let message = format!("a mask must be bool, not {}", self.builder.ty(value));
        let found = self.builder.ty(value).to_string();
        Err(self
            .error(tk_diag::TYPE_MISMATCH, arg.span, message, found)
            .help("Compare, for example `offsets < n`.")
            .into())
    }

    /// Checks that nothing is a tensor where the pointer is a scalar.
    pub(crate) fn scalar_companion<'a>(
        &self,
        what: &str,
        pointer: &Spanned<'a>,
        value: Value,
        arg: &Spanned<'a>,
    ) -> R<()> {
        let Val::Value(base) = pointer.val else { return Ok(()) };
        if self.builder.ty(base).is_tensor() || !self.builder.ty(value).is_tensor() {
            return Ok(());
        }
        let message = format!("{what} is a tensor, but the pointer is a scalar");
        Err(self
            .error(tk_diag::MASK_WITHOUT_TENSOR, arg.span, message, self.builder.ty(value).to_string())
            .at(&self.file, pointer.span, self.builder.ty(base).to_string())
            .help("Add a tensor of offsets to the pointer: `ptr + tl.arange(0, N)`.")
            .into())
    }

    /// Brings the mask to the pointer's shape, and the pointer to the mask's where that has more dimensions.
    fn pointer_and<'a>(
        &mut self,
        what: &str,
        base: &mut Value,
        pointer: &Spanned<'a>,
        value: Value,
        arg: &Spanned<'a>,
    ) -> R<Value> {
        self.scalar_companion(what, pointer, value, arg)?;
        if !self.builder.ty(*base).is_tensor() {
            return Ok(value);
        }
        let (grown, value) =
            self.broadcast_pair(what, Placed::new(*base, pointer.span), Placed::new(value, arg.span))?;
        *base = grown;
        Ok(value)
    }
}

fn load<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let pointer = args.value("pointer");
    let caching = cache_options(cx, args.given("cache_modifier"), args.given("eviction_policy"), false)?;
    let volatile = args.flag(cx, "volatile", false)?;
    if let Val::BlockPointer(block) = &pointer.val {
        let block = block.clone();
        return cx.load_block(&block, args, LoadOptions { caching, volatile }).map(Val::Value);
    }
    if let Some(arg) = args.given("boundary_check").filter(|arg| arg.val.truth() != Some(false)) {
        let message = "`boundary_check` is for block pointers";
        return Err(cx
            .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
            .help("Use `mask` with a tensor of pointers.")
            .into());
    }
    let mut base = cx.pointer_argument("`load`", &pointer)?;
    let mask = match args.given("mask") {
        Some(arg) => Some((cx.mask_argument(arg)?, arg.clone())),
        None => None,
    };
    let Some((mask, mask_arg)) = mask else {
        if let Some(other) = args.given("other") {
            let message = "`other` is given without `mask`";
            return Err(cx
                .error(tk_diag::MASK_WITHOUT_TENSOR, other.span, message, "nothing is masked off")
                .help("Add `mask=…`, or remove `other`.")
                .into());
        }
        return cx.emit_load(base, None, None, LoadOptions { caching, volatile }, args.span).map(Val::Value);
    };
    let mut mask = cx.pointer_and("the mask", &mut base, &pointer, mask, &mask_arg)?;
    let mut other = None;
    if let Some(arg) = args.given("other") {
        let value = cx.loaded_other(base, arg)?;
        let value = cx.pointer_and("`other`", &mut base, &pointer, value, arg)?;
        let shape = cx.builder.ty(base).shape.clone();
        mask = cx.builder.broadcast(mask, &shape);
        other = Some(Placed::new(value, arg.span));
    }
    cx.emit_load(base, Some(mask), other, LoadOptions { caching, volatile }, args.span).map(Val::Value)
}

impl Context {
    /// `other` as a value; a constant goes straight to the element type.
    fn loaded_other<'a>(&mut self, base: Value, arg: &Spanned<'a>) -> R<Value> {
        let element = self.builder.ty(base).pointee().cloned();
        if let (Some(number), Some(Element::Scalar(scalar))) = (arg.val.number(), element) {
            let fits = number.as_int().is_none_or(|i| {
                let (low, high) = crate::context::int_range(if scalar.is_int() { scalar } else { ScalarType::I64 });
                (low..=high).contains(&i)
            });
            let integral = scalar.is_float() || number.as_int().is_some() || number.as_f64().fract() == 0.0;
            // Other numbers round to an 8-bit float at run time, as casts do; zero is zero, and loads look for it.
            let zero = number.as_f64() == 0.0 && number.as_f64().is_sign_positive();
            if scalar != ScalarType::I1 && (!scalar.is_fp8() || zero) && fits && integral {
                let number = match (scalar.is_int(), number.as_int()) {
                    (true, None) if number.as_f64().abs() < 9e15 => crate::value::Number::Int(number.as_f64() as i128),
                    _ => number,
                };
                if !(scalar.is_int() && number.as_int().is_none()) {
                    return self.number(number, Type::scalar(scalar), arg.span);
                }
            }
        }
        self.value_of("`other`", arg)
    }

    /// Emits a load; `*i1` is loaded as `*i8` and compared with zero, since a bool takes a byte of memory.
    pub(crate) fn emit_load(
        &mut self,
        base: Value,
        mask: Option<Value>,
        other: Option<Placed>,
        options: LoadOptions,
        span: tk_diag::Span,
    ) -> R<Value> {
        let (base, element) = self.byte_pointer(base, span)?;
        let mut operands = vec![base];
        operands.extend(mask);
        if let Some(Placed { value, span }) = other {
            let stored = if element == Element::Scalar(ScalarType::I1) {
                Element::Scalar(ScalarType::I8)
            } else {
                element.clone()
            };
            operands.push(self.cast(value, &stored, None, span)?);
        }
        let memory = self.builder.ty(base).pointee().cloned().unwrap_or(element.clone());
        let ty = self.builder.ty(base).with(memory);
        let LoadOptions { caching: Caching { cache, eviction }, volatile } = options;
        let kind = OpKind::Load { mask: mask.is_some(), other: other.is_some(), cache, eviction, volatile };
        let loaded = self.builder.emit(kind, &operands, ty);
        self.cast(loaded, &element, None, span)
    }

    /// The pointer to read memory through, and the element type that the user sees.
    fn byte_pointer(&mut self, base: Value, span: tk_diag::Span) -> R<(Value, Element)> {
        let (element, constant) = match &self.builder.ty(base).element {
            Element::Pointer { pointee, constant } => ((**pointee).clone(), *constant),
            other => (other.clone(), false),
        };
        if element != Element::Scalar(ScalarType::I1) {
            return Ok((base, element));
        }
        let bytes = Element::Pointer { pointee: Box::new(Element::Scalar(ScalarType::I8)), constant };
        Ok((self.cast(base, &bytes, None, span)?, element))
    }

    /// Emits a store of a value that already has the pointer's shape.
    pub(crate) fn emit_store(
        &mut self,
        base: Value,
        value: Value,
        mask: Option<Value>,
        Caching { cache, eviction }: Caching,
        span: tk_diag::Span,
    ) -> R<()> {
        let (base, element) = self.byte_pointer(base, span)?;
        let mut value = self.cast(value, &element, None, span)?;
        if element == Element::Scalar(ScalarType::I1) {
            value = self.cast_scalar(value, ScalarType::I8, span)?;
        }
        let mut operands = vec![base, value];
        operands.extend(mask);
        self.builder.effect(OpKind::Store { mask: mask.is_some(), cache, eviction }, operands);
        Ok(())
    }

    /// Checks that a pointer may be written through.
    pub(crate) fn writable<'a>(&self, base: Value, arg: &Spanned<'a>) -> R<()> {
        match &self.builder.ty(base).element {
            Element::Pointer { constant: true, .. } => Err(self
                .error(
                    tk_diag::BAD_ARGUMENT,
                    arg.span,
                    "Cannot store to a constant pointer",
                    self.builder.ty(base).to_string(),
                )
                .help("Remove `tl.const` from the parameter.")
                .into()),
            _ => Ok(()),
        }
    }
}

fn store<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer, value_arg) = (args.value("pointer"), args.value("value"));
    let options = cache_options(cx, args.given("cache_modifier"), args.given("eviction_policy"), true)?;
    if let Val::BlockPointer(block) = &pointer.val {
        let block = block.clone();
        cx.store_block(&block, args, options)?;
        return Ok(Val::None);
    }
    if let Some(arg) = args.given("boundary_check").filter(|arg| arg.val.truth() != Some(false)) {
        let message = "`boundary_check` is for block pointers";
        return Err(cx
            .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
            .help("Use `mask` with a tensor of pointers.")
            .into());
    }
    let base = cx.pointer_argument("`store`", &pointer)?;
    cx.writable(base, &pointer)?;
    let value = cx.stored_value(base, &value_arg)?;
    cx.scalar_companion("the value", &pointer, value, &value_arg)?;
    let shape = cx.builder.ty(base).shape.clone();
    let value = cx.broadcast_to("the value", &value_arg, value, &shape)?;
    let mask = match args.given("mask") {
        None => None,
        Some(arg) => {
            let mask = cx.mask_argument(arg)?;
            cx.scalar_companion("the mask", &pointer, mask, arg)?;
            Some(cx.broadcast_to("the mask", arg, mask, &shape)?)
        }
    };
    cx.emit_store(base, value, mask, options, value_arg.span)?;
    Ok(Val::None)
}

impl Context {
    /// The value of a store; a constant goes straight to the element type where it fits.
    fn stored_value<'a>(&mut self, base: Value, arg: &Spanned<'a>) -> R<Value> {
        let element = self.builder.ty(base).pointee().cloned();
        if let (Some(number), Some(Element::Scalar(scalar))) = (arg.val.number(), element)
            && scalar.is_float()
            && !scalar.is_fp8()
        {
            return self.number(number, Type::scalar(scalar), arg.span);
        }
        self.value_of("the value of a store", arg)
    }
}
