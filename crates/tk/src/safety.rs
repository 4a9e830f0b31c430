//! What a launch adds for safety: warnings about its sizes and tensors, and the arguments and the record of kernels with checks.
//!
//! Offsets can only do harm by overflowing when some tensor is longer than they reach, so nobody is warned of launches whose
//! tensors all have fewer than 2^31 elements. `--index-width auto` looks at the ranges alone.

use crate::copies::Copy;
use crate::loaded::Loaded;
use crate::session::{Session, SessionWatcher};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tk_diag::{Diagnostic, Result, Span};
use tk_driver::{Bounds, Hidden, Interval, Unit};
use tk_host::{LaunchArg, LaunchRequest};
use tk_launch::{Arg, Buffer};
use tk_types::{Argument, CompileOptions, IndexWidth, NamedConstant};

/// What a session has warned of, so that a loop of launches warns once, and what it knows of widths.
#[derive(Default)]
pub(crate) struct Warned {
    /// Kernels with rounded bounds.
    overflows: FxHashSet<(String, Bounds)>,
    messages: FxHashSet<(String, Span)>,
    /// Whether a kernel needs wide offsets for rounded bounds.
    widths: FxHashMap<(String, Bounds), bool>,
}

/// Whether some tensor has elements that a 32-bit offset does not reach.
fn is_long(request: &LaunchRequest<'_>) -> bool {
    request.args.iter().any(|(_, arg)| match arg {
        LaunchArg::Buffer { buffer, byte_offset, dtype } => {
            (buffer.len().saturating_sub(*byte_offset)) / dtype.bytes() as usize > i32::MAX as usize
        }
        _ => false,
    })
}

/// The sizes of a launch. What kernels load may be `others`.
fn launch_bounds(request: &LaunchRequest<'_>, others: Option<Interval>) -> Bounds {
    let args = request.args.iter().filter_map(|(name, arg)| match arg {
        LaunchArg::Int(value) => Some(((*name).to_string(), Interval::of(*value))),
        _ => None,
    });
    Bounds {
        args: args.collect(),
        grid: request.grid.map(|size| Interval::of(size.into())),
        others,
        source: "in this launch",
        ..Bounds::any()
    }
}

/// What a kernel is compiled for besides the types of its arguments: the sizes, where its width or its checks depend on them.
/// They are rounded up, so that few sizes need a compilation of their own. What the sizes prove is not checked.
pub(crate) fn compile_bounds(request: &LaunchRequest<'_>, options: &CompileOptions) -> Bounds {
    match options.index_width {
        IndexWidth::Auto => launch_bounds(request, None).rounded(),
        _ if options.sanitize.overflow => launch_bounds(request, None).rounded(),
        _ => Bounds::any(),
    }
}

/// The arguments behind the kernel's own that its checks need.
pub(crate) fn guard_args<'s>(
    request: &LaunchRequest<'_>,
    loaded: &Loaded,
    copies: &'s [Option<Rc<Copy>>],
    record: Option<&'s Buffer>,
) -> Vec<Arg<'s>> {
    let memory = |name: &String| {
        let at = request.args.iter().position(|(known, _)| known == name)?;
        copies.get(at)?.as_ref().map(|copy| &copy.buffer)
    };
    let arg = |hidden: &Hidden| match hidden {
        Hidden::FirstByte(name) => Arg::I64(memory(name).map_or(0, |buffer| buffer.address() as i64)),
        Hidden::EndByte(name) => {
            Arg::I64(memory(name).map_or(i64::MAX, |buffer| (buffer.address() + buffer.len() as u64) as i64))
        }
        Hidden::Record => record.map_or(Arg::Null, |record| Arg::Buffer(record, 0)),
    };
    loaded.guards.hidden.iter().map(arg).collect()
}

impl<W: SessionWatcher> Session<W> {
    /// The width that a launch needs: `auto` becomes the program's own where no offset can overflow, which most launches of a
    /// kernel share.
    pub(crate) fn fitting_width(&mut self, request: &LaunchRequest<'_>, args: &[Argument]) -> IndexWidth {
        let width = request.options.index_width;
        if width != IndexWidth::Auto {
            return width;
        }
        let bounds = compile_bounds(request, &request.options);
        let key = (request.kernel.to_string(), bounds);
        let needs = match self.warned.widths.get(&key) {
            Some(needs) => *needs,
            None => {
                let globals = self.kernels.globals(request.module, &request.globals);
                let needs = tk_driver::can_overflow(&self.unit(request, (args, &globals), key.1.clone()));
                self.warned.widths.insert(key, needs);
                needs
            }
        };
        if needs { width } else { IndexWidth::Written }
    }

    /// What analyses look at: a request with its signature and the module's constants.
    fn unit<'u>(
        &self,
        request: &'u LaunchRequest<'_>,
        (args, globals): (&'u [Argument], &'u [NamedConstant]),
        bounds: Bounds,
    ) -> Unit<'u> {
        let (module, kernel) = (request.module, request.kernel);
        Unit { module, kernel, args, globals, options: request.options.clone(), target: self.target, bounds }
    }

    /// Warns about the tensors and the sizes of a launch, once for each kind of launch.
    pub(crate) fn warn_about(&mut self, request: &LaunchRequest<'_>) {
        for warning in &request.warnings {
            self.warn_once(warning.clone());
        }
        let options = &request.options;
        if options.index_width != IndexWidth::Written || options.sanitize.overflow || !is_long(request) {
            return;
        }
        // Loaded indices are taken for natural: what a table holds is an index, not any number.
        let bounds = launch_bounds(request, Some(Interval::new(0, i32::MAX.into())));
        if !self.warned.overflows.insert((request.kernel.to_string(), bounds.rounded())) {
            return;
        }
        let Ok(args) = self.arguments(request) else { return };
        let globals = self.kernels.globals(request.module, &request.globals);
        for warning in tk_driver::overflows(&self.unit(request, (&args, &globals), bounds)).unwrap_or_default() {
            self.warn_once(warning.at(&request.module.file, request.call_span, "in this launch"));
        }
    }

    pub(crate) fn warn_once(&mut self, warning: Diagnostic) {
        let span = warning.labels.first().map(|label| label.span).unwrap_or_default();
        if self.warned.messages.insert((warning.message.clone(), span)) {
            self.warnings.push(warning);
        }
    }

    /// A record in which nothing has failed, for a kernel with checks.
    pub(crate) fn record_for(&self, loaded: &Loaded) -> Result<Option<Buffer>> {
        if loaded.guards.is_empty() {
            return Ok(None);
        }
        let words = loaded.guards.empty_record();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device.upload(&bytes).map(Some)
    }

    /// Waits for the kernel and reports what its checks found.
    pub(crate) fn read_record(&self, request: &LaunchRequest<'_>, loaded: &Loaded, record: &Buffer) -> Result<()> {
        let bytes = self.device.download(record)?;
        let words: Vec<i64> = bytes.as_chunks().0.iter().map(|word: &[u8; 8]| i64::from_le_bytes(*word)).collect();
        let length = |name: &str| {
            request.args.iter().find(|(known, _)| *known == name).and_then(|(_, arg)| match arg {
                LaunchArg::Buffer { buffer, .. } => Some(buffer.len() as u64),
                _ => None,
            })
        };
        match loaded.guards.failure(&words, request.grid, &length) {
            Some(error) => Err(error.at(&request.module.file, request.call_span, "in this launch").boxed()),
            None => Ok(()),
        }
    }
}
