//! The HTML of `tk explain`: a template, style, scripts and the facts in one file.
//!
//! The page's text comes from its script, which makes text nodes of the facts; here no text of a file becomes markup. The long parts
//! of the facts, forms and pictures, are packed one by one, so that a page opens after it has unpacked what it shows first.

use super::facts::{Facts, FormFacts};
use crate::failure::Failure;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// The scripts in the order in which they use each other.
const SCRIPTS: [&str; 9] = [
    include_str!("page/data.js"),
    include_str!("page/words.js"),
    include_str!("page/compare.js"),
    include_str!("page/pane.js"),
    include_str!("page/code.js"),
    include_str!("page/reasons.js"),
    include_str!("page/drawer.js"),
    include_str!("page/keys.js"),
    include_str!("page/main.js"),
];

/// The whole page.
pub(super) fn page(facts: Facts) -> Result<String, Failure> {
    let data = in_script(&packed(facts)?.to_string());
    let script = SCRIPTS.concat();
    let parts = [
        ("@style-hash@", hash(STYLE)),
        ("@script-hash@", hash(&script)),
        ("@style@", STYLE.into()),
        ("@script@", script),
    ];
    let html = parts.iter().fold(TEMPLATE.to_string(), |html, (mark, text)| html.replace(mark, text));
    // The data come last, so that marks in them stay what they are.
    Ok(html.replace("@data@", &data))
}

/// How a page's policy names a script or style that may run: no other may.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// The facts as the page holds them: `lines` of forms and `svg` of layouts are packed. A form that changed nothing has the lines of the form
/// before it.
fn packed(facts: Facts) -> Result<Value, Failure> {
    let mut kernels = Vec::new();
    for mut kernel in facts.kernels {
        let forms = std::mem::take(&mut kernel.forms).into_iter().map(|form| {
            let lines = if form.changed { Some(pack(&form.lines)?) } else { None };
            let FormFacts { name, kind, milliseconds, changed, .. } = form;
            Ok(json!({ "name": name, "kind": kind, "milliseconds": milliseconds, "changed": changed, "packed": lines }))
        });
        let forms = forms.collect::<Result<Vec<Value>, Failure>>()?;
        for layout in &mut kernel.layouts {
            layout.svg = pack(&layout.svg)?;
        }
        let mut kernel = serde_json::to_value(kernel).map_err(std::io::Error::from)?;
        kernel["forms"] = forms.into();
        kernels.push(kernel);
    }
    Ok(json!({ "version": facts.version, "file": facts.file, "source": facts.source, "kernels": kernels }))
}

/// JSON, gzip, base64.
fn pack(content: &impl Serialize) -> Result<String, Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(content).map_err(std::io::Error::from)?)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// JSON that can stand in a `<script>`: no tag and no comment begins in it.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
