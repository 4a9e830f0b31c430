//! Every function, called with arguments of every kind: what a function reads is among its parameters, and nothing panics.

use super::{EXTRA, HOST, LANGUAGE, LIBDEVICE, PYTHON, TARGET, descriptor};
use crate::builtin::{Args, Builtin, ParameterKind, Run};
use crate::checked::{Element, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::interpreter::{Emitter, Interpreter};
use crate::value::{Descriptor, Spanned, Val, descriptor_type};
use std::rc::Rc;
use tk_diag::{SourceFile, Span};
use tk_types::ScalarType;

/// An interpreter without a program: whatever is called gives its first argument.
struct Nothing(Context);

impl Emitter for Nothing {
    fn cx(&mut self) -> &mut Context {
        &mut self.0
    }
}

impl<'a> Interpreter<'a> for Nothing {
    fn combine(&mut self, _: &Spanned<'a>, args: &[Value], _: Span) -> R<Vec<Value>> {
        Ok(args[..args.len() / 2].to_vec())
    }

    fn map(&mut self, _: &Spanned<'a>, args: Vec<Spanned<'a>>, _: Vec<u32>, _: Span) -> R<Val<'a>> {
        Ok(args[0].val.clone())
    }

    fn attribute_of(&mut self, _: &Spanned<'a>, _: &str, _: Span) -> R<Val<'a>> {
        Ok(Val::None)
    }

    fn has_name(&mut self, _: usize, _: &str) -> bool {
        false
    }
}

fn all() -> Vec<&'static Builtin> {
    let tables = [&LANGUAGE, &PYTHON, &EXTRA, &TARGET, &HOST];
    let named = tables.into_iter().flat_map(|table| table.values().copied());
    let methods = descriptor::METHODS.iter().chain(super::python::TABLE);
    named.chain(LIBDEVICE.values()).chain(methods).collect()
}

/// A meaning of each kind that functions tell apart.
fn meanings<'a>(cx: &mut Context) -> Vec<Val<'a>> {
    let mut value = |element: Element, shape: &[u32]| cx.builder.value(Type { element, shape: shape.to_vec() }, None);
    let scalar = |scalar| Element::Scalar(scalar);
    let pointer = Element::Pointer { pointee: Box::new(scalar(ScalarType::F32)), constant: false };
    let values = [
        value(scalar(ScalarType::F32), &[16, 16]),
        value(scalar(ScalarType::F64), &[16]),
        value(scalar(ScalarType::I32), &[16]),
        value(scalar(ScalarType::I1), &[]),
        value(scalar(ScalarType::U64), &[]),
        value(scalar(ScalarType::F8E5M2), &[32]),
        value(pointer.clone(), &[]),
        value(pointer, &[16]),
    ];
    let handle = value(descriptor_type(ScalarType::F16, &[16, 16]).element, &[]);
    let shape = vec![value(scalar(ScalarType::I32), &[]); 2];
    let strides = vec![value(scalar(ScalarType::I64), &[]); 2];
    let described = Descriptor { handle, element: ScalarType::F16, block: vec![16, 16], shape, strides };
    let pair = Val::tuple(vec![Val::Int(1), Val::Int(0)]);
    let constants = [Val::None, Val::Bool(true), Val::Int(0), Val::Int(16), Val::Float(0.5), Val::str("x"), pair];
    let rest = [Val::scalar_type(ScalarType::F16), Val::Descriptor(Rc::new(described)), Val::PropagateNan(true)];
    values.map(Val::Value).into_iter().chain(constants).chain(rest).collect()
}

fn call(builtin: &'static Builtin, first: usize, others: usize, with_optional: bool) {
    let file = SourceFile::new("test.tk", String::new());
    let mut cx = Context::new(file, tk_types::CompileOptions::default(), tk_target::Target::default());
    let meanings = meanings(&mut cx);
    let arg = |i: usize| Spanned { val: meanings[i].clone(), span: Span::default() };
    let slots = builtin.parameters().enumerate().map(|(i, parameter)| match parameter.kind {
        ParameterKind::Rest => None,
        ParameterKind::Optional if !with_optional => None,
        _ => Some(arg(if i == 0 { first } else { others })),
    });
    let slots: Vec<Option<Spanned>> = slots.collect();
    let is_variadic = builtin.parameters().any(|parameter| parameter.kind == ParameterKind::Rest);
    let rest = if is_variadic { vec![arg(first), arg(others)] } else { Vec::new() };
    let args = Args { builtin, span: Span::default(), slots, rest };
    // Most of these calls are errors of the program.
    let _ = match builtin.run {
        Run::Emits(run) => run(&mut cx, &args),
        Run::Calls(run) => run(&mut Nothing(cx), &args),
    };
}

#[test]
fn functions_read_parameters_that_they_declare() {
    let count =
        meanings(&mut Context::new(SourceFile::new("", String::new()), Default::default(), Default::default())).len();
    for builtin in all() {
        for first in 0..count {
            for others in [first, 1, 6, 8, 11] {
                call(builtin, first, others, false);
                call(builtin, first, others, true);
            }
        }
    }
}
