//! `views.rs`: for each operation, a view that names its operands, results, attributes and regions.

use crate::ods::{Attribute, Count, Form, Ods, Operation, Part, Presence, Segments, doc, kind_name, snake_case};
use std::fmt::Write;

/// Attributes that `ops/memory.rs` and `ops/function.rs` read: two of them say one thing, and parameters have one dictionary each.
const READ_BY_HAND: [&str; 4] = ["cache", "evict", "cachePolicy", "arg_attrs"];

/// The text of the generated file: a module for each dialect.
pub(crate) fn text(ods: &Ods) -> String {
    let mut out = String::new();
    let with_views: Vec<&Operation> = ods.operations.iter().filter(|operation| operation.has_view).collect();
    for of_dialect in with_views.chunk_by(|a, b| a.dialect == b.dialect) {
        let views: String = of_dialect.iter().map(|operation| view(operation)).collect();
        let dialect = &of_dialect[0].dialect;
        let _ = writeln!(
            out,
            "/// Views of the operations of `{dialect}`.\npub mod {dialect} {{\n\
             #[allow(unused_imports, reason = \"not every dialect has them all\")]\n\
             use crate::{{Attribute, Op, OpKind, Region, Type, Value, ops}};\n{views}}}"
        );
    }
    out
}

fn view(operation: &Operation) -> String {
    let (kind, class) = (kind_name(operation), &operation.class);
    let mut parts = String::new();
    for at in 0..operation.operands.len() {
        parts += &operand(operation, at);
    }
    for at in 0..operation.results.len() {
        parts += &result(&operation.results, at);
    }
    for attribute in operation.attributes.iter().filter(|attribute| !READ_BY_HAND.contains(&attribute.name.as_str())) {
        parts += &accessor_of(attribute);
    }
    for (at, region) in operation.regions.iter().enumerate() {
        let name = snake_case(region);
        let name = if name.ends_with("region") { name } else { name + "_region" };
        parts += &function("Its region of this name", &name, "Region<'c>", &format!("self.op.region({at})"));
    }
    format!(
        "{}
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct {class}Op<'c> {{
            /// The operation itself.
            pub op: Op<'c>,
        }}

        impl<'c> {class}Op<'c> {{
            /// The view, when the operation is of this kind.
            pub fn cast(op: Op<'c>) -> Option<Self> {{
                (op.kind() == OpKind::{kind}).then_some(Self {{ op }})
            }}
            {parts}
        }}
        ",
        doc(&format!("`{}`: {}", operation.name, operation.summary))
    )
}

fn function(summary: &str, name: &str, ty: &str, body: &str) -> String {
    format!("{}\npub fn {name}(self) -> {ty} {{ {body} }}\n", doc(summary))
}

/// The accessor of operands. Those of no fixed number are where their segment is, or what the others leave.
fn operand(operation: &Operation, at: usize) -> String {
    let parts = &operation.operands;
    let part = &parts[at];
    let many = |part: &&Part| part.count != Count::One;
    let (before, all) = (parts[..at].iter().filter(many).count(), parts.iter().filter(many).count());
    let after = parts.len() - at - 1;
    let body = match (part.count, operation.segments) {
        (Count::One, _) if before == 0 => format!("self.op.operand({at})"),
        (Count::One, Segments::Attribute) => format!("self.op.segment({at})[0]"),
        (Count::One, Segments::One) => format!("self.op.operand(self.op.num_operands() - {})", after + 1),
        (Count::Optional, Segments::Attribute) => format!("self.op.segment({at}).first().copied()"),
        (Count::Variadic, Segments::Attribute) => format!("self.op.segment({at})"),
        (Count::Optional, Segments::One) => {
            format!("(self.op.num_operands() > {}).then(|| self.op.operand({at}))", parts.len() - 1)
        }
        (Count::Variadic, Segments::One) => format!("ops::operands_between(self.op, {at}, {after})"),
        (_, Segments::Same) => {
            let fixed = parts.len() - all;
            let start = match (at - before, before) {
                (single, 0) => format!("{single}"),
                (single, 1) => format!("{single} + each"),
                (single, _) => format!("{single} + each * {before}"),
            };
            format!(
                "let each = (self.op.num_operands() - {fixed}) / {all};
                let start = {start};
                (start..start + each).map(|index| self.op.operand(index)).collect()"
            )
        }
    };
    function(&part.summary, &snake_case(&part.name), value_type(part.count), &body)
}

fn value_type(count: Count) -> &'static str {
    match count {
        Count::One => "Value<'c>",
        Count::Optional => "Option<Value<'c>>",
        Count::Variadic => "Vec<Value<'c>>",
    }
}

/// The accessor of results, of which only the last are of no fixed number.
fn result(parts: &[Part], at: usize) -> String {
    let part = &parts[at];
    if part.name.is_empty() {
        return String::new();
    }
    let fixed = parts[..at].iter().all(|part| part.count == Count::One);
    assert!(fixed, "results after `{}`", part.name);
    let body = match part.count {
        Count::One => format!("self.op.result({at})"),
        Count::Optional => format!("(self.op.num_results() > {at}).then(|| self.op.result({at}))"),
        Count::Variadic => format!("self.op.results().split_off({at})"),
    };
    function(&part.summary, &snake_case(&part.name), value_type(part.count), &body)
}

fn accessor_of(attribute: &Attribute) -> String {
    let name = &attribute.name;
    let number = format!("self.op.int_attr({name:?})");
    let (ty, optional): (String, String) = match &attribute.form {
        Form::Unit => {
            let body = format!("self.op.attr({name:?}).is_some()");
            return function(&attribute.summary, &snake_case(name), "bool", &body);
        }
        Form::Bool => ("bool".into(), format!("{number}.map(|flag| flag != 0)")),
        Form::Integer => ("i64".into(), number),
        Form::Index => ("usize".into(), format!("{number}.map(|number| number as usize)")),
        Form::Text => ("&'c str".into(), format!("self.op.str_attr({name:?})")),
        Form::Integers => ("Vec<i64>".into(), format!("self.op.attr({name:?}).and_then(Attribute::as_ints)")),
        Form::Enum(name) => (format!("ops::{name}"), format!("{number}.and_then(ops::{name}::from_number)")),
        Form::Type => ("Type<'c>".into(), format!("self.op.attr({name:?}).and_then(Attribute::as_type)")),
        Form::Other => ("Attribute<'c>".into(), format!("self.op.attr({name:?})")),
    };
    let (ty, body) = match (&attribute.presence, &attribute.form) {
        (Presence::Optional, _) | (Presence::Default(_), Form::Other | Form::Type) => {
            (format!("Option<{ty}>"), optional)
        }
        (Presence::Required, _) => (ty, format!("ops::required(self.op, {name:?}, {optional})")),
        (Presence::Default(_), Form::Enum(_)) => (ty, format!("{optional}.unwrap_or_default()")),
        (Presence::Default(default), _) => (ty, format!("{optional}.unwrap_or({default})")),
    };
    function(&attribute.summary, &snake_case(name), &ty, &body)
}
