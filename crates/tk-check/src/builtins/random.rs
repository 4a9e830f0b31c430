//! Random numbers: the counter-based generator Philox-4x32-10 (Salmon and others, “Parallel random numbers: as easy as 1, 2, 3”,
//! SC 2011), and uniform and normal floats made of its words.
//!
//! A number depends on the seed and its offset only, so the same kernel gives the same numbers on every device; the constants of
//! the conversion to floats are those of `triton.language`, so the numbers are the same there.

use crate::builtin::{Args, Builtin, function};
use crate::checked::{BinaryOp, CompareOp, OpKind, Type, UnaryOp, Value};
use crate::context::Context;
use crate::context::Extremum;
use crate::context::NanRule;
use crate::error::R;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_grammar::ast;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("philox", &["seed", "c0", "c1", "c2", "c3", "n_rounds?"], philox),
    function("philox_impl", &["c0", "c1", "c2", "c3", "k0", "k1", "n_rounds?"], philox_impl),
    function("randint", &["seed", "offset", "n_rounds?"], randint),
    function("randint4x", &["seed", "offset", "n_rounds?"], |c, a| random_words(c, a, &a.value("offset")).map(tuple)),
    function("rand", &["seed", "offset", "n_rounds?"], rand),
    function("rand4x", &["seed", "offsets", "n_rounds?"], |c, a| uniform_four(c, a, &a.value("offsets")).map(tuple)),
    function("randn", &["seed", "offset", "n_rounds?"], randn),
    function("randn4x", &["seed", "offset", "n_rounds?"], randn4x),
    function("uint_to_uniform_float", &["x"], uint_to_uniform_float),
    function("pair_uniform_to_normal", &["u1", "u2"], pair_uniform_to_normal),
];

/// Most rounds that are unrolled.
const MAX_ROUNDS: i128 = 64;

/// The multipliers of a round and the steps of the key, for one word width.
struct Constants {
    multipliers: [u64; 2],
    steps: [u64; 2],
}

const WORDS_32: Constants = Constants { multipliers: [0xD251_1F53, 0xCD9E_8D57], steps: [0x9E37_79B9, 0xBB67_AE85] };
const WORDS_64: Constants = Constants {
    multipliers: [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157],
    steps: [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B],
};

fn tuple<'a>(values: [Value; 4]) -> Val<'a> {
    Val::tuple(values.map(Val::Value).to_vec())
}

fn rounds<'a>(cx: &Context, arg: Option<&Spanned<'a>>) -> R<i128> {
    let Some(arg) = arg else { return Ok(10) };
    let count = cx.constant_int("`n_rounds`", arg)?;
    if (0..=MAX_ROUNDS).contains(&count) {
        return Ok(count);
    }
    let message = format!("`n_rounds` must be from 0 to {MAX_ROUNDS}, not {count}");
    Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("10 rounds are the default.").into())
}

/// An integer argument, or the error that says which one is not.
fn integer<'a>(cx: &mut Context, what: &str, arg: &Spanned<'a>) -> R<(Value, ScalarType)> {
    let value = cx.value_of(what, arg)?;
    match cx.builder.ty(value).number().filter(|scalar| scalar.is_int()) {
        Some(scalar) => Ok((value, scalar)),
        None => {
            let found = cx.builder.ty(value).to_string();
            let message = format!("{what} must be integers, not {found}");
            Err(cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, found).help("Cast it with `.to(tl.int32)`.").into())
        }
    }
}

/// A state and its key, all of one type.
struct State {
    counters: [Value; 4],
    key: [Value; 2],
}

impl State {
    /// Brings all parts to one shape.
    fn broadcast(self, cx: &mut Context, span: Span) -> R<Self> {
        let mut parts: Vec<Value> = self.counters.into_iter().chain(self.key).collect();
        let mut lead = parts[0];
        for part in &parts[1..] {
            lead =
                cx.broadcast_pair("the parts of a random state", Placed::new(lead, span), Placed::new(*part, span))?.0;
        }
        let shape = cx.builder.ty(lead).shape.clone();
        for part in &mut parts {
            *part = cx.builder.broadcast(*part, &shape);
        }
        Ok(Self { counters: [parts[0], parts[1], parts[2], parts[3]], key: [parts[4], parts[5]] })
    }

    /// The rounds of Philox; every round multiplies two counters and mixes the halves with the key.
    fn run(self, cx: &mut Context, rounds: i128, constants: &Constants) -> [Value; 4] {
        let Self { mut counters, mut key } = self;
        let ty: Type = cx.builder.ty(counters[0]).clone();
        let op = |cx: &mut Context, op, a, b| cx.builder.emit(OpKind::Binary(op), &[a, b], ty.clone());
        for _ in 0..rounds {
            let [a, b] = constants.multipliers.map(|word| cx.builder.int(word.into(), ty.clone()));
            let high_b = op(cx, BinaryOp::MulHiU, b, counters[2]);
            let high_a = op(cx, BinaryOp::MulHiU, a, counters[0]);
            let low_b = op(cx, BinaryOp::MulI, b, counters[2]);
            let low_a = op(cx, BinaryOp::MulI, a, counters[0]);
            let first = op(cx, BinaryOp::Xor, high_b, counters[1]);
            let third = op(cx, BinaryOp::Xor, high_a, counters[3]);
            let first = op(cx, BinaryOp::Xor, first, key[0]);
            let third = op(cx, BinaryOp::Xor, third, key[1]);
            counters = [first, low_b, third, low_a];
            let steps = constants.steps.map(|word| cx.builder.int(word.into(), ty.clone()));
            key = [op(cx, BinaryOp::AddI, key[0], steps[0]), op(cx, BinaryOp::AddI, key[1], steps[1])];
        }
        counters
    }
}

/// Counters of 32 or 64 bits as unsigned words of that width.
fn words<'a>(cx: &mut Context, args: &Args<'a>) -> R<([Value; 4], ScalarType)> {
    let mut out = Vec::with_capacity(4);
    let mut word = ScalarType::U32;
    for (i, name) in ["c0", "c1", "c2", "c3"].into_iter().enumerate() {
        let arg = args.value(name);
        let (value, scalar) = integer(cx, "the counters of `philox`", &arg)?;
        if i == 0 && scalar.bits() == 64 {
            word = ScalarType::U64;
        }
        if scalar.bits() != word.bits() {
            let message = format!("the counters of `philox` must all have 32 or all have 64 bits, and one is {scalar}");
            return Err(cx
                .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
                .help("Cast them with `.to(tl.uint32)`.")
                .into());
        }
        out.push(cx.builder.reinterpret(value, word));
    }
    Ok(([out[0], out[1], out[2], out[3]], word))
}

fn philox<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (counters, word) = words(cx, args)?;
    let rounds = rounds(cx, args.given("n_rounds"))?;
    seeded(cx, &args.value("seed"), counters, word, rounds).map(tuple)
}

/// Philox with the key that a seed of up to 64 bits gives: its two halves, or itself and zero.
fn seeded<'a>(
    cx: &mut Context,
    seed: &Spanned<'a>,
    counters: [Value; 4],
    word: ScalarType,
    rounds: i128,
) -> R<[Value; 4]> {
    let (value, _) = integer(cx, "the seed", seed)?;
    let wide = cx.cast_scalar(value, ScalarType::U64, seed.span)?;
    let ty = cx.builder.ty(wide).clone();
    let (key, constants) = if word == ScalarType::U64 {
        ([wide, cx.builder.int(0, ty)], &WORDS_64)
    } else {
        let half = cx.builder.int(32, ty.clone());
        let high = cx.builder.emit(OpKind::Binary(BinaryOp::ShrU), &[wide, half], ty);
        let parts = [wide, high].map(|part| cx.cast_scalar(part, ScalarType::U32, seed.span));
        let [low, high] = parts;
        ([low?, high?], &WORDS_32)
    };
    let state = State { counters, key }.broadcast(cx, seed.span)?;
    Ok(state.run(cx, rounds, constants))
}

fn philox_impl<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (counters, word) = words(cx, args)?;
    let rounds = rounds(cx, args.given("n_rounds"))?;
    let mut key = counters;
    for (slot, name) in key.iter_mut().zip(["k0", "k1"]) {
        let arg = args.value(name);
        let (value, _) = integer(cx, "the key of `philox_impl`", &arg)?;
        *slot = cx.cast_scalar(value, word, arg.span)?;
    }
    let constants = if word == ScalarType::U64 { &WORDS_64 } else { &WORDS_32 };
    let state = State { counters, key: [key[0], key[1]] }.broadcast(cx, args.span)?;
    Ok(tuple(state.run(cx, rounds, constants)))
}

/// Four blocks of u32, the counters being the two halves of the offsets and zeros.
fn random_words<'a>(cx: &mut Context, args: &Args<'a>, offset: &Spanned<'a>) -> R<[Value; 4]> {
    let value = cx.value_of("the offsets", offset)?;
    let scalar = match cx.builder.ty(value).number() {
        Some(scalar) if scalar.is_float() && scalar.bits() <= 32 => scalar,
        _ => integer(cx, "the offsets", offset)?.1,
    };
    let low = cx.cast_scalar(value, ScalarType::U32, offset.span)?;
    let ty = cx.builder.ty(low).clone();
    let zero = cx.builder.int(0, ty);
    let mut high = zero;
    if scalar.bits() > 32 {
        let wide = cx.builder.ty(value).clone();
        let half = cx.builder.int(32, wide.clone());
        let shift = if scalar.is_signed_int() { BinaryOp::ShrS } else { BinaryOp::ShrU };
        let shifted = cx.builder.emit(OpKind::Binary(shift), &[value, half], wide);
        high = cx.cast_scalar(shifted, ScalarType::U32, offset.span)?;
    }
    let rounds = rounds(cx, args.given("n_rounds"))?;
    seeded(cx, &args.value("seed"), [low, high, zero, zero], ScalarType::U32, rounds)
}

fn randint<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    random_words(cx, args, &args.value("offset")).map(|words| Val::Value(words[0]))
}

/// A float in [0, 1) from a word: its magnitude as a signed number, scaled so that the greatest one stays below 1.
fn uniform(cx: &mut Context, word: Value, span: Span) -> R<Value> {
    let scalar = cx.builder.ty(word).number().unwrap_or(ScalarType::U32);
    let (signed, scale) = match scalar.bits() {
        64 => (ScalarType::I64, 1.084_202_043_238_533_7e-19),
        _ => (ScalarType::I32, 4.656_612_734_2e-10),
    };
    let word = cx.builder.reinterpret(word, signed);
    let ty = cx.builder.ty(word).clone();
    let zero = cx.builder.int(0, ty.clone());
    let ones = cx.builder.int(-1, ty.clone());
    let bool = ty.with_scalar(ScalarType::I1);
    let negative = cx.builder.emit(OpKind::Compare(CompareOp::LtS), &[word, zero], bool);
    let inverted = cx.builder.emit(OpKind::Binary(BinaryOp::Xor), &[word, ones], ty.clone());
    let magnitude = cx.builder.emit(OpKind::Select, &[negative, inverted, word], ty);
    let float = cx.cast_scalar(magnitude, ScalarType::F32, span)?;
    let ty = cx.builder.ty(float).clone();
    let scale = cx.builder.literal(crate::checked::Literal::Float(scale), ty.clone());
    Ok(cx.builder.emit(OpKind::Binary(BinaryOp::MulF), &[float, scale], ty))
}

fn uint_to_uniform_float<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    let (value, scalar) = integer(cx, "the argument of `uint_to_uniform_float`", &arg)?;
    if scalar.bits() < 32 {
        let message = format!("`uint_to_uniform_float` takes 32-bit and 64-bit integers, not {scalar}");
        return Err(cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, "").help("Cast with `.to(tl.uint32)`.").into());
    }
    uniform(cx, value, arg.span).map(Val::Value)
}

fn rand<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let words = random_words(cx, args, &args.value("offset"))?;
    uniform(cx, words[0], args.span).map(Val::Value)
}

fn uniform_four<'a>(cx: &mut Context, args: &Args<'a>, offset: &Spanned<'a>) -> R<[Value; 4]> {
    let mut words = random_words(cx, args, offset)?;
    for word in &mut words {
        *word = uniform(cx, *word, args.span)?;
    }
    Ok(words)
}

/// Two independent normal numbers from two uniform ones (Box and Muller, 1958).
fn normal_pair<'a>(cx: &mut Context, u1: &Spanned<'a>, u2: &Spanned<'a>) -> R<[Value; 2]> {
    let span = u1.span;
    let number = |value: f64| Spanned { val: Val::Float(value), span };
    let value = |value: Value| Spanned { val: Val::Value(value), span };
    let bounded = cx.extremum(Extremum::Greatest, NanRule::Loses, &number(1.0e-7), u1)?;
    let angle = cx.runtime_binary(ast::BinaryOp::Mul, &number(std::f64::consts::TAU), u2)?;
    let log = cx.float_function("pair_uniform_to_normal", UnaryOp::Log, bounded, span)?;
    let square = cx.runtime_binary(ast::BinaryOp::Mul, &number(-2.0), &value(log))?;
    let radius = cx.float_function("pair_uniform_to_normal", UnaryOp::Sqrt, square, span)?;
    let mut out = [radius; 2];
    for (slot, op) in out.iter_mut().zip([UnaryOp::Cos, UnaryOp::Sin]) {
        let part = cx.float_function("pair_uniform_to_normal", op, angle, span)?;
        *slot = cx.runtime_binary(ast::BinaryOp::Mul, &value(radius), &value(part))?;
    }
    Ok(out)
}

fn pair_uniform_to_normal<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let mut parts = [args.value("u1"), args.value("u2")];
    for part in &mut parts {
        let value = cx.value_of("a uniform number", part)?;
        cx.float_argument("pair_uniform_to_normal", value, part.span)?;
        part.val = Val::Value(value);
    }
    normal_pair(cx, &parts[0], &parts[1]).map(|pair| Val::tuple(pair.map(Val::Value).to_vec()))
}

fn randn<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let words = random_words(cx, args, &args.value("offset"))?;
    let (u1, u2) = (uniform(cx, words[0], args.span)?, uniform(cx, words[1], args.span)?);
    let (u1, u2) = (cx.here(u1), cx.here(u2));
    normal_pair(cx, &u1, &u2).map(|pair| Val::Value(pair[0]))
}

fn randn4x<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let [a, b, c, d] = uniform_four(cx, args, &args.value("offset"))?.map(|value| cx.here(value));
    let (first, second) = (normal_pair(cx, &a, &b)?, normal_pair(cx, &c, &d)?);
    Ok(tuple([first[0], first[1], second[0], second[1]]))
}
