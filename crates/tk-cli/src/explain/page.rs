//! The HTML of `tk explain`.

use super::difference::{Change, difference};
use super::layouts::pictures;
use super::lines::{Line, of_mlir, of_ptx, plain};
use super::why::why;
use super::{Explained, Stage};
use std::fmt::Write;
use tk_diag::SourceFile;
use tk_driver::Form;
use tk_types::DotPolicy;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page.
pub(super) fn page(source: &SourceFile, kernels: &[Explained]) -> String {
    let mut html = String::new();
    let title = escaped(source.name());
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\n"
    );
    let _ = writeln!(html, "<aside><h1>{title}</h1><p class=\"hint\">Point at a line to see what comes from it.</p>");
    html.push_str("<pre id=\"source\">");
    for (index, line) in source.text().lines().enumerate() {
        let number = index + 1;
        let _ = writeln!(html, "<span class=\"l\" data-l=\"{number}\"><i>{number}</i>{}</span>", escaped(line));
    }
    html.push_str("</pre></aside>\n<main>\n");
    if kernels.len() > 1 {
        html.push_str("<nav>");
        for (index, kernel) in kernels.iter().enumerate() {
            let _ = write!(html, "<a href=\"#k{index}\">{}</a> ", escaped(&kernel.kernel));
        }
        html.push_str("</nav>\n");
    }
    for (index, kernel) in kernels.iter().enumerate() {
        explain_kernel(&mut html, source.name(), index, kernel);
    }
    let _ = write!(html, "</main>\n<script>{SCRIPT}</script>\n</body></html>\n");
    html
}

fn explain_kernel(html: &mut String, file: &str, index: usize, kernel: &Explained) {
    let _ = writeln!(html, "<section id=\"k{index}\"><h2>{}</h2>", escaped(&kernel.kernel));
    resources(html, kernel);
    memory(html, kernel);
    why(html, file, kernel);
    layouts(html, kernel);
    html.push_str(
        "<h3>Every form, in order</h3>\n<p class=\"hint\">Each pass shows what it changed; open one to read it.</p>\n",
    );
    let mut before: Option<(Form, Vec<Line>)> = None;
    for stage in &kernel.stages {
        let lines = lines_of(stage, file);
        let old = before.as_ref().filter(|(form, _)| *form == stage.form).map(|(_, lines)| lines.as_slice());
        show_stage(html, stage, old, &lines);
        before = Some((stage.form, lines));
    }
    html.push_str("</section>\n");
}

fn lines_of(stage: &Stage, file: &str) -> Vec<Line> {
    match stage.form {
        Form::Mlir => of_mlir(&stage.text, file),
        Form::Ptx => of_ptx(&stage.text, file),
        Form::Checked | Form::Llvm => plain(&stage.text),
    }
}

fn resources(html: &mut String, kernel: &Explained) {
    html.push_str("<h3>What it takes</h3>\n<table>\n");
    let mut row =
        |name: &str, value: String| _ = writeln!(html, "<tr><th>{name}</th><td>{}</td></tr>", escaped(&value));
    if let Some(record) = &kernel.record {
        row("signature", record.signature.clone());
        row("grid", record.grid.map(|size| size.to_string()).join(" x "));
    }
    if let Some(image) = &kernel.image {
        row("target", image.target.clone());
        row("warps", image.num_warps.to_string());
        row("PTX instructions", image.resources.instructions.to_string());
        let registers = image.resources.registers;
        row("registers", registers.map_or("known where there is a ptxas".into(), |count| count.to_string()));
        if let Some(bytes) = image.resources.spill_bytes {
            row("spills", format!("{bytes} bytes"));
        }
        if let (Some(registers), Ok(target)) = (registers, tk_target::Target::parse(&image.target)) {
            let occupancy = target.occupancy(registers, image.shared_bytes, image.num_warps);
            row("CTAs on a multiprocessor", format!("{}, limited by {}", occupancy.ctas_per_sm, occupancy.limit));
        }
        if image.resources.dots == DotPolicy::Wait {
            row("products", "wait for each other: registers are short, or would be moved while they run".into());
        }
        for dot in &image.resources.scalar_dots {
            row("not on tensor cores", dot.clone());
        }
        row("shared memory", format!("{} bytes", image.shared_bytes));
        for (name, offset, bytes) in &image.resources.shared_buffers {
            row("", format!("{bytes} bytes at {offset}: {name}"));
        }
    }
    let total: f64 = kernel.stages.iter().map(|stage| stage.elapsed.as_secs_f64()).sum();
    row("compile time", format!("{:.1} ms", total * 1e3));
    html.push_str("</table>\n");
}

fn memory(html: &mut String, kernel: &Explained) {
    let Some(simulation) = kernel.record.as_ref().and_then(|record| record.report.simulation.as_ref()) else { return };
    html.push_str("<h3>What it asks of memory</h3>\n<table><tr><th>line</th><th></th><th>bits</th><th>requests</th><th>sectors, least</th><th>efficiency</th><th>bank conflicts</th></tr>\n");
    for access in simulation.memory.lines() {
        let counts = &access.counts;
        let (requests, sectors, efficiency, conflicts) = if counts.requests > 0 {
            let sectors = format!("{}, {}", counts.sectors, counts.least_sectors);
            (counts.requests, sectors, format!("{:.1} %", 100.0 * counts.efficiency()), String::new())
        } else {
            (counts.shared_requests, String::new(), String::new(), counts.bank_conflicts().to_string())
        };
        let space = if counts.requests > 0 { "global" } else { "shared" };
        let bad = if counts.efficiency() < 0.99 || counts.bank_conflicts() > 0 { " bad" } else { "" };
        let _ = writeln!(
            html,
            "<tr class=\"l{bad}\" data-l=\"{0}\"><td>{0}</td><td>{space} {1}</td><td>{2}</td><td>{requests}</td><td>{sectors}</td><td>{efficiency}</td><td>{conflicts}</td></tr>",
            access.line,
            access.kind.name(),
            access.width
        );
    }
    html.push_str("</table>\n");
}

fn layouts(html: &mut String, kernel: &Explained) {
    let Some(last) = kernel.stages.iter().rfind(|stage| stage.form == Form::Mlir) else { return };
    let found = pictures(&last.text);
    if found.is_empty() {
        return;
    }
    html.push_str("<h3>Layouts</h3>\n");
    for picture in found {
        let _ = writeln!(
            html,
            "<details><summary><code>{}</code> on {}</summary><p><code>{}</code></p><p>{}</p>{}</details>",
            escaped(&picture.name),
            escaped(&picture.tensor),
            escaped(&picture.text),
            escaped(&picture.words),
            picture.svg
        );
    }
}

/// A stage: folded when it changed nothing, as a difference when there is something of its form before it.
fn show_stage(html: &mut String, stage: &Stage, before: Option<&[Line]>, lines: &[Line]) {
    let ms = stage.elapsed.as_secs_f64() * 1e3;
    let name = escaped(&stage.name);
    let Some(before) = before else {
        let _ = write!(
            html,
            "<details><summary><b>{name}</b> <span>{} lines, {ms:.2} ms</span></summary><pre>",
            lines.len()
        );
        lines.iter().for_each(|line| show_line(html, "", line));
        html.push_str("</pre></details>\n");
        return;
    };
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.iter().map(|line| line.text.as_str()).collect(), lines.iter().map(|line| line.text.as_str()).collect());
    let changes = difference(&old, &new);
    let count = |wanted: Change| changes.iter().filter(|(change, _)| *change == wanted).count();
    let (added, removed) = (count(Change::Added), count(Change::Removed));
    if added + removed == 0 {
        let _ = writeln!(html, "<p class=\"idle\">{name} <span>no change, {ms:.2} ms</span></p>");
        return;
    }
    let _ = write!(
        html,
        "<details><summary><b>{name}</b> <span class=\"add\">+{added}</span> <span class=\"del\">-{removed}</span> <span>{ms:.2} ms</span></summary><pre class=\"diff\">"
    );
    let (mut from, mut to) = (before.iter(), lines.iter());
    for (index, (change, _)) in changes.iter().enumerate() {
        let (class, line) = match change {
            Change::Removed => (" del", from.next()),
            Change::Added => (" add", to.next()),
            Change::Same => {
                from.next();
                let near = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(changes.len());
                let is_near = changes[near].iter().any(|(change, _)| *change != Change::Same);
                (if is_near { "" } else { " far" }, to.next())
            }
        };
        if let Some(line) = line {
            show_line(html, class, line);
        }
    }
    html.push_str("</pre></details>\n");
}

fn show_line(html: &mut String, class: &str, line: &Line) {
    let text = escaped(&line.text);
    match line.source {
        Some(source) => _ = writeln!(html, "<span class=\"l{class}\" data-l=\"{source}\">{text}</span>"),
        None => _ = writeln!(html, "<span class=\"p{class}\">{text}</span>"),
    }
}

/// Text as HTML shows it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
