//! `value.name` and `value[index]`.

use crate::builtins;
use crate::check::Checker;
use crate::checked::{Element, OpKind, Type, Value};
use crate::error::R;
use crate::value::Descriptor;
use crate::value::ModuleKind;
use crate::value::{Class, Spanned, Val};
use std::rc::Rc;
use tk_diag::nearest;
use tk_grammar::ast::{Expr, Ident};
use tk_types::ScalarType;

const TYPE_ATTRIBUTES: &[&str] = &[
    "element_ty",
    "scalar",
    "shape",
    "dtype",
    "primitive_bitwidth",
    "int_bitwidth",
    "itemsize",
    "name",
    "numel",
    "fp_mantissa_width",
];
const TYPE_METHODS: &[&str] = &[
    "is_fp8",
    "is_fp8e4nv",
    "is_fp8e5",
    "is_fp8e4b15",
    "is_fp8e4b8",
    "is_fp8e5b16",
    "is_fp16",
    "is_bf16",
    "is_fp32",
    "is_fp64",
    "is_int1",
    "is_int8",
    "is_int16",
    "is_int32",
    "is_int64",
    "is_uint8",
    "is_uint16",
    "is_uint32",
    "is_uint64",
    "is_floating",
    "is_standard_floating",
    "is_int_signed",
    "is_int_unsigned",
    "is_int",
    "is_bool",
    "is_ptr",
    "is_block",
    "is_const",
    "is_dtype",
    "is_void",
    "get_block_shapes",
];
const VALUE_ATTRIBUTES: &[&str] = &["T", "shape", "dtype", "type", "numel", "value", "to"];

impl<'a> Checker<'a> {
    pub(crate) fn attribute(&mut self, value: &'a Expr, name: &'a Ident) -> R<Val<'a>> {
        let base = self.eval_spanned(value)?;
        match base.val {
            Val::Module(ModuleKind::Absent(import)) => {
                if let Some(builtin) = builtins::python::imported(&name.text) {
                    return Ok(Val::Builtin(builtin));
                }
                let path = format!("`{}.{}`", value.dotted_name().unwrap_or_default(), name.text);
                let module = self.cx.file.slice(import).split_whitespace().next().unwrap_or_default();
                let error = self.missing(&path, module, import, name.span);
                Err(match crate::builtins::language_names().find(|known| *known == name.text) {
                    Some(known) => error.help(format!("Use `tl.{known}`.")),
                    None => error,
                }
                .into())
            }
            _ => self.member(&base, name),
        }
    }

    /// `value.name` of anything but a module that is not there.
    pub(crate) fn member(&mut self, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        match &base.val {
            Val::Object(object) => self.object_attribute(object, base, name),
            Val::Module(module) => self.module_attribute(*module, &name.text, name.span),
            Val::Class(Class::PropagateNan) => match name.text.as_str() {
                "ALL" => Ok(Val::PropagateNan(true)),
                "NONE" => Ok(Val::PropagateNan(false)),
                _ => Err(self.no_attribute(base, name, &["ALL", "NONE"])),
            },
            Val::Type(ty) => self.type_attribute(ty.clone(), base, name),
            Val::Value(value) => self.value_attribute(*value, base, name),
            Val::Record(record) => self.record_attribute(&record.clone(), base, name),
            Val::RecordClass(class) => self.class_attribute(&class.clone(), name),
            Val::Descriptor(descriptor) => self.descriptor_attribute(&descriptor.clone(), base, name),
            _ => self.constant_attribute(base.clone(), name),
        }
    }

    fn no_attribute(&self, base: &Spanned<'a>, name: &Ident, known: &[&'static str]) -> crate::error::Stop {
        let message = format!("{} has no `{}`", self.cx.describe(&base.val), name.text);
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, name.span, message, "");
        match nearest(&name.text, known.iter().copied()) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None if matches!(base.val, Val::Tuple(_)) => error
                .help("Lists are tuples in a kernel and do not change: write `items = items + (x,)` for another one."),
            None => error.help(format!("It has {}.", known.join(", "))),
        }
        .into()
    }

    fn constant_attribute(&mut self, base: Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        match (&base.val, name.text.as_str()) {
            (Val::Class(class), attribute) => {
                if let Some(scalar) = crate::types::class_scalar(*class) {
                    return self.type_attribute(Rc::new(Type::scalar(scalar)), &base, name);
                }
                let message = format!("the class `{class:?}` has no `{attribute}` here");
                Err(self
                    .cx
                    .error(tk_diag::UNSUPPORTED, name.span, message, "")
                    .help("Use it in annotations and `isinstance` only.")
                    .into())
            }
            (_, "value") => Ok(base.val),
            (Val::Function(function), "__name__") => Ok(Val::str(&function.name.text)),
            (Val::Closure(closure), "__name__") => Ok(Val::str(&closure.function.name.text)),
            (Val::Str(_), method) if crate::context::string_method(method).is_some() => {
                match crate::context::string_method(method) {
                    Some(found) => Ok(Val::Method(Rc::new(base.val), found)),
                    None => Ok(Val::None),
                }
            }
            (Val::Version(numbers), part) => builtins::version::part(numbers, part)
                .ok_or_else(|| self.no_attribute(&base, name, builtins::version::PARTS)),
            (Val::Int(_), "bit_length") => Ok(Val::Method(Rc::new(base.val), &builtins::python::BIT_LENGTH)),
            (Val::None | Val::Str(_) | Val::Int(_) | Val::Float(_) | Val::Bool(_) | Val::Tuple(_), "type")
                if base.val.is_constant() =>
            {
                Ok(Val::ConstantType(Rc::new(base.val)))
            }
            (Val::Int(_) | Val::Float(_) | Val::Bool(_), "dtype") => {
                let number = base.val.number().and_then(|n| n.natural_type()).unwrap_or(ScalarType::I32);
                Ok(Val::scalar_type(number))
            }
            (Val::Int(_) | Val::Float(_) | Val::Bool(_), "shape") => Ok(Val::tuple(Vec::new())),
            (Val::Int(_) | Val::Float(_) | Val::Bool(_), attribute) => {
                match builtins::language(attribute).filter(|b| b.method) {
                    Some(builtin) => Ok(Val::Method(Rc::new(base.val), builtin)),
                    None => Err(self.no_attribute(&base, name, &["value", "dtype", "to"])),
                }
            }
            (Val::BlockPointer(pointer), "type" | "dtype") => Ok(Val::ty(pointer.element_type())),
            (Val::BlockPointer(_), attribute) => match builtins::language(attribute).filter(|b| b.method) {
                Some(builtin) => Ok(Val::Method(Rc::new(base.val), builtin)),
                None => Err(self.no_attribute(&base, name, &["dtype", "store"])),
            },
            _ => Err(self.no_attribute(&base, name, &["value"])),
        }
    }

    fn value_attribute(&mut self, value: Value, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        let ty = self.cx.builder.ty(value).clone();
        match name.text.as_str() {
            "shape" => Ok(Val::tuple(ty.shape.iter().map(|&d| Val::Int(d.into())).collect::<Vec<_>>())),
            "dtype" => Ok(Val::ty(Type { element: ty.element, shape: Vec::new() })),
            "type" => Ok(Val::ty(ty)),
            "numel" => Ok(Val::Int(ty.numel().into())),
            "value" => Ok(base.val.clone()),
            "T" if ty.shape.len() == 2 => {
                let ty = Type { element: ty.element, shape: vec![ty.shape[1], ty.shape[0]] };
                Ok(Val::Value(self.cx.builder.emit(OpKind::Trans { order: vec![1, 0] }, &[value], ty)))
            }
            "T" => {
                let message = format!("`.T` needs a tensor with two dimensions, not {ty}");
                Err(self
                    .cx
                    .error(tk_diag::SHAPE_MISMATCH, name.span, message, "")
                    .help("Use `tl.permute(x, …)` for other ranks.")
                    .into())
            }
            method => match builtins::language(method).filter(|builtin| builtin.method) {
                Some(builtin) => Ok(Val::Method(Rc::new(base.val.clone()), builtin)),
                None => {
                    if let Some(reason) = builtins::unsupported::reason(ModuleKind::Language, method) {
                        let message = format!("tk does not compile the tensor method `{method}` yet");
                        return Err(self.cx.error(tk_diag::UNSUPPORTED, name.span, message, "").help(reason).into());
                    }
                    let known = VALUE_ATTRIBUTES.iter().copied().chain(builtins::method_names());
                    let near = nearest(method, known);
                    let error = self.cx.error(
                        tk_diag::UNKNOWN_NAME,
                        name.span,
                        format!("a tensor has no `{method}`"),
                        ty.to_string(),
                    );
                    Err(match near {
                        Some(near) => error.help(format!("Did you mean `{near}`?")),
                        None => error
                            .help("Tensors have `.shape`, `.dtype`, `.T`, `.to` and the functions of `tl` as methods."),
                    }
                    .into())
                }
            },
        }
    }

    fn descriptor_attribute(&self, descriptor: &Descriptor, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        match name.text.as_str() {
            "dtype" => Ok(Val::scalar_type(descriptor.element())),
            "shape" => Ok(descriptor.shape()),
            "strides" => Ok(descriptor.strides()),
            "block_shape" => Ok(Val::tuple(descriptor.block().iter().map(|&d| Val::Int(d.into())).collect::<Vec<_>>())),
            "block_type" => Ok(Val::ty(descriptor.block_type())),
            "type" => Ok(Val::Class(Class::TensorDescriptor)),
            other => match builtins::descriptor::METHODS.iter().find(|builtin| builtin.name == other) {
                Some(builtin) => Ok(Val::Method(Rc::new(base.val.clone()), builtin)),
                None => {
                    let fields = ["dtype", "shape", "strides", "block_shape", "block_type"];
                    let methods = builtins::descriptor::METHODS.iter().map(|builtin| builtin.name);
                    Err(self.no_attribute(base, name, &methods.chain(fields).collect::<Vec<_>>()))
                }
            },
        }
    }

    fn type_attribute(&mut self, ty: Rc<Type>, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        let bits = |ty: &Type| ty.number().map_or(64, ScalarType::bits);
        Ok(match name.text.as_str() {
            "element_ty" if ty.is_tensor() => Val::ty(Type { element: ty.element.clone(), shape: Vec::new() }),
            "element_ty" => match &ty.element {
                Element::Pointer { pointee, .. } => Val::ty(Type { element: (**pointee).clone(), shape: Vec::new() }),
                _ => {
                    let message = format!("the type {ty} has no `element_ty`");
                    let help = "Only types of pointers and tensors have one; `x.dtype` is already the element type.";
                    return Err(self.cx.error(tk_diag::TYPE_MISMATCH, name.span, message, "").help(help).into());
                }
            },
            "scalar" | "dtype" => Val::ty(Type { element: ty.element.clone(), shape: Vec::new() }),
            "shape" => Val::tuple(ty.shape.iter().map(|&d| Val::Int(d.into())).collect::<Vec<_>>()),
            "numel" => Val::Int(ty.numel().into()),
            "primitive_bitwidth" | "int_bitwidth" => Val::Int(bits(&ty).into()),
            "itemsize" => Val::Int(bits(&ty).div_ceil(8).into()),
            "name" => Val::str(&ty.to_string()),
            "fp_mantissa_width" => Val::Int(mantissa_bits(ty.number()).into()),
            "value" => base.val.clone(),
            other => match TYPE_METHODS.iter().find(|method| **method == other) {
                Some(method) => Val::TypeMethod(ty, method),
                None => return Err(self.no_attribute(base, name, &[TYPE_ATTRIBUTES, TYPE_METHODS].concat())),
            },
        })
    }

    /// `x.dtype.is_fp8()` and its relatives; `x.type.get_block_shapes()`.
    pub(crate) fn type_method(&self, ty: &Type, name: &str) -> Val<'a> {
        use ScalarType::*;
        let scalar = ty.number();
        let is = |wanted: ScalarType| scalar == Some(wanted);
        let test = |f: fn(ScalarType) -> bool| scalar.is_some_and(f);
        if name == "get_block_shapes" {
            return Val::tuple(ty.shape.iter().map(|&d| Val::Int(d.into())).collect::<Vec<_>>());
        }
        Val::Bool(match name {
            "is_fp8" => test(ScalarType::is_fp8),
            "is_fp8e4nv" => is(F8E4M3),
            "is_fp8e5" => is(F8E5M2),
            "is_fp8e4b15" => is(F8E4B15),
            "is_fp8e4b8" => is(F8E4M3B8),
            "is_fp8e5b16" => is(F8E5M2B16),
            "is_fp16" => is(F16),
            "is_bf16" => is(BF16),
            "is_fp32" => is(F32),
            "is_fp64" => is(F64),
            "is_int1" | "is_bool" => is(I1),
            "is_int8" => is(I8),
            "is_int16" => is(I16),
            "is_int32" => is(I32),
            "is_int64" => is(I64),
            "is_uint8" => is(U8),
            "is_uint16" => is(U16),
            "is_uint32" => is(U32),
            "is_uint64" => is(U64),
            "is_floating" => test(ScalarType::is_float),
            "is_standard_floating" => test(|s| s.is_float() && !s.is_fp8()),
            "is_int_signed" => test(ScalarType::is_signed_int),
            "is_int_unsigned" => test(|s| s.is_unsigned_int() || s == I1),
            "is_int" => test(ScalarType::is_int),
            "is_ptr" => !ty.is_tensor() && ty.pointee().is_some(),
            "is_block" => ty.is_tensor(),
            "is_const" => matches!(ty.element, Element::Pointer { constant: true, .. }),
            "is_dtype" => true,
            _ => false,
        })
    }
}

fn mantissa_bits(scalar: Option<ScalarType>) -> u32 {
    match scalar {
        Some(ScalarType::F64) => 52,
        Some(ScalarType::F32) => 23,
        Some(ScalarType::F16) => 10,
        Some(ScalarType::BF16) => 7,
        Some(ScalarType::F8E4M3 | ScalarType::F8E4M3B8 | ScalarType::F8E4B15) => 3,
        Some(ScalarType::F8E5M2 | ScalarType::F8E5M2B16) => 2,
        _ => 0,
    }
}
