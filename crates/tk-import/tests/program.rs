//! Functions of a running program: here one whose objects are a table of texts and constants.

use std::collections::BTreeMap;
use tk_grammar::ast::StmtKind;
use tk_grammar::environment::{Meaning, Object, Role};
use tk_import::{Excerpt, Linked, Passed, PassedObject, Program, Referent, link_program};
use tk_types::ConstValue;

/// Objects by name; `a.b` is the attribute `b` of `a`, and what a function sees under a name is `function/name` or `name`.
struct Table {
    texts: BTreeMap<&'static str, (&'static str, u32)>,
    constants: BTreeMap<&'static str, i128>,
    /// What was asked for, in order.
    asked: Vec<String>,
}

impl Table {
    fn new(texts: &[(&'static str, &'static str, u32)], constants: &[(&'static str, i128)]) -> Self {
        let texts = texts.iter().map(|(name, text, line)| (*name, (*text, *line))).collect();
        Self { texts, constants: constants.iter().copied().collect(), asked: Vec::new() }
    }

    fn text(&self, name: &str) -> Option<(Excerpt, String)> {
        let at = self.texts.keys().position(|known| *known == name)?;
        let (text, first_line) = self.texts[name];
        let role = (!text.trim_start().starts_with("class")).then_some(Role::Jit);
        let (identity, file) = (at as u64, "m.py".into());
        let excerpt = Excerpt { identity, file, first_line, text: text.into(), role, path: None, must_use: None };
        Some((excerpt, name.to_string()))
    }

    fn find(&mut self, path: String) -> Option<Referent<String>> {
        self.asked.push(path.clone());
        if let Some((excerpt, owner)) = self.text(&path) {
            return Some(Referent::Text(excerpt, owner));
        }
        if let Some(value) = self.constants.get(path.as_str()) {
            return Some(Referent::Constant(ConstValue::Int(*value)));
        }
        match path.as_str() {
            "tl" => Some(Referent::Known("triton.language".into())),
            "tensor" => Some(Referent::Opaque("a tensor".into())),
            _ if path.starts_with("module") => Some(Referent::Object(path, "a module".into())),
            _ => None,
        }
    }

    fn link(&mut self, kernel: &str) -> Linked {
        let kernel = self.text(kernel).expect("the kernel is in the table");
        link_program(self, kernel, Passed::default()).expect("the kernel can be read")
    }
}

impl Program for Table {
    type Object = String;

    fn name(&mut self, owner: &String, name: &str) -> Option<Referent<String>> {
        self.find(format!("{owner}/{name}")).or_else(|| self.find(name.to_string()))
    }

    fn attribute(&mut self, object: &String, name: &str) -> Option<Referent<String>> {
        self.find(format!("{object}.{name}"))
    }

    fn is_equal(&mut self, one: &String, other: &String) -> bool {
        one == other
    }
}

fn meaning<'l>(linked: &'l Linked, part: usize, name: &str) -> Option<&'l Meaning> {
    linked.module.imports.parts[part].environment.as_ref()?.names.get(name)
}

#[test]
fn names_are_followed_from_function_to_function() {
    let texts = [
        ("kernel", "def kernel(x):\n    return tl.exp(helper(x) + module.inner.N + tensor)\n", 10),
        ("helper", "    def helper(x):\n        return other(x) * N\n", 3),
        ("other", "def other(x):\n    return helper\n", 30),
        ("unused", "def unused(): pass\n", 40),
    ];
    let mut table = Table::new(&texts, &[("module.inner.N", 4), ("helper/N", 5), ("N", 6)]);
    let linked = table.link("kernel");
    assert_eq!(linked.module.imports.parts.len(), 3);
    assert!(matches!(meaning(&linked, 0, "tl"), Some(Meaning::Known(path)) if path == "triton.language"));
    assert!(matches!(meaning(&linked, 0, "helper"), Some(Meaning::Part(1))));
    assert!(matches!(meaning(&linked, 0, "tensor"), Some(Meaning::Opaque(_))));
    assert!(meaning(&linked, 0, "N").is_none());
    assert!(matches!(meaning(&linked, 1, "N"), Some(Meaning::Constant(ConstValue::Int(5)))));
    assert!(matches!(meaning(&linked, 2, "helper"), Some(Meaning::Part(1))), "a circle ends at the part that is there");
    let Some(Meaning::Object(module)) = meaning(&linked, 0, "module") else { panic!("a module has attributes") };
    let Some(Meaning::Object(inner)) = module.attributes.get("inner") else { panic!("so has the one in it") };
    assert_ne!(module.number, inner.number, "they are two");
    assert!(matches!(inner.attributes.get("N"), Some(Meaning::Constant(ConstValue::Int(4)))));
    assert!(!table.asked.iter().any(|path| path.contains("tl.exp")), "what tk knows itself is not asked for");
}

#[test]
fn functions_keep_their_lines_and_their_roles() {
    let linked =
        Table::new(&[("kernel", "    @decorated(1)\n    def kernel(x):\n        return x\n", 7)], &[]).link("kernel");
    let Some(StmtKind::FunctionDef(function)) = linked.module.body.first().map(|stmt| &stmt.kind) else {
        panic!("an excerpt is one function")
    };
    assert!(function.is_jit() && !function.is_noinline());
    assert_eq!(linked.module.file.place(function.name.span.start), "m.py:8:9");
    assert_eq!(linked.module.file.line_text(9), "        return x");
}

#[test]
fn text_that_cannot_be_read_is_told_where_it_stands() {
    let mut table = Table::new(
        &[("kernel", "def kernel(x):\n    return x +\n", 5), ("caller", "def caller(x): return kernel(x)\n", 1)],
        &[],
    );
    let kernel = table.text("kernel").unwrap();
    let faults = link_program(&mut table, kernel, Passed::default()).unwrap_err();
    assert!(tk_diag::render(&faults[0], tk_diag::Style::Plain).contains("m.py:6:"));
    let linked = table.link("caller");
    assert_eq!(linked.module.imports.parts[1].faults.len(), 1, "a function that is not called does no harm");
}

#[test]
fn passed_functions_are_parts() {
    let mut table = Table::new(&[("kernel", "def kernel(f): return f(1)\n", 1), ("f", "def f(x): return x\n", 9)], &[]);
    let (kernel, passed) = (table.text("kernel").unwrap(), table.text("f").unwrap());
    let identity = passed.0.identity;
    let linked = link_program(&mut table, kernel, Passed { functions: vec![passed], objects: Vec::new() }).unwrap();
    assert_eq!(linked.parts.get(&identity), Some(&1));
}

#[test]
fn passed_objects_have_what_some_text_asks() {
    let texts = [
        ("kernel", "def kernel(mode):\n    return helper(mode) + chosen(mode).N\n", 1),
        ("helper", "def helper(mode):\n    return mode.inner.scale(mode.value.M)\n", 9),
        ("module.inner.scale", "def scale(x):\n    return other.deep\n", 30),
    ];
    let numbers = [("module.N", 4), ("module.M", 5), ("module.unused", 6), ("module.inner.deep", 7)];
    let mut table = Table::new(&texts, &numbers);
    let kernel = table.text("kernel").unwrap();
    let one =
        |name: &str| PassedObject { name: name.into(), object: "module".to_string(), description: "a mode".into() };
    let passed = Passed { functions: Vec::new(), objects: vec![one("object 0"), one("object 1")] };
    let linked = link_program(&mut table, kernel, passed).unwrap();
    let object = |name| match meaning(&linked, 0, name) {
        Some(Meaning::Object(object)) => object,
        other => panic!("{other:?}"),
    };
    let (first, second) = (object("object 0"), object("object 1"));
    assert_eq!((first.number, first.description.as_str()), (second.number, "a mode"), "they are equal");
    let number = |object: &Object, name: &str| match object.attributes.get(name) {
        Some(Meaning::Constant(ConstValue::Int(value))) => Some(*value),
        _ => None,
    };
    assert_eq!(number(first, "N"), Some(4), "asked of the result of a call");
    assert_eq!(number(first, "unused"), None, "nobody asks");
    let Some(Meaning::Object(value)) = first.attributes.get("value") else { panic!("a constant has its value") };
    assert_eq!((value.number, number(value, "M")), (first.number, Some(5)));
    let Some(Meaning::Object(inner)) = first.attributes.get("inner") else { panic!("an object has objects") };
    assert!(matches!(inner.attributes.get("scale"), Some(Meaning::Part(2))), "a function of an object is a part");
    assert_eq!(number(inner, "deep"), Some(7), "what the text of that part asks");
}
