//! The table of reasons on the page of `tk explain`.

use super::Explained;
use super::page::escaped;
use std::fmt::Write;
use tk_why::{Finding, Measured, Weight};

/// Every finding of a kernel, linked to its line of the source; what makes the kernel slower stands out.
pub(super) fn why(html: &mut String, file: &str, kernel: &Explained) {
    let Some(image) = &kernel.image else { return };
    let measured = kernel.record.as_ref().map_or_else(Measured::default, |record| record.measured());
    let findings = image.resources.why.findings(&measured);
    if findings.is_empty() {
        return;
    }
    html.push_str("<h3>Why</h3>\n<table><tr><th>line</th><th>about</th><th></th></tr>\n");
    for Finding { place, topic, weight, text } in findings {
        let bad = match weight {
            Weight::Slow => " bad",
            Weight::Note => "",
        };
        let (class, line) = if place.file == file {
            (format!("l{bad}"), place.line.to_string())
        } else {
            (bad.trim_start().to_string(), place.to_string())
        };
        let _ = writeln!(
            html,
            "<tr class=\"{class}\" data-l=\"{}\"><td>{}</td><td>{}</td><td>{}</td></tr>",
            place.line,
            escaped(&line),
            topic.name(),
            escaped(&text)
        );
    }
    html.push_str("</table>\n");
}
