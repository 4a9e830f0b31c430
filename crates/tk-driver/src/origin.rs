//! What a printed form says of itself, so that a compilation can go on from it: the last step, the target, the options, the signature.
//!
//! MLIR carries it as an attribute of the module. LLVM IR and PTX carry it as a comment in their first line, with the image that code
//! generation made: what a launch needs beside the text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tk_diag::{BAD_IR, Diagnostic, Result};
use tk_image::KernelImage;
use tk_ir::attributes::ORIGIN;
use tk_ir::{Attribute, Context, Module};
use tk_types::CompileOptions;

/// How a form came to be. Everything may be missing: text comes from anywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Origin {
    /// The last step: `lower`, `cse#2` for the second of that name, `emit-llvm`, `llvm`, `ptx`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<String>,
    /// `sm_90a`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// The arguments that it was compiled for, for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) signature: String,
    /// Warps, stages and so on.
    #[serde(flatten)]
    pub(crate) options: CompileOptions,
    /// Of LLVM IR and PTX: the image, without its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<KernelImage>,
}

/// The option of the stages, and what origins call it: in the text of a kernel, `num_stages` is only what its loops say.
const STAGES: &str = "num_stages";
const SHORT_STAGES: &str = "stages";

/// What stands before the text of an origin in a comment.
const MARK: &str = "tk.origin ";

impl Origin {
    /// The entries, without those options that are as always.
    fn entries(&self) -> Map<String, Value> {
        let object = |value: serde_json::Result<Value>| match value {
            Ok(Value::Object(entries)) => entries,
            _ => Map::new(),
        };
        let usual = object(serde_json::to_value(CompileOptions::default()));
        let mut entries = object(serde_json::to_value(self));
        let is_told = |name: &str| matches!(name, "num_warps" | "num_stages");
        entries.retain(|name, value| is_told(name) || usual.get(name) != Some(value));
        entries
            .into_iter()
            .map(|(name, value)| (if name == STAGES { SHORT_STAGES.into() } else { name }, value))
            .collect()
    }

    /// Writes it to a module.
    pub(crate) fn stamp(&self, module: &Module<'_>) {
        module.op().set_attr(ORIGIN, attribute(module.context(), &Value::Object(self.entries())));
    }

    /// What a module says; nothing where it says nothing.
    ///
    /// # Errors
    /// What it says is not what tk writes.
    pub(crate) fn of_module(module: &Module<'_>) -> Result<Option<Self>> {
        let Some(written) = module.op().attr(ORIGIN) else { return Ok(None) };
        value(written)
            .ok_or_else(|| "it has other values than text, numbers and dictionaries".to_string())
            .and_then(read)
            .map(Some)
            .map_err(bad)
    }

    /// The comment for the first line of LLVM IR or PTX.
    pub(crate) fn comment(&self, begin: &str) -> String {
        format!("{begin} {MARK}{}\n", Value::Object(self.entries()))
    }

    /// What the first line of a text says, and the text after it.
    ///
    /// # Errors
    /// What it says is not what tk writes.
    pub(crate) fn of_text(text: &str) -> Result<(Option<Self>, &str)> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let Some(written) = first.trim_start_matches([';', '/', ' ']).strip_prefix(MARK) else {
            return Ok((None, text));
        };
        let origin = serde_json::from_str(written).map_err(|error| error.to_string()).and_then(read).map_err(bad)?;
        // The rest of the image is checked together with its code.
        let warps = origin.image.as_ref().map_or(1, |image| image.num_warps);
        if !(1..=tk_target::MAX_THREADS_PER_CTA / tk_target::WARP_SIZE).contains(&warps) {
            return Err(bad(format!("a CTA of {warps} warps")));
        }
        Ok((Some(origin), rest))
    }
}

fn read(mut value: Value) -> std::result::Result<Origin, String> {
    if let Value::Object(entries) = &mut value
        && let Some(stages) = entries.remove(SHORT_STAGES)
    {
        entries.insert(STAGES.into(), stages);
    }
    let origin: Origin = serde_json::from_value(value).map_err(|error| error.to_string())?;
    origin.options.check().map(|()| origin)
}

pub(crate) fn bad(why: String) -> Box<Diagnostic> {
    let error = Diagnostic::error(BAD_IR, format!("`{ORIGIN}` cannot be read: {why}"));
    error.help("leave it as tk wrote it, or take it out and say --target, --num-warps and --num-stages").boxed()
}

fn attribute<'c>(context: &'c Context, value: &Value) -> Attribute<'c> {
    match value {
        Value::Null => context.unit_attr(),
        Value::Bool(flag) => context.bool_attr(*flag),
        Value::Number(number) => context.int_attr(context.i(64), number.as_i64().unwrap_or_default()),
        Value::String(text) => context.string_attr(text),
        Value::Array(items) => {
            context.array_attr(&items.iter().map(|item| attribute(context, item)).collect::<Vec<_>>())
        }
        Value::Object(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(name, value)| (name.as_str(), attribute(context, value))).collect();
            context.dict_attr(&entries)
        }
    }
}

/// The nesting of attributes is bounded where their text is read.
fn value(attribute: Attribute<'_>) -> Option<Value> {
    if attribute.is_unit() {
        return Some(Value::Null);
    }
    if let Some(entries) = attribute.as_dict() {
        let entry = |(name, entry): (&str, Attribute<'_>)| Some((name.to_string(), value(entry)?));
        return entries.into_iter().map(entry).collect::<Option<Map<_, _>>>().map(Value::Object);
    }
    let flag = attribute.as_bool().map(Value::Bool);
    let number = || attribute.as_int().map(Value::from);
    flag.or_else(number).or_else(|| attribute.as_str().map(Value::from))
}
