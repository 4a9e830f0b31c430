//! What a place is: its type and shape under the launch that was looked at, what is written of a function, and what the compiler made of
//! an access.

use crate::analysis::Meaning;
use crate::cursor::{Chain, Inside, Scan};
use crate::docs;
use crate::explain::{Explained, Subject};
use crate::resolve::{Target, View};
use crate::tree::{self, Binder};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use tk_diag::Span;
use tk_grammar::ast::FunctionDef;
use tk_inspect::{Launch, Origin};

/// Characters of a docstring that are shown.
const MAX_DOCSTRING: usize = 2000;

/// What is shown at a position; nothing outside of kernels.
pub(crate) fn hover(view: &View<'_>, position: Position) -> Option<Hover> {
    let offset = view.text.offset(position);
    let function = view.kernel_at(offset)?;
    let chain = Chain::at(view.text.text(), offset)?;
    if Scan::of(view.text.text(), function.span.start as usize, offset).inside != Inside::Code {
        return None;
    }
    let mut parts = about(view, &chain, function);
    parts.extend(compiled(view, &chain, function));
    if parts.is_empty() {
        return None;
    }
    let value = parts.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(view.text.range(chain.last)) })
}

fn about<'d>(view: &View<'d>, chain: &Chain<'_>, function: &'d FunctionDef) -> Vec<String> {
    match view.resolve(chain, Some(function)) {
        Some(Target::Function(library, found)) => {
            let signature = code(&docs::signature(library, &found));
            let mut parts = vec![signature, docs::documentation(library, &found)];
            parts.extend(value_of_call(view, chain));
            parts
        }
        Some(Target::Method(method)) => {
            let library = tk_check::Library::Language;
            let signature = docs::signature(library, &method).replacen("tl.", ".", 1);
            let mut parts = vec![code(&signature), docs::documentation(library, &method)];
            parts.extend(value_of_call(view, chain));
            parts
        }
        Some(Target::Library(library)) => vec![format!("the module `{}`", library.name())],
        Some(Target::Value(member) | Target::TensorMember(member)) => {
            let words = format!("`{}`: {}", member.name, member.summary);
            std::iter::once(words).chain(value_here(view, chain)).collect()
        }
        Some(Target::Here(name)) => match name.binder {
            Binder::Function(defined) => of_function(&tree::signature(view.tree, defined), defined),
            Binder::Class(class) => vec![code(&format!("class {}", class.name.text))],
            Binder::Parameter | Binder::Variable | Binder::Import(_) => value_here(view, chain).into_iter().collect(),
        },
        Some(Target::Elsewhere(elsewhere)) => match elsewhere.function {
            Some(defined) => of_function(&tree::signature(elsewhere.module, defined), defined),
            None => value_here(view, chain).into_iter().collect(),
        },
        None => value_here(view, chain).into_iter().collect(),
    }
}

fn of_function(signature: &str, function: &FunctionDef) -> Vec<String> {
    let mut parts = vec![code(signature)];
    parts.extend(tree::docstring(function).map(|text| text.chars().take(MAX_DOCSTRING).collect()));
    parts
}

fn code(text: &str) -> String {
    format!("```python\n{text}\n```")
}

/// What the name under the cursor is, with its whole chain.
fn value_here(view: &View<'_>, chain: &Chain<'_>) -> Option<String> {
    let span = Span { start: chain.start, end: chain.last.end };
    let old = view.old_span(if chain.has_receiver { chain.last } else { span })?;
    let known = view.known?;
    let fact = known.analysis.fact(old)?;
    let name = view.text.text().get(span.start as usize..span.end as usize).unwrap_or_default();
    Some(values(name, &fact.meanings, &known.analysis.launches))
}

/// What the call gives whose function is under the cursor.
fn value_of_call(view: &View<'_>, chain: &Chain<'_>) -> Option<String> {
    let behind = view.text.text().get(chain.last.end as usize..)?.trim_start();
    if !behind.starts_with('(') || chain.has_receiver {
        return None;
    }
    let old = view.old_span(Span { start: chain.start, end: chain.last.end })?;
    let known = view.known?;
    let fact = known.analysis.fact_beyond(old.start, old.end)?;
    Some(values("here", &fact.meanings, &known.analysis.launches))
}

/// `name`: its types, and under which launch.
fn values(name: &str, meanings: &[Meaning], launches: &[Launch]) -> String {
    let mut text = String::new();
    for Meaning { words, launch } in meanings {
        text.push_str(&format!("**{name}**: `{words}`  \n"));
        if let Some(launch) = launches.get(*launch) {
            text.push_str(&format!("_{}_  \n", described(launch)));
        }
    }
    text.trim_end().to_string()
}

/// Under which launch something holds, in words.
fn described(launch: &Launch) -> String {
    let origin = match launch.origin {
        Origin::Said => "with the constants of a launch in the file:",
        Origin::PartlySaid => "with some constants of a launch in the file, the rest guessed:",
        Origin::Guessed => "guessed:",
    };
    let fails = if launch.checks { "" } else { ", which does not check" };
    format!("{origin} `{}`{fails}", launch.described())
}

/// What a hover asks the compiler about: a variable where it is bound, or a call.
struct Question {
    line: u32,
    subject: Subject,
}

impl Question {
    fn of(view: &View<'_>, chain: &Chain<'_>, function: &FunctionDef) -> Option<Self> {
        let file = &view.known?.analysis.module.as_ref()?.file;
        let is_called = view.text.text().get(chain.last.end as usize..)?.trim_start().starts_with('(');
        if is_called && !chain.has_receiver {
            let start = view.old_span(Span { start: chain.start, end: chain.last.end })?.start;
            let place = file.line_column(start);
            return Some(Self { line: place.line, subject: Subject::Call(place.column) });
        }
        let Some(Target::Here(name)) = view.resolve(chain, Some(function)) else { return None };
        let bound = view.old_span(name.span)?;
        Some(Self { line: file.line_column(bound.start).line, subject: Subject::Variable(name.text.to_string()) })
    }
}

/// What the compiler made of the variable or the call under the cursor.
fn compiled(view: &View<'_>, chain: &Chain<'_>, function: &FunctionDef) -> Option<String> {
    let known = view.known?;
    let question = Question::of(view, chain, function)?;
    let mut found: Vec<String> = Vec::new();
    for explained in known.analysis.explained() {
        let Explained { launch, lines } = &*explained;
        let kernel = known.analysis.launches.get(*launch).map(|launch| launch.kernel.as_str()).unwrap_or_default();
        let words: Vec<String> = match lines {
            Ok(lines) => {
                let asked = lines.iter().filter(|fact| fact.line == question.line && fact.subject == question.subject);
                asked.map(|fact| fact.text.clone()).collect()
            }
            Err(reason) if kernel == function.name.text => vec![format!("not compiled: {reason}")],
            Err(_) => Vec::new(),
        };
        for words in words {
            // A line of a function that several kernels call is compiled for each.
            let text = if kernel == function.name.text { words } else { format!("{words} (in `{kernel}`)") };
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    (!found.is_empty()).then(|| found.join("  \n"))
}
