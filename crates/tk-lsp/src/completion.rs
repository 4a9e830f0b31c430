//! What can stand at a place of a kernel, with what is written of it; and what a call takes.

use crate::cursor::{Chain, Inside, Open, Scan};
use crate::docs;
use crate::resolve::{Target, View};
use crate::tree::{self, Binder, Name};
use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel,
    Position, SignatureHelp, SignatureInformation,
};
use rustc_hash::FxHashSet;
use tk_check::{Function, Library, Member, functions, members_of_tensors, values_of_language};
use tk_grammar::ast::{FunctionDef, ParamKind};

/// Words of Python that kernels use.
const KEYWORDS: [&str; 18] = [
    "and", "assert", "break", "continue", "elif", "else", "for", "if", "in", "is", "not", "or", "pass", "return",
    "while", "None", "True", "False",
];

/// Items of one answer.
const MAX_ITEMS: usize = 5000;

/// The libraries that a library has.
const LIBRARIES: [&str; 5] = ["math", "extra", "libdevice", "cuda", "target_info"];

/// What can stand at a position; nothing outside of kernels.
pub(crate) fn completion(view: &View<'_>, position: Position) -> Vec<CompletionItem> {
    let offset = view.text.offset(position);
    let Some(function) = view.kernel_at(offset) else { return Vec::new() };
    let scan = Scan::of(view.text.text(), function.span.start as usize, offset);
    let Some(chain) = Chain::before(view.text.text(), offset).filter(|_| scan.inside == Inside::Code) else {
        return Vec::new();
    };
    if !chain.is_plain() {
        return members(view, &chain, function);
    }
    let mut items = Items::default();
    items.add(scan.open.last().map(|open| keywords(view, open, function)).unwrap_or_default());
    let locals = tree::locals(function).into_iter();
    items.add(locals.map(|name| item(name.text, CompletionItemKind::VARIABLE, type_of(view, name))));
    items.add(tree::globals(&view.tree.body).into_iter().map(|name| global_item(view, name)));
    items.add(functions(Library::Python).iter().map(|function| function_item(Library::Python, function)));
    items.add(KEYWORDS.map(|word| item(word, CompletionItemKind::KEYWORD, None)));
    items.items
}

/// What stands behind a dot.
fn members<'d>(view: &View<'d>, chain: &Chain<'_>, function: &'d FunctionDef) -> Vec<CompletionItem> {
    let is_local = |head: &str| tree::locals(function).iter().any(|name| name.text == head);
    let qualifier = chain.qualifier();
    let is_expression = chain.has_receiver || qualifier.first().is_some_and(|head| is_local(head));
    if let Some(library) = view.library(qualifier).filter(|_| !is_expression) {
        return members_of_library(library);
    }
    let names = if is_expression { Vec::new() } else { view.names_of_module(qualifier) };
    let mut items = Items::default();
    if !names.is_empty() {
        items.add(names.into_iter().map(|name| global_item(view, name)));
        return items.items;
    }
    let methods = functions(Library::Language).into_iter().filter(|function| function.is_method);
    items.add(methods.map(|method| function_item(Library::Language, &method)));
    items.add(members_of_tensors().into_iter().map(|member| value_item(member, CompletionItemKind::PROPERTY)));
    items.items
}

fn members_of_library(library: Library) -> Vec<CompletionItem> {
    let mut items = Items::default();
    items.add(functions(library).iter().map(|one| function_item(library, one)));
    if library == Library::Language {
        let values = values_of_language().into_iter();
        items.add(values.map(|member| value_item(member, CompletionItemKind::CLASS)));
    }
    let inner = LIBRARIES.into_iter().filter(|name| library.member(name).is_some());
    items.add(inner.map(|name| item(name, CompletionItemKind::MODULE, None)));
    items.items
}

/// The parameters of the call that a place is in, as `name=`.
fn keywords(view: &View<'_>, open: &Open, function: &FunctionDef) -> Vec<CompletionItem> {
    let Some(callee) = Callee::of(view, open, function) else { return Vec::new() };
    let names = callee.parameters.iter().filter(|parameter| parameter.has_name);
    names
        .map(|parameter| CompletionItem {
            insert_text: Some(format!("{}=", parameter.name)),
            sort_text: Some(format!("0{}", parameter.name)),
            ..item(&format!("{}=", parameter.name), CompletionItemKind::FIELD, Some(callee.label.clone()))
        })
        .collect()
}

/// What a place in a call is told: the signature and the parameter that the place is at.
pub(crate) fn signature_help(view: &View<'_>, position: Position) -> Option<SignatureHelp> {
    let offset = view.text.offset(position);
    let function = view.kernel_at(offset)?;
    let scan = Scan::of(view.text.text(), function.span.start as usize, offset);
    let open = scan.open.last().filter(|_| scan.inside != Inside::Comment)?;
    let callee = Callee::of(view, open, function)?;
    let begun = view.text.text().get(*open.arguments.last()?..offset)?;
    let by_name = begun.split_once('=').map(|(name, _)| name.trim());
    let named = by_name.and_then(|name| callee.parameters.iter().position(|parameter| parameter.name == name));
    let last = callee.parameters.len().saturating_sub(1);
    let by_place = (open.arguments.len() - 1 + usize::from(callee.is_method)).min(last);
    let parameters = callee.parameters.iter().map(|parameter| ParameterInformation {
        label: ParameterLabel::Simple(parameter.text.clone()),
        documentation: None,
    });
    let information = SignatureInformation {
        label: callee.label,
        documentation: callee.documentation.map(markdown),
        parameters: Some(parameters.collect()),
        active_parameter: Some(named.unwrap_or(by_place) as u32),
    };
    Some(SignatureHelp { signatures: vec![information], active_signature: Some(0), active_parameter: None })
}

/// A function that is being called.
struct Callee {
    label: String,
    documentation: Option<String>,
    parameters: Vec<Parameter>,
    /// Whether its first parameter stands before the dot.
    is_method: bool,
}

struct Parameter {
    name: String,
    text: String,
    /// Whether an argument can have its name.
    has_name: bool,
}

impl Callee {
    fn of(view: &View<'_>, open: &Open, function: &FunctionDef) -> Option<Self> {
        let text = view.text.text();
        let chain = Chain::before(text, open.at).filter(|chain| open.is_round && !chain.last().is_empty())?;
        // The function may be gone from the tree with the line that is being written, but the tree is what the names live in.
        let function = view.kernel_at(function.span.start as usize)?;
        Some(match view.resolve(&chain, Some(function))? {
            Target::Function(library, found) => Self::known(library, &found, false),
            Target::Method(method) => Self::known(Library::Language, &method, true),
            Target::Here(Name { binder: Binder::Function(found), .. }) => Self::written(view.tree, found),
            Target::Elsewhere(elsewhere) => Self::written(elsewhere.module, elsewhere.function?),
            Target::Here(_) | Target::Library(_) | Target::Value(_) | Target::TensorMember(_) => return None,
        })
    }

    fn known(library: Library, function: &Function, is_method: bool) -> Self {
        let parameters = function.parameters.iter().map(|parameter| Parameter {
            name: parameter.name.to_string(),
            text: docs::parameter(parameter),
            has_name: !parameter.takes_rest,
        });
        let documentation = Some(docs::documentation(library, function));
        Self { label: docs::signature(library, function), documentation, parameters: parameters.collect(), is_method }
    }

    fn written(module: &tk_grammar::ast::Module, function: &FunctionDef) -> Self {
        let parameters = function.params.iter().map(|param| Parameter {
            name: param.name.text.clone(),
            text: tree::parameter(module, param),
            has_name: matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly),
        });
        Self {
            label: tree::signature(module, function),
            documentation: tree::docstring(function).map(str::to_string),
            parameters: parameters.collect(),
            is_method: false,
        }
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

/// What can stand at a place: each name once, and no more than an editor can use.
#[derive(Default)]
struct Items {
    items: Vec<CompletionItem>,
    labels: FxHashSet<String>,
}

impl Items {
    fn add(&mut self, new: impl IntoIterator<Item = CompletionItem>) {
        for item in new {
            if self.items.len() < MAX_ITEMS && self.labels.insert(item.label.clone()) {
                self.items.push(item);
            }
        }
    }
}

fn item(label: &str, kind: CompletionItemKind, detail: Option<String>) -> CompletionItem {
    CompletionItem { label: label.to_string(), kind: Some(kind), detail, ..CompletionItem::default() }
}

fn function_item(library: Library, function: &Function) -> CompletionItem {
    CompletionItem {
        documentation: Some(markdown(docs::documentation(library, function))),
        ..item(function.name, CompletionItemKind::FUNCTION, Some(docs::signature(library, function)))
    }
}

fn value_item(member: Member, kind: CompletionItemKind) -> CompletionItem {
    item(member.name, kind, Some(member.summary.to_string()))
}

fn global_item(view: &View<'_>, name: Name<'_>) -> CompletionItem {
    match name.binder {
        Binder::Function(function) => CompletionItem {
            documentation: tree::docstring(function).map(|text| markdown(text.to_string())),
            ..item(name.text, CompletionItemKind::FUNCTION, function.is_jit().then(|| "jit".to_string()))
        },
        Binder::Class(_) => item(name.text, CompletionItemKind::CLASS, None),
        Binder::Import(_) if view.library(&[name.text]).is_some() => item(name.text, CompletionItemKind::MODULE, None),
        Binder::Parameter | Binder::Variable | Binder::Import(_) => item(name.text, CompletionItemKind::VARIABLE, None),
    }
}

/// The type of a variable where it is bound.
fn type_of(view: &View<'_>, name: Name<'_>) -> Option<String> {
    let old = view.old_span(name.span)?;
    let fact = view.known?.analysis.fact(old)?;
    Some(fact.meanings.first()?.words.clone())
}
