//! Hints, assertions, printing, barriers and inline assembly.

use crate::builtin::{Args, Builtin, function};
use crate::checked::{Hint, LoopHints, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::Placed;
use crate::value::RangeSpec;
use crate::value::{Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;

/// The parameters of `range`, Python's and `tl`'s.
pub(super) const RANGE: &[&str] = &[
    "start",
    "stop?",
    "step?",
    "num_stages?",
    "loop_unroll_factor?",
    "disallow_acc_multi_buffer?",
    "flatten?",
    "warp_specialize?",
    "disable_licm?",
];

pub(crate) const TABLE: &[Builtin] = &[
    function("multiple_of", &["input", "values"], |c, a| hint(c, a, Hint::Divisibility)),
    function("max_contiguous", &["input", "values"], |c, a| hint(c, a, Hint::Contiguity)),
    function("max_constancy", &["input", "values"], |c, a| hint(c, a, Hint::Constancy)),
    function("assume", &["cond"], assume),
    function("static_assert", &["cond", "msg?"], |_, _| Ok(Val::None)),
    function("static_print", &["*values", "sep?", "end?"], static_print),
    function("device_print", &["prefix", "*args", "hex?"], device_print_call),
    function("device_assert", &["cond", "msg?", "mask?"], device_assert),
    function("debug_barrier", &[], debug_barrier),
    function("inline_asm_elementwise", &["asm", "constraints", "args", "dtype", "is_pure", "pack"], inline_asm),
    function("range", RANGE, range),
    function("static_range", &["start", "stop?", "step?"], static_range),
    function("condition", &["arg", "disable_licm?"], condition),
    function("expect_zero", &["x", "mask"], |_, args| Ok(args.value("x").val)),
];

fn hint<'a>(cx: &mut Context, args: &Args<'a>, hint: Hint) -> R<Val<'a>> {
    let (input, values) = (args.value("input"), args.value("values"));
    let items: Vec<Spanned<'a>> = match &values.val {
        Val::Tuple(items) => items.iter().map(|val| Spanned { val: val.clone(), span: values.span }).collect(),
        _ => vec![values.clone()],
    };
    let mut numbers = Vec::with_capacity(items.len());
    for item in &items {
        let number = cx.constant_int(&format!("a value of `{}`", args.builtin.name), item)?;
        let Some(number) = u32::try_from(number).ok().filter(|n| *n > 0) else {
            let message = format!("`{}` takes positive integers, not {number}", args.builtin.name);
            return Err(cx
                .error(tk_diag::BAD_ARGUMENT, item.span, message, "")
                .help("Use a power of two such as 16.")
                .into());
        };
        numbers.push(number);
    }
    let Val::Value(value) = input.val else { return Ok(input.val) };
    let rank = cx.builder.ty(value).shape.len().max(1);
    if numbers.len() != rank {
        let message = format!("`{}` needs one value per dimension: {rank}, not {}", args.builtin.name, numbers.len());
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, values.span, message, "")
            .at(&cx.file, input.span, cx.builder.ty(value).to_string())
            .help("Write a tuple with one entry per dimension.")
            .into());
    }
    cx.hint(value, hint, numbers);
    Ok(input.val)
}

fn assume<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("cond");
    if let Some(truth) = arg.val.truth() {
        if !truth {
            let message = "`assume` of something that is false";
            return Err(cx
                .error(tk_diag::ASSERTION_FAILED, arg.span, message, "false at compile time")
                .help("Remove it.")
                .into());
        }
        return Ok(Val::None);
    }
    let value = cx.value_of("the condition of `assume`", &arg)?;
    let condition = cx.scalar_condition(value, &arg, "the condition of `assume`")?;
    cx.builder.effect(OpKind::Assume, vec![condition]);
    Ok(Val::None)
}

fn static_print<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let separator = match args.given("sep") {
        Some(arg) => cx.constant_str("`sep`", arg)?.to_string(),
        None => " ".to_string(),
    };
    let words: Vec<String> = args.rest.iter().map(|arg| cx.python_str(&arg.val)).collect();
    cx.printed.push(words.join(&separator));
    Ok(Val::None)
}

fn device_print_call<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let hex = args.flag(cx, "hex", false)?;
    device_print(cx, &args.value("prefix"), &args.rest, hex)
}

/// Prints values on the device, after a text.
pub(crate) fn device_print<'a>(
    cx: &mut Context,
    prefix_arg: &Spanned<'a>,
    values: &[Spanned<'a>],
    hex: bool,
) -> R<Val<'a>> {
    let prefix = cx.constant_str("the first argument of a print", prefix_arg)?;
    if let Some(odd) = prefix.chars().find(|c| !(c.is_ascii_graphic() || c.is_ascii_whitespace())) {
        let message = format!("a printed text must be ASCII, and {odd:?} is not");
        return Err(cx.error(tk_diag::BAD_ARGUMENT, prefix_arg.span, message, "").help("Use ASCII characters.").into());
    }
    let values = values.iter().map(|arg| cx.value_of("what is printed", arg)).collect::<R<Vec<Value>>>()?;
    let mut text = prefix.to_string();
    if !values.is_empty() && !text.ends_with(": ") {
        text.truncate(text.trim_end_matches([' ', ':']).len());
        text.push_str(": ");
    }
    if text.len() > 2 && !text.starts_with(' ') {
        text.insert(0, ' ');
    }
    cx.builder.effect(OpKind::Print { prefix: text, hex }, values);
    Ok(Val::None)
}

fn device_assert<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    cx.device_assert(&args.value("cond"), args.given("msg"), args.given("mask"))?;
    Ok(Val::None)
}

impl Context {
    /// A run-time assertion; it is compiled under `debug` only, also where it is false at compile time: kernels with such ones run elsewhere.
    pub(crate) fn device_assert<'a>(
        &mut self,
        condition: &Spanned<'a>,
        message: Option<&Spanned<'a>>,
        mask: Option<&Spanned<'a>>,
    ) -> R<()> {
        let text = match message {
            Some(arg) => self.constant_str("the message of an assertion", arg)?.to_string(),
            None => String::new(),
        };
        if condition.val.truth() == Some(true) {
            return Ok(());
        }
        let value = self.value_of("the condition of an assertion", condition)?;
        let value = self.boolean(value, condition.span)?;
        let mut operands = vec![value];
        if let Some(arg) = mask {
            let mask = self.mask_argument(arg)?;
            let (value, mask) = self.broadcast_pair(
                "the mask of an assertion",
                Placed::new(value, condition.span),
                Placed::new(mask, arg.span),
            )?;
            operands = vec![value, mask];
        }
        if self.options.debug {
            self.builder.effect(OpKind::Assert { message: text, mask: mask.is_some() }, operands);
        }
        Ok(())
    }

    fn spec<'a>(&self, args: &Args<'a>) -> RangeSpec<'a> {
        let first = args.value("start");
        let number = |value| Spanned { val: Val::Int(value), span: args.span };
        let (start, stop) = match args.given("stop") {
            Some(stop) => (first, stop.clone()),
            None => (number(0), first),
        };
        let step = args.given("step").cloned().unwrap_or_else(|| number(1));
        RangeSpec { start, stop, step, hints: LoopHints::default(), unrolled: false }
    }

    fn count<'a>(&self, what: &str, arg: Option<&Spanned<'a>>) -> R<Option<u32>> {
        let Some(arg) = arg else { return Ok(None) };
        let number = self.constant_int(what, arg)?;
        u32::try_from(number).map(Some).map_err(|_| {
            let message = format!("{what} must not be negative, and {number} is");
            self.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Use 1, 2, 3, ….").into()
        })
    }
}

pub(crate) fn range<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let mut spec = cx.spec(args);
    spec.hints = LoopHints {
        num_stages: cx.count("`num_stages`", args.given("num_stages"))?,
        unroll_factor: cx.count("`loop_unroll_factor`", args.given("loop_unroll_factor"))?,
        disallow_acc_multi_buffer: args.flag(cx, "disallow_acc_multi_buffer", false)?,
        flatten: args.flag(cx, "flatten", false)?,
        warp_specialize: args.flag(cx, "warp_specialize", false)?,
        disable_licm: args.flag(cx, "disable_licm", false)?,
    };
    if let (true, Some(arg)) = (spec.hints.disallow_acc_multi_buffer, args.given("disallow_acc_multi_buffer")) {
        cx.unused_option("disallow_acc_multi_buffer", arg.span);
    }
    Ok(Val::Range(Rc::new(spec)))
}

/// `tl.condition(test)`: what a `while` goes on for.
fn condition<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    cx.while_hints = LoopHints { disable_licm: args.flag(cx, "disable_licm", false)?, ..LoopHints::default() };
    Ok(args.value("arg").val)
}

fn static_range<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let mut spec = cx.spec(args);
    spec.unrolled = true;
    Ok(Val::Range(Rc::new(spec)))
}

fn debug_barrier<'a>(cx: &mut Context, _args: &Args<'a>) -> R<Val<'a>> {
    cx.builder.effect(OpKind::Barrier, Vec::new());
    Ok(Val::None)
}

fn inline_asm<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let asm = cx.constant_str("the assembly text", &args.value("asm"))?.to_string();
    let constraints = cx.constant_str("the constraints", &args.value("constraints"))?.to_string();
    let list = args.value("args");
    let Val::Tuple(items) = &list.val else {
        return Err(cx.not_constexpr("`args`", &list, "a list of tensors").into());
    };
    let inputs = items
        .iter()
        .map(|item| cx.value_of("an input of inline assembly", &Spanned { val: item.clone(), span: list.span }))
        .collect::<R<Vec<Value>>>()?;
    let pure = cx.constant_bool("`is_pure`", &args.value("is_pure"))?;
    let pack_arg = args.value("pack");
    let pack = cx.constant_int("`pack`", &pack_arg)?;
    let Some(pack) = u32::try_from(pack).ok().filter(|pack| pack.is_power_of_two() && *pack <= 32) else {
        let message = format!("`pack` must be a power of two up to 32, not {pack}");
        return Err(cx
            .error(tk_diag::BAD_ARGUMENT, pack_arg.span, message, "")
            .help("Use 1 unless the assembly handles several elements.")
            .into());
    };
    let (inputs, shape) = common_inputs(cx, inputs, list.span)?;
    let dtype = args.value("dtype");
    let (types, many) = match &dtype.val {
        Val::Tuple(items) => (items.iter().cloned().collect::<Vec<_>>(), true),
        other => (vec![other.clone()], false),
    };
    let mut results = Vec::with_capacity(types.len());
    for ty in types {
        let element = cx.element_dtype("`dtype`", &Spanned { val: ty, span: dtype.span })?;
        results.push(Type { element, shape: shape.clone() });
    }
    if results.is_empty() {
        let message = "inline assembly must return at least one value";
        return Err(cx.error(tk_diag::ARGUMENT_COUNT, dtype.span, message, "").help("Return a dummy value.").into());
    }
    let kind = OpKind::InlineAsm { asm, constraints, pure, pack };
    let values = cx.builder.op(kind, inputs, results, Vec::new());
    Ok(if many { Val::tuple(values.into_iter().map(Val::Value).collect::<Vec<_>>()) } else { Val::Value(values[0]) })
}

fn common_inputs(cx: &mut Context, mut inputs: Vec<Value>, span: Span) -> R<(Vec<Value>, Vec<u32>)> {
    let Some(mut lead) = inputs.first().copied() else { return Ok((inputs, Vec::new())) };
    for input in inputs.iter().skip(1) {
        lead = cx.broadcast_pair("inline assembly", Placed::new(lead, span), Placed::new(*input, span))?.0;
    }
    let shape = cx.builder.ty(lead).shape.clone();
    for input in &mut inputs {
        *input = cx.builder.broadcast(*input, &shape);
    }
    Ok((inputs, shape))
}
