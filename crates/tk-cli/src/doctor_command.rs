//! `tk doctor`: what is here, and what to do about what is not.

use crate::Output;
use crate::arguments::JsonArg;
use crate::failure::Failure;
use serde_json::json;

/// One line of the report: what was looked for, what was found or why nothing was, and what to do when it is missing.
struct Finding {
    name: &'static str,
    found: Option<String>,
    reason: Option<String>,
    advice: &'static str,
}

impl Finding {
    fn new(name: &'static str, found: Option<String>, advice: &'static str) -> Self {
        Self { name, found, reason: None, advice }
    }
}

pub(crate) fn report(args: &JsonArg, output: &mut Output<'_>) -> Result<(), Failure> {
    let findings = findings();
    if args.json {
        let rows: serde_json::Map<String, serde_json::Value> =
            findings.iter().map(|f| (f.name.to_string(), json!(f.found))).collect();
        writeln!(output.out, "{}", serde_json::Value::Object(rows))?;
        return Ok(());
    }
    for finding in &findings {
        match &finding.found {
            Some(found) => writeln!(output.out, "{:<12} {found}", finding.name)?,
            None => {
                let reason = finding.reason.as_ref().map(|reason| format!("{reason}; ")).unwrap_or_default();
                writeln!(output.out, "{:<12} not here: {reason}{}", finding.name, finding.advice)?;
            }
        }
    }
    Ok(())
}

fn findings() -> Vec<Finding> {
    let gpus = tk_launch::list_gpus();
    let gpu = gpus.as_ref().ok().filter(|gpus| !gpus.is_empty()).map(|gpus| {
        let lines: Vec<String> = gpus.iter().map(ToString::to_string).collect();
        lines.join("; ")
    });
    let ptxas = tk_launch::find_ptxas().map(|path| {
        let version = tk_launch::ptxas_version(&path).unwrap_or_else(|| "unknown version".into());
        format!("{} ({version})", path.display())
    });
    // A machine may have a driver and still no GPU that can be used; then the driver says why.
    let reason = gpus.err().map(|error| error.message);
    let cache = tk_launch::Cache::open_default().map(|cache| cache.folder().display().to_string());
    vec![
        Finding::new("tk", Some(format!("{}, LLVM {}", env!("CARGO_PKG_VERSION"), tk::LLVM_VERSION)), ""),
        Finding::new("target", Some(tk::default_target().to_string()), ""),
        Finding {
            reason,
            ..Finding::new("GPU", gpu, "kernels run on the simulator; for a GPU, install NVIDIA's driver")
        },
        Finding::new(
            "ptxas",
            ptxas,
            "the driver compiles PTX itself; for --emit cubin and sass, install the CUDA toolkit or set CUDA_HOME",
        ),
        Finding::new("simulator", Some(format!("{} and newer, always here", tk_target::Target::oldest())), ""),
        Finding::new("cache", cache, "switched off by TK_CACHE=0"),
    ]
}
