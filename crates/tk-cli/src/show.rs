//! `--dump-dir`, `--print-after` and `--time-passes`: a watcher that writes what it sees.

use crate::arguments::ShowArgs;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;
use tk_diag::{Diagnostic, FILE, Result};
use tk_driver::{Step, Watcher};
use tk_why::Measured;

/// Collects dumps, prints and timings of compilations.
#[derive(Debug, Default)]
pub(crate) struct Show {
    args: ShowArgs,
    /// The steps to print, by the names that they have here.
    print_after: Vec<&'static str>,
    /// How many compilations of a kernel there were.
    compilations: HashMap<String, usize>,
    /// The folder of the compilation that is being watched.
    folder: Option<PathBuf>,
    /// Text for standard error: forms that were asked for.
    pub(crate) printed: String,
    /// Every step with its time.
    pub(crate) times: Vec<(String, Duration)>,
}

impl Show {
    pub(crate) fn new(args: &ShowArgs) -> Result<Self> {
        let print_after = args.print_after.iter().map(|name| tk_driver::find_step(name)).collect::<Result<_>>()?;
        Ok(Self { args: args.clone(), print_after, folder: args.dump_dir.clone(), ..Self::default() })
    }

    /// Dumps of what follows go to a folder of their own inside the dump folder: `NAME`, and `NAME-2` for the second specialisation of it.
    pub(crate) fn enter(&mut self, name: &str) {
        let count = self.compilations.entry(name.to_string()).or_default();
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name}-{count}") };
        self.folder = self.args.dump_dir.as_ref().map(|folder| folder.join(name));
    }

    /// Whether any option asks to look at compilations.
    pub(crate) fn is_wanted(&self) -> bool {
        self.args.dump_dir.is_some() || self.args.time_passes || !self.args.print_after.is_empty()
    }

    /// Whether autotuning is to be reported.
    pub(crate) fn wants_tunings(&self) -> bool {
        self.args.autotune_report
    }

    /// Every step with its time, as JSON.
    pub(crate) fn steps_json(&self) -> serde_json::Value {
        let row = |(name, time): &(String, Duration)| serde_json::json!({ "step": name, "milliseconds": time.as_secs_f64() * 1e3 });
        self.times.iter().map(row).collect()
    }

    /// The table of `--time-passes`, or nothing when it was not asked for.
    pub(crate) fn time_table(&self) -> String {
        if !self.args.time_passes || self.times.is_empty() {
            return String::new();
        }
        let total: Duration = self.times.iter().map(|(_, time)| *time).sum();
        let mut table = String::from("      ms  step\n");
        for (name, time) in &self.times {
            table.push_str(&format!("{:>8.2}  {name}\n", time.as_secs_f64() * 1e3));
        }
        table.push_str(&format!("{:>8.2}  total\n", total.as_secs_f64() * 1e3));
        table
    }
}

impl Watcher for Show {
    fn wants_text(&self, name: &str) -> bool {
        self.folder.is_some() || self.print_after.contains(&name)
    }

    fn wants_origins(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step<'_>, text: Option<&str>) -> Result<()> {
        self.times.push((step.name.to_string(), step.elapsed));
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(()) };
        if self.print_after.contains(&step.name) {
            self.printed.push_str(&format!("// ----- after {} -----\n{text}\n", step.name));
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let path = folder.join(format!("{:02}-{}.{}", step.index, step.name, step.form.extension()));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| Diagnostic::error(FILE, format!("{}: cannot be written: {e}", path.display())).boxed())
    }
}

/// What is known of a compiled kernel, as JSON.
pub(crate) fn image_json(image: &tk_image::KernelImage) -> serde_json::Value {
    let resources = &image.resources;
    let buffers: Vec<serde_json::Value> = resources
        .shared_buffers
        .iter()
        .map(|(name, offset, bytes)| serde_json::json!({"name": name, "offset": offset, "bytes": bytes}))
        .collect();
    serde_json::json!({
        "kernel": image.entry,
        "target": image.target,
        "num_warps": image.num_warps,
        "parameters": image.params.iter().map(parameter_json).collect::<Vec<_>>(),
        "shared_bytes": image.shared_bytes,
        "global_scratch_bytes": image.global_scratch_bytes,
        "shared_buffers": buffers,
        "scalar_dots": resources.scalar_dots,
        "instructions": resources.instructions,
        "registers": resources.registers,
        "spill_bytes": resources.spill_bytes,
        "why": resources.why,
        "findings": resources.why.findings(&Measured::default()),
    })
}

/// A parameter of the entry point, as JSON: what a launch of the PTX by other means has to pass.
fn parameter_json(param: &tk_image::ImageParam) -> serde_json::Value {
    use tk_image::{MapEnd, ParamKind};
    let mut row = match &param.kind {
        ParamKind::Scalar(ty) => serde_json::json!({"kind": "scalar", "type": ty.name()}),
        ParamKind::Pointer(ty) => serde_json::json!({"kind": "pointer", "type": ty.map(|ty| ty.name())}),
        ParamKind::TensorMap(map) => map_json(map),
        ParamKind::MapOfPointer { map, base, stride, rows, columns } => {
            let mut row = map_json(map);
            row["kind"] = serde_json::json!("map_of_pointer");
            row["base"] = serde_json::json!(base);
            row["stride"] = serde_json::json!(stride);
            for (at, parameter, end) in [("rows", "rows_parameter", rows), ("columns", "columns_parameter", columns)] {
                match end {
                    MapEnd::Nowhere => {}
                    MapEnd::At(elements) => row[at] = serde_json::json!(elements),
                    MapEnd::Parameter(index) => row[parameter] = serde_json::json!(index),
                }
            }
            row
        }
        ParamKind::DescriptorBase { element, rank } => {
            serde_json::json!({"kind": "descriptor_base", "type": element.name(), "rank": rank})
        }
    };
    row["name"] = serde_json::json!(param.name);
    row["bytes"] = serde_json::json!(param.kind.bytes());
    if param.facts.multiple_of > 1 {
        row["multiple_of"] = serde_json::json!(param.facts.multiple_of);
    }
    row
}

fn map_json(map: &tk_image::TensorMapSpec) -> serde_json::Value {
    serde_json::json!({
        "kind": "tensor_map",
        "type": map.element.name(),
        "box": map.block,
        "swizzle_bytes": map.swizzle_bytes,
        "padding": if map.pad_nan { "nan" } else { "zero" },
    })
}

/// What is known of a launch, as JSON.
pub(crate) fn record_json(record: &tk::LaunchRecord) -> serde_json::Value {
    let mut row = image_json(&record.image);
    row["grid"] = serde_json::json!(record.grid);
    row["signature"] = serde_json::json!(record.signature);
    row["num_stages"] = serde_json::json!(record.num_stages);
    row["ctas_per_multiprocessor"] = serde_json::json!(record.occupancy.map(|occupancy| occupancy.ctas_per_sm));
    row["configuration"] = serde_json::json!(record.configuration_text());
    row["registers"] = serde_json::json!(record.report.registers);
    row["spill_bytes"] = serde_json::json!(record.report.spill_bytes);
    row["findings"] = serde_json::json!(record.image.resources.why.findings(&record.measured()));
    if let Some(simulation) = &record.report.simulation {
        let totals = simulation.memory.totals();
        row["global_sector_efficiency"] = serde_json::json!(simulation.memory.sector_efficiency());
        row["bank_conflicts"] = serde_json::json!(totals.bank_conflicts());
        row["warp_instructions"] = serde_json::json!(simulation.warp_instructions);
        row["memory"] = serde_json::json!(simulation.memory.rows);
        row["work"] = serde_json::json!(simulation.memory.work);
        if let Some(caches) = &simulation.memory.caches {
            row["caches"] = serde_json::json!({ "config": caches.config, "is_cut": caches.is_cut, "totals": simulation.memory.cache_totals() });
        }
    }
    row
}

/// A diagnostic as JSON: its words, and places as file, line and column.
pub(crate) fn diagnostic_json(diagnostic: &Diagnostic) -> serde_json::Value {
    let labels: Vec<serde_json::Value> = diagnostic
        .labels
        .iter()
        .filter_map(|label| {
            let file = label.file.as_ref()?;
            let part = file.part_at(label.span.start);
            let (start, end) = (part.line_column(label.span.start), part.line_column(label.span.end));
            Some(serde_json::json!({
                "file": part.name(),
                "line": start.line,
                "column": start.column,
                "end_line": end.line,
                "end_column": end.column,
                "text": label.text,
            }))
        })
        .collect();
    let severity = match diagnostic.severity {
        tk_diag::Severity::Warning => "warning",
        tk_diag::Severity::Error => "error",
        tk_diag::Severity::Bug => "bug",
    };
    serde_json::json!({
        "severity": severity,
        "code": diagnostic.code.slug,
        "message": diagnostic.message,
        "labels": labels,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}
