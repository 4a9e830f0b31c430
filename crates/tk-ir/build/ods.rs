//! The operations and enum attributes that the records of ODS describe.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that is generated.
pub(crate) struct Ods {
    /// Operations, by dialect and then by name.
    pub operations: Vec<Operation>,
    /// Enum attributes of the operations with views, by name.
    pub enums: BTreeMap<String, Enum>,
}

/// An operation.
pub(crate) struct Operation {
    /// Its dialect, such as `tt`.
    pub dialect: String,
    /// Its full name, such as `tt.load`.
    pub name: String,
    /// Its class in C++ without `Op`, such as `Load`.
    pub class: String,
    /// What it is.
    pub summary: String,
    /// It has a view.
    pub has_view: bool,
    /// Its operands.
    pub operands: Vec<Part>,
    /// How operands of no fixed number are told apart.
    pub segments: Segments,
    /// Its results.
    pub results: Vec<Part>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The names of its regions, unless their number is not fixed.
    pub regions: Vec<String>,
}

/// How operands of no fixed number are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segments {
    /// There is one such operand at most, so the others say where it is.
    One,
    /// All such operands are equally many.
    Same,
    /// The attribute `operandSegmentSizes`.
    Attribute,
}

/// Operands or results of one name.
pub(crate) struct Part {
    /// The name.
    pub name: String,
    /// What it is.
    pub summary: String,
    /// How many.
    pub count: Count,
}

/// How many operands or results have a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// One.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// An attribute of an operation.
pub(crate) struct Attribute {
    /// The name.
    pub name: String,
    /// What it is.
    pub summary: String,
    /// What it holds.
    pub form: Form,
    /// Whether it can be missing.
    pub presence: Presence,
}

/// What an attribute holds.
pub(crate) enum Form {
    /// Nothing: its presence is its value.
    Unit,
    /// A truth value.
    Bool,
    /// An integer.
    Integer,
    /// A number that is not negative.
    Index,
    /// Text or the name of a symbol.
    Text,
    /// Integers.
    Integers,
    /// A case of an enum attribute.
    Enum(String),
    /// A type.
    Type,
    /// Something else.
    Other,
}

/// Whether an attribute can be missing.
pub(crate) enum Presence {
    /// It is always there.
    Required,
    /// It may be missing.
    Optional,
    /// This stands for one that is missing, as C++ writes it.
    Default(String),
}

/// An enum attribute.
pub(crate) struct Enum {
    /// What it is.
    pub summary: String,
    /// Its cases.
    pub cases: Vec<Case>,
    /// The case that an attribute of this kind stands for when it is missing.
    pub default: Option<String>,
}

/// A case of an enum attribute.
pub(crate) struct Case {
    /// Its name in Rust.
    pub name: String,
    /// The number it is stored as.
    pub number: i64,
    /// The word in the IR's text.
    pub word: String,
    /// What it means.
    pub summary: String,
}

/// The records, as `llvm-tblgen --dump-json` writes them.
struct Records(Value);

impl Ods {
    /// Reads the records; `Kinds` among them says which operations are wanted.
    pub(crate) fn read(path: &Path) -> Self {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        let records = Records(serde_json::from_str(&text).expect("llvm-tblgen writes JSON"));
        let wanted = records.record("Kinds");
        let (dialects, without) = (names(&wanted["dialects"]), names(&wanted["without"]));
        let (others, views) = (names(&wanted["others"]), names(&wanted["views"]));
        let mut ods = Self { operations: Vec::new(), enums: BTreeMap::new() };
        for id in strings(&records.0["!instanceof"]["Op"]) {
            let dialect = records.record(id)["opDialect"]["def"].as_str().unwrap_or_default();
            let all = dialects.contains(&dialect) && !without.contains(&id);
            if all || others.contains(&id) {
                let own = records.text(dialect, "cppNamespace").starts_with("::tk");
                let operation = records.operation(id, own || views.contains(&id), &mut ods.enums);
                ods.operations.push(operation);
            }
        }
        ods.operations.sort_by(|a, b| (&a.dialect, &a.name).cmp(&(&b.dialect, &b.name)));
        ods
    }
}

impl Records {
    fn record(&self, id: &str) -> &Value {
        &self.0[id]
    }

    fn text(&self, id: &str, field: &str) -> String {
        self.record(id)[field].as_str().unwrap_or_default().trim().to_string()
    }

    fn is_a(&self, id: &str, class: &str) -> bool {
        strings(&self.record(id)["!superclasses"]).contains(&class)
    }

    fn operation(&self, id: &str, has_view: bool, enums: &mut BTreeMap<String, Enum>) -> Operation {
        let record = self.record(id);
        let dialect = self.text(record["opDialect"]["def"].as_str().unwrap_or_default(), "name");
        let traits = names(&record["traits"]);
        let mut operation = Operation {
            name: format!("{dialect}.{}", self.text(id, "opName")),
            dialect,
            class: id
                .rsplit('_')
                .next()
                .and_then(|class| class.strip_suffix("Op"))
                .expect("classes end in `Op`")
                .into(),
            summary: self.text(id, "summary"),
            has_view,
            operands: Vec::new(),
            segments: match () {
                _ if traits.contains(&"AttrSizedOperandSegments") => Segments::Attribute,
                _ if traits.contains(&"SameVariadicOperandSize") => Segments::Same,
                _ => Segments::One,
            },
            results: self.members(&record["results"]).map(|(id, name)| self.part(id, name)).collect(),
            attributes: Vec::new(),
            regions: self.members(&record["regions"]).map(|(_, name)| name.to_string()).collect(),
        };
        if self.members(&record["regions"]).any(|(id, _)| self.is_a(id, "VariadicRegion")) {
            operation.regions.clear();
        }
        for (id, name) in self.members(&record["arguments"]) {
            if self.is_a(self.constraint(id), "TypeConstraint") {
                operation.operands.push(self.part(id, name));
            } else if has_view {
                operation.attributes.push(self.attribute(id, name, enums));
            }
        }
        operation
    }

    /// The arguments, results or regions of an operation: the record and the name of each.
    fn members<'r>(&self, list: &'r Value) -> impl Iterator<Item = (&'r str, &'r str)> {
        let members = list["args"].as_array().into_iter().flatten();
        members.map(|member| (member[0]["def"].as_str().unwrap_or_default(), member[1].as_str().unwrap_or_default()))
    }

    /// What a member has to be: `Arg<…>` wraps it.
    fn constraint<'r>(&'r self, id: &'r str) -> &'r str {
        if self.is_a(id, "OpVariable") { self.record(id)["constraint"]["def"].as_str().unwrap_or_default() } else { id }
    }

    /// What a member is: the text of its `Arg<…>`, or its name and what it has to be.
    fn summary(&self, id: &str, name: &str) -> String {
        match self.text(id, "summary") {
            text if self.is_a(id, "OpVariable") && !text.is_empty() => text,
            _ => format!("`{name}`: {}", self.text(self.constraint(id), "summary")),
        }
    }

    fn part(&self, id: &str, name: &str) -> Part {
        let constraint = self.constraint(id);
        let count = match () {
            _ if self.is_a(constraint, "Variadic") => Count::Variadic,
            _ if self.is_a(constraint, "Optional") => Count::Optional,
            _ => Count::One,
        };
        Part { name: name.to_string(), summary: self.summary(id, name), count }
    }

    fn attribute(&self, id: &str, name: &str, enums: &mut BTreeMap<String, Enum>) -> Attribute {
        let outer = self.constraint(id);
        let default = self.text(outer, "defaultValue");
        let presence = match () {
            _ if self.is_a(outer, "OptionalAttr") => Presence::Optional,
            _ if !default.is_empty() => Presence::Default(default.clone()),
            _ => Presence::Required,
        };
        let form = self.form(outer, enums);
        if let (Form::Enum(name), Presence::Default(default)) = (&form, &presence)
            && let Some(described) = enums.get_mut(name)
        {
            described.default = default.rsplit("::").next().map(str::to_string);
        }
        Attribute { name: name.to_string(), summary: self.summary(id, name), form, presence }
    }

    fn form(&self, id: &str, enums: &mut BTreeMap<String, Enum>) -> Form {
        if id == "TT_Index" {
            return Form::Index;
        }
        if self.is_a(id, "EnumAttrInfo") && !self.is_a(id, "BitEnumAttr") {
            let name = self.text(id, "className");
            let name = name.strip_suffix("Predicate").unwrap_or(&name).to_string();
            enums.entry(name.clone()).or_insert_with(|| self.enumeration(id));
            return Form::Enum(name);
        }
        if let Some(base) = self.record(id)["baseAttr"]["def"].as_str() {
            return self.form(base, enums);
        }
        match self.text(id, "storageType").rsplit("::").next() {
            Some("UnitAttr") => Form::Unit,
            Some("BoolAttr") => Form::Bool,
            Some("IntegerAttr") => Form::Integer,
            Some("StringAttr" | "FlatSymbolRefAttr") => Form::Text,
            Some("DenseI32ArrayAttr") => Form::Integers,
            Some("TypeAttr") => Form::Type,
            _ => Form::Other,
        }
    }

    fn enumeration(&self, id: &str) -> Enum {
        let own = self.text(id, "cppNamespace").starts_with("::tk");
        let cases = names(&self.record(id)["enumerants"]).into_iter().map(|case| {
            let (symbol, word) = (self.text(case, "symbol"), self.text(case, "str"));
            let summary = self.text(case, "description");
            Case {
                name: if own { symbol } else { camel_case(&symbol) },
                number: self.record(case)["value"].as_i64().unwrap_or_default(),
                summary: if summary.is_empty() { format!("`{word}`") } else { summary },
                word,
            }
        });
        Enum { summary: self.text(id, "summary"), cases: cases.collect(), default: None }
    }
}

/// The strings of a list.
fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The names of the records in a list.
fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|record| record["def"].as_str()).collect()
}

/// `eq` and `OEQ` as `Eq` and `Oeq`; words of capitals and small letters stay.
fn camel_case(symbol: &str) -> String {
    let rest = symbol.get(1..).unwrap_or_default();
    let shouted = symbol.chars().all(|c| !c.is_lowercase());
    symbol[..1].to_uppercase() + &if shouted { rest.to_lowercase() } else { rest.to_string() }
}

/// A name of ODS in Rust: `maxNumImpreciseAcc` as `max_num_imprecise_acc`, `fromCTA` as `from_cta`.
pub(crate) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let after_small = at > 0 && (chars[at - 1].is_lowercase() || chars[at - 1].is_ascii_digit());
        let word_begins =
            at > 0 && chars[at - 1].is_uppercase() && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_small || word_begins) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The name of an operation's kind: `tt.load` is `TtLoad`.
pub(crate) fn kind_name(operation: &Operation) -> String {
    operation.dialect[..1].to_uppercase() + &operation.dialect[1..] + &operation.class
}

/// A sentence for a documentation comment, as a string of Rust.
pub(crate) fn doc(sentence: &str) -> String {
    let mut text = sentence.trim().trim_end_matches('.').to_string();
    for special in ['<', '>', '[', ']'] {
        text = text.replace(special, &format!("\\{special}"));
    }
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("#[doc = {:?}]", format!("{first}{}.", letters.as_str()))
}
