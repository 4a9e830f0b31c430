//! What annotations say, for everyone who reads them: which parameters and variables are constants at compile time.

use crate::ast::{Expr, ExprKind, Module, Param, Stmt};
use crate::bindings::{Bound, each_binding};
use crate::environment::Meaning;
use crate::lines::parse_field;
use crate::tree::Context;

/// The class of constants at compile time in `triton.language`.
const CONSTEXPR: &str = "constexpr";

/// Names of names that are followed, at most.
const MAX_ALIASES: u32 = 8;

impl Module {
    /// Whether an annotation of one of the module's files makes a constant at compile time: `tl.constexpr` and `constexpr` under any path
    /// to the module, a name that an import or an assignment of the file gives it, each also with an index behind it (`tl.constexpr[int]`)
    /// or between quotes.
    pub fn is_constexpr(&self, annotation: &Expr) -> bool {
        let part = self.file.part_index(annotation.span.start);
        let body = self.imports.parts.get(part).map_or(&self.body, |part| &part.body);
        self.names_constexpr(annotation, body, MAX_ALIASES)
    }

    /// Whether a parameter is annotated as a constant at compile time.
    pub fn is_constexpr_param(&self, param: &Param) -> bool {
        param.annotation.as_ref().is_some_and(|annotation| self.is_constexpr(annotation))
    }

    fn names_constexpr(&self, annotation: &Expr, body: &[Stmt], aliases: u32) -> bool {
        match &annotation.kind {
            ExprKind::Str(text) => {
                let cx = Context { file: &self.file, fstring_depth: 0 };
                let quoted = parse_field(&cx, text, annotation.span.start as usize).map(|node| node.expr);
                // A string in a string is no type.
                quoted.is_ok_and(|inner| {
                    !matches!(inner.kind, ExprKind::Str(_)) && self.names_constexpr(&inner, body, aliases)
                })
            }
            ExprKind::Subscript { value, .. } => self.names_constexpr(value, body, aliases),
            ExprKind::Attribute { name, .. } => name.text == CONSTEXPR && annotation.dotted_name().is_some(),
            ExprKind::Name(name) => {
                name == CONSTEXPR || self.is_alias(name, body, aliases) || self.is_known_as_constexpr(name, annotation)
            }
            _ => false,
        }
    }

    /// Whether the program that the text belongs to says that a name is `constexpr`.
    fn is_known_as_constexpr(&self, name: &str, annotation: &Expr) -> bool {
        let part = self.imports.parts.get(self.file.part_index(annotation.span.start));
        let environment = part.and_then(|part| part.environment.as_ref());
        let meaning = environment.and_then(|environment| environment.names.get(name));
        matches!(meaning, Some(Meaning::Known(path)) if path.rsplit('.').next() == Some(CONSTEXPR))
    }

    /// Whether the last meaning that the file gives a name is `constexpr`.
    fn is_alias(&self, name: &str, body: &[Stmt], aliases: u32) -> bool {
        let Some(aliases) = aliases.checked_sub(1) else { return false };
        let mut meaning = None;
        each_binding(body, &mut |binding| {
            if binding.name == name && (binding.wins || meaning.is_none()) {
                meaning = Some(binding.bound);
            }
        });
        match meaning {
            Some(Bound::Member(_, alias)) => alias.name == CONSTEXPR,
            Some(Bound::Value(value, None)) => {
                !matches!(value.kind, ExprKind::Str(_)) && self.names_constexpr(value, body, aliases)
            }
            Some(
                Bound::Value(_, Some(_)) | Bound::Function(_) | Bound::Class(_) | Bound::Module(_) | Bound::Star(..),
            )
            | None => false,
        }
    }
}
