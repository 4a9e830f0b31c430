//! Functions of the `triton` module for host code: arithmetic, configurations, benchmarks, the device.

use super::args::need;
use super::tuning::{autotune, config};
use super::{Args, Interpreter, builtins, convert, descriptor};
use crate::bench::{BenchLine, BenchTable};
use crate::exception::{Exception, Result};
use crate::launch::{BenchOptions, Timing};
use crate::value::{Object, Value};
use std::rc::Rc;
use std::time::Instant;

impl<'a> Interpreter<'a, '_> {
    /// Calls `triton.path`.
    pub(crate) fn triton(&mut self, path: &str, mut args: Args<'a>) -> Result<Value<'a>> {
        Ok(match path {
            "cdiv" => {
                let [a, b] = args.bind("cdiv", ["x", "y"])?;
                let a = convert::int(&need(a, "cdiv", "x")?, "x")?;
                let b = convert::int(&need(b, "cdiv", "y")?, "y")?;
                if b == 0 {
                    return Err(Exception::new("ZeroDivisionError", tk_diag::HOST_ERROR, "triton.cdiv by zero"));
                }
                // Python's (x + y - 1) // y.
                let sum = a
                    .checked_add(b.saturating_sub(1))
                    .ok_or_else(|| Exception::overflow("triton.cdiv does not fit 128 bits"))?;
                builtins::of_number(crate::number::ints(tk_grammar::ast::BinaryOp::FloorDiv, sum, b)?)
            }
            "next_power_of_2" => {
                let value = convert::int(&args.one("next_power_of_2")?, "n")?;
                let power = u128::try_from(value).ok().and_then(u128::checked_next_power_of_two);
                let power = power.and_then(|power| i128::try_from(power).ok());
                Value::Int(power.ok_or_else(|| Exception::value(format!("next_power_of_2 of {value}")))?)
            }
            "Config" => return config(self.used_of_config(args)),
            "autotune" => return autotune(self.used_of_autotune(args)),
            "heuristics" => {
                let Value::Dict(rules) = args.one("triton.heuristics")? else {
                    return Err(Exception::ty("triton.heuristics takes a dict of functions"));
                };
                let rules = rules.borrow();
                let fields = rules.entries().iter().map(|(name, rule)| (name.display().into(), rule.clone()));
                Self::object("heuristics", fields.collect())
            }
            "testing.do_bench" => return self.do_bench(BenchOptions::default(), args),
            "testing.do_bench_cudagraph" => {
                let options = BenchOptions { timing: Timing::BackToBack, rep_ms: 20.0, ..BenchOptions::default() };
                return self.do_bench(options, args);
            }
            "testing.Benchmark" => {
                let names = ["x_names", "x_vals", "line_arg", "line_vals", "line_names", "plot_name", "args"];
                args.ignore(&["styles", "ylabel", "xlabel", "x_log", "y_log", "color"]);
                let values = args.bind("triton.testing.Benchmark", names)?;
                let fields =
                    names.iter().zip(values).map(|(name, value)| (Rc::from(*name), value.unwrap_or(Value::None)));
                Self::object("Benchmark", fields.collect())
            }
            "testing.perf_report" => Self::object("PerfReport", vec![("benchmarks".into(), args.one("perf_report")?)]),
            // A function that is named in `triton.jit(…)` is a kernel from the start.
            "jit" => match args.one("triton.jit")? {
                kernel @ Value::Kernel(_) => kernel,
                other => return Err(Exception::ty(format!("triton.jit takes a function, not a {}", other.class()))),
            },
            "language.constexpr" => args.one("tl.constexpr")?,
            // Host code calls such a function as any other.
            "constexpr_function" | "language.constexpr_function" => args.one("triton.constexpr_function")?,
            // Kernels get their scratch memory from the launcher.
            "set_allocator" => Value::None,
            "tools.tensor_descriptor.TensorDescriptor" => return descriptor::make(args),
            "tools.tensor_descriptor.TensorDescriptor.from_tensor" => return descriptor::from_tensor(args),
            _ if path.ends_with("get_active_torch_device") || path.ends_with("get_current_device") => {
                Value::Path("device".into())
            }
            _ if path.ends_with("get_device_properties") => {
                let fields = self.device_properties();
                let entries = fields.into_iter().map(|(name, value)| (Value::Str(name), value));
                Value::Dict(Rc::new(std::cell::RefCell::new(crate::value::Dict::from_entries(entries)?)))
            }
            _ if path.ends_with("get_device_interface") => Value::Path("torch.cuda".into()),
            _ if path.ends_with("get_current_target") => {
                let arch = self.launcher.property(crate::launch::DeviceProperty::ComputeCapability).unwrap_or(0);
                let fields =
                    [("backend", Value::str("cuda")), ("arch", Value::Int(arch)), ("warp_size", Value::Int(32))];
                Self::object("GPUTarget", fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
            }
            _ if path.starts_with("language.") => {
                let name = path.trim_start_matches("language.");
                let exception = Exception::unsupported(format!("`tl.{name}` works in kernels only"));
                return Err(exception.help("host code has triton.cdiv, torch and math"));
            }
            _ => return Err(builtins::unknown(&format!("triton.{path}"))),
        })
    }

    /// Times a function: its launches on the device, or, when it launches nothing, the host.
    fn do_bench(&mut self, mut options: BenchOptions, mut args: Args<'a>) -> Result<Value<'a>> {
        args.ignore(&["grad_to_none", "device_type", "fast_flush"]);
        let span = args.span;
        let [function, warmup, rep, quantiles, mode] = match options.timing {
            Timing::Alone => args.bind("do_bench", ["fn", "warmup", "rep", "quantiles", "return_mode"])?,
            Timing::BackToBack => {
                let [function, rep, quantiles, mode] =
                    args.bind("do_bench_cudagraph", ["fn", "rep", "quantiles", "return_mode"])?;
                [function, None, rep, quantiles, mode]
            }
        };
        let function = need(function, "do_bench", "fn")?;
        if let Some(warmup) = warmup {
            options.warmup_ms = convert::float(&warmup, "warmup")?;
        }
        if let Some(rep) = rep {
            options.rep_ms = convert::float(&rep, "rep")?;
        }
        let outer = self.recorded.replace(Vec::new());
        let started = Instant::now();
        let result = self.call(&function, Args::of(Vec::new(), span));
        let host_ms = started.elapsed().as_secs_f64() * 1e3;
        let requests = std::mem::replace(&mut self.recorded, outer).unwrap_or_default();
        result?;
        let mut times = match requests.is_empty() {
            true => vec![host_ms],
            false => self.launcher.bench(&requests, &options).map_err(|d| Exception::from_diagnostic(d).at(span))?,
        };
        times.sort_by(f64::total_cmp);
        if times.is_empty() {
            return Err(Exception::new("RuntimeError", tk_diag::INTERNAL, "the device measured nothing"));
        }
        if let Some(quantiles) = quantiles.filter(|quantiles| !matches!(quantiles, Value::None)) {
            let values = self.collect(&quantiles)?;
            let values = values.iter().map(|q| Ok(Value::Float(quantile(&times, convert::float(q, "a quantile")?))));
            return Ok(Value::list(values.collect::<Result<_>>()?));
        }
        let mode = mode.map_or("mean".to_string(), |mode| mode.display());
        Ok(match mode.as_str() {
            "min" => Value::Float(times[0]),
            "max" => Value::Float(times[times.len() - 1]),
            "median" => Value::Float(quantile(&times, 0.5)),
            "all" => Value::list(times.into_iter().map(Value::Float).collect()),
            _ => Value::Float(times.iter().sum::<f64>() / times.len() as f64),
        })
    }

    /// Puts a function under `@triton.testing.perf_report(…)`.
    pub(crate) fn attach_report(&mut self, report: Value<'a>, function: Value<'a>) -> Result<Value<'a>> {
        let Value::Object(report) = report else { return Ok(function) };
        let mut fields = report.fields.borrow().clone();
        fields.push(("function".into(), function));
        Ok(Self::object("PerfReport", fields))
    }

    /// `report.run(…)`: calls the function for every x and line, prints the table and keeps it.
    pub(crate) fn run_report(&mut self, report: &Object<'a>, args: Args<'a>) -> Result<Value<'a>> {
        let function = report.field("function").unwrap_or(Value::None);
        let benchmarks = match report.field("benchmarks") {
            Some(list @ (Value::List(_) | Value::Tuple(_))) => self.collect(&list)?,
            Some(one) => vec![one],
            None => Vec::new(),
        };
        for benchmark in benchmarks {
            let Value::Object(benchmark) = benchmark else {
                return Err(Exception::ty("perf_report takes triton.testing.Benchmark values"));
            };
            let table = self.run_benchmark(&benchmark, &function, args.span)?;
            let written = self.output.write_all(table.to_text().as_bytes());
            written.map_err(|error| Exception::new("OSError", tk_diag::FILE, format!("cannot print: {error}")))?;
            self.tables.push(table);
        }
        Ok(Value::None)
    }

    fn run_benchmark(
        &mut self,
        benchmark: &Object<'a>,
        function: &Value<'a>,
        span: tk_diag::Span,
    ) -> Result<BenchTable> {
        let field = |name: &str| benchmark.field(name).unwrap_or(Value::None);
        let x_names: Vec<Rc<str>> = self.collect(&field("x_names"))?.iter().map(|name| name.display().into()).collect();
        let line_arg: Rc<str> = field("line_arg").display().into();
        let line_vals = self.collect(&field("line_vals"))?;
        let line_names: Vec<String> = match field("line_names") {
            Value::None => line_vals.iter().map(Value::display).collect(),
            names => self.collect(&names)?.iter().map(Value::display).collect(),
        };
        let fixed: Vec<(Rc<str>, Value<'a>)> = match field("args") {
            Value::Dict(dict) => {
                dict.borrow().entries().iter().map(|(name, value)| (name.display().into(), value.clone())).collect()
            }
            _ => Vec::new(),
        };
        let mut table = BenchTable {
            name: field("plot_name").display(),
            x_names: x_names.iter().map(ToString::to_string).collect(),
            x_values: Vec::new(),
            lines: line_names.into_iter().map(|name| BenchLine { name, values: Vec::new() }).collect(),
        };
        for x in self.collect(&field("x_vals"))? {
            let xs = match &x {
                Value::Tuple(_) | Value::List(_) => self.collect(&x)?,
                one => vec![one.clone(); x_names.len()],
            };
            table.x_values.push(xs.iter().map(Value::display).collect());
            for (line, value) in table.lines.iter_mut().zip(&line_vals) {
                let mut args = Args { span, ..Args::default() };
                args.named.extend(x_names.iter().cloned().zip(xs.iter().cloned()));
                args.named.push((line_arg.clone(), value.clone()));
                args.named.extend(fixed.iter().cloned());
                let result = self.call(function, args)?;
                line.values.push(match &result {
                    Value::Tuple(items) if !items.is_empty() => convert::float(&items[0], "a result")?,
                    Value::None => f64::NAN,
                    other => convert::float(other, "the result of a benchmark")?,
                });
            }
        }
        Ok(table)
    }
}

/// The value below which this share of the sorted times lies, between two times in proportion.
fn quantile(times: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (times.len() - 1) as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let next = times[(low + 1).min(times.len() - 1)];
    times[low] + (next - times[low]) * part
}
