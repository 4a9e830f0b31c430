//! Host programs run against a device that is a Rust closure.

mod classes;
mod descriptors;
mod errors;
mod keywords;
mod language;
mod launches;
mod properties;
mod repositories;
mod tensors;
mod tuning;
mod tutorial;

use tk_diag::{Diagnostic, Result, SourceFile, Style};
use tk_grammar::literal::read_assignment;
use tk_host::{BenchOptions, DeviceProperty, HostProgram, LaunchArg, LaunchRequest, Launcher};

/// A device that does what a closure says, and remembers the launches in words.
pub(crate) struct Mock<'f> {
    pub(crate) run: Box<dyn FnMut(&LaunchRequest<'_>) + 'f>,
    pub(crate) log: Vec<String>,
}

impl<'f> Mock<'f> {
    pub(crate) fn new(run: impl FnMut(&LaunchRequest<'_>) + 'f) -> Self {
        Self { run: Box::new(run), log: Vec::new() }
    }

    pub(crate) fn idle() -> Self {
        Self::new(|_| {})
    }
}

impl Launcher for Mock<'_> {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        let arg = |(name, arg): &(&str, LaunchArg)| match arg {
            LaunchArg::Buffer { byte_offset, dtype, .. } => format!("{name}=*{dtype}@{byte_offset}"),
            LaunchArg::Descriptor { byte_offset, ty, shape, strides, .. } => {
                format!("{name}={ty}@{byte_offset} {shape:?} {strides:?}")
            }
            LaunchArg::Int(value) => format!("{name}={value}"),
            LaunchArg::Float(value) => format!("{name}={value:?}"),
            LaunchArg::Bool(value) => format!("{name}={value}"),
            LaunchArg::Constexpr(value) => format!("{name}:{value}"),
        };
        let args: Vec<String> = request.args.iter().map(arg).collect();
        let (options, grid) = (&request.options, request.grid);
        let line =
            format!("{}{grid:?}({}) w{} s{}", request.kernel, args.join(" "), options.num_warps, options.num_stages);
        self.log.push(line);
        (self.run)(request);
        Ok(())
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], _: &BenchOptions) -> Result<Vec<f64>> {
        Ok(vec![requests.len() as f64, 3.0, 5.0])
    }

    fn device_name(&self) -> String {
        "mock".to_string()
    }

    fn property(&self, property: DeviceProperty) -> Option<i128> {
        (property == DeviceProperty::Multiprocessors).then_some(132)
    }
}

#[track_caller]
pub(crate) fn program(text: &str) -> HostProgram {
    let file = SourceFile::new("k.tk", text);
    let module = tk_grammar::parse(&file).unwrap_or_else(|faults| {
        panic!("{}", tk_diag::render(&faults[0], Style::Plain));
    });
    HostProgram::new(module)
}

/// Runs `main` and returns what it printed.
#[track_caller]
pub(crate) fn run_with(text: &str, overrides: &[(&str, &str)], launcher: &mut dyn Launcher) -> Result<String> {
    let definition = |(name, value): &(&str, &str)| read_assignment(&SourceFile::new("-D", format!("{name}={value}")));
    let definitions = overrides.iter().map(definition).collect::<Result<Vec<_>>>()?;
    let mut output = Vec::new();
    program(text).run_main(&definitions, launcher, &mut output)?;
    Ok(String::from_utf8(output).unwrap())
}

/// Runs statements as the body of a script and returns what they printed.
#[track_caller]
pub(crate) fn script(body: &str) -> String {
    let text =
        format!("import torch\nimport math\nimport triton\nimport torch.nn.functional as F\n{body}\nprint(end='')\n");
    run_with(&text, &[], &mut Mock::idle()).unwrap_or_else(|d| panic!("{}", tk_diag::render(&d, Style::Plain)))
}

/// Runs statements that must fail.
#[track_caller]
pub(crate) fn failure(body: &str) -> Box<Diagnostic> {
    let text =
        format!("import torch\nimport math\nimport triton\nimport torch.nn.functional as F\n{body}\nprint(end='')\n");
    run_with(&text, &[], &mut Mock::idle()).expect_err("the script fails")
}

/// Evaluates an expression and returns its `print`.
#[track_caller]
pub(crate) fn value(expr: &str) -> String {
    script(&format!("result = {expr}\nprint(result)")).trim_end().to_string()
}
