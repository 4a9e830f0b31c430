//! Names of functions whose calls are kept for readers: as Triton names them, by the types and constants that they are called with.

use crate::check::Checker;
use crate::checked::{Element, Type};
use crate::outline::Callee;
use crate::value::{RecordClass, Spanned, Val};
use tk_grammar::ast::{FunctionDef, StmtKind};
use tk_types::ScalarType;

impl<'a> Checker<'a> {
    /// `module.function__types__`.
    pub(crate) fn mangled(&self, callee: &Callee<'a>, bound: &[(&'a str, Spanned<'a>)]) -> String {
        let path = match &callee.closure {
            Some(closure) => format!("{}.<locals>.{}", self.path_of(closure.outer), callee.function.name.text),
            None => self.path_of(callee.function),
        };
        let args: Vec<String> = bound.iter().map(|(_, arg)| self.mangled_part(&arg.val)).collect();
        format!("{path}__{}__", args.join("_"))
    }

    /// How the program names a function: with its module and its class, where it knows them.
    fn path_of(&self, function: &FunctionDef) -> String {
        let name = &function.name.text;
        let part = self.cx.file.part_index(function.span.start);
        let Some(path) = self.environment(part).and_then(|known| known.path.as_deref()) else { return name.clone() };
        match self.module.imports.parts.get(part).and_then(|part| part.body.first()).map(|stmt| &stmt.kind) {
            Some(StmtKind::FunctionDef(own)) if std::ptr::eq(own, function) => path.to_string(),
            _ => format!("{path}.{name}"),
        }
    }

    fn mangled_part(&self, val: &Val<'a>) -> String {
        match val {
            Val::Value(value) => mangled_type(self.cx.builder.ty(*value)),
            Val::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.mangled_part(item)).collect();
                format!("T{}T", items.join("_"))
            }
            Val::Record(record) => {
                let fields = record.parts.iter().map(|part| match part.is_constant() {
                    true => format!("constexpr_type[{}]", self.cx.python_str(part)),
                    false => self.mangled_part(part),
                });
                format!("{}<{}>", self.path_of_class(&record.class), fields.collect::<Vec<_>>().join(", "))
            }
            Val::Function(function) => mangled_function(&self.path_of(function)),
            Val::Closure(closure) => mangled_function(&closure.function.name.text),
            constant => format!("cconstexpr_{}_", self.cx.python_str(constant).replace(['[', ']'], "_")),
        }
    }

    fn path_of_class(&self, class: &RecordClass<'a>) -> String {
        let part = class.body.map(|body| self.cx.file.part_index(body.name.span.start));
        let path = part.and_then(|part| self.environment(part)).and_then(|known| known.path.clone());
        path.unwrap_or_else(|| class.name.to_string())
    }
}

/// `JITFunction(module:function)`.
fn mangled_function(path: &str) -> String {
    match path.split_once('.') {
        Some((module, name)) => format!("cJITFunction({module}:{name})"),
        None => format!("cJITFunction({path})"),
    }
}

fn mangled_type(ty: &Type) -> String {
    let element = mangled_element(&ty.element);
    if ty.shape.is_empty() {
        return element;
    }
    let shape: Vec<String> = ty.shape.iter().map(ToString::to_string).collect();
    format!("{element}S{}S", shape.join("_"))
}

fn mangled_element(element: &Element) -> String {
    match element {
        Element::Scalar(ScalarType::I1) => "u1".to_string(),
        Element::Scalar(scalar) => scalar.to_string(),
        Element::Pointer { pointee, .. } => format!("P{}", mangled_element(pointee)),
        Element::Descriptor { element, block } => {
            let block: Vec<String> = block.iter().map(ToString::to_string).collect();
            format!("TD{element}S{}S", block.join("_"))
        }
    }
}
