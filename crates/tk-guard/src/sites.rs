//! What the checks of a kernel mean: the place of each, and the parameters that a launch adds for them.
//!
//! A check that fails writes to the record, [`WORDS_PER_SITE`] 64-bit words for every site: the least number of a program
//! that failed there, the greatest and the least value that failed. All three are atomic minima and maxima, so a record is
//! the same on every run, on a GPU as on the simulator, and no thread has to wait for another.

use tk_check::checked::{DescriptorFacts, Element, Kernel, Loc, Param, Type, Value, ValueInfo};
use tk_diag::{Diagnostic, OFFSET_OVERFLOW, OUT_OF_BOUNDS, SourceFile};
use tk_types::{Facts, ScalarType};

/// 64-bit words of the record for each site.
pub const WORDS_PER_SITE: usize = 3;

/// A parameter that a kernel with checks has behind its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The first address of the memory that an argument points into, as an i64; the argument by name.
    FirstByte(String),
    /// One past its last address.
    EndByte(String),
    /// The record.
    Record,
}

/// What a site checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// Arithmetic of this type; the recorded value is its exact result.
    Overflow {
        /// What `value` had to fit.
        scalar: ScalarType,
    },
    /// An access whose address an overflow made another one; the recorded value says nothing.
    WrongAddress {
        /// `reads`, `writes`, `updates`.
        what: &'static str,
    },
    /// An access; the recorded value is the distance in bytes from the first byte of the argument's memory.
    Access {
        /// `reads`, `writes`, `updates`.
        what: &'static str,
        /// The parameter that the address comes from.
        argument: String,
        /// Bytes of one element.
        bytes: u32,
    },
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What it checks.
    pub kind: SiteKind,
    /// Where it is.
    pub loc: Loc,
}

/// The checks of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// By number.
    pub sites: Vec<Site>,
    /// Parameters behind the kernel's own, in order.
    pub hidden: Vec<Hidden>,
    /// The file and the kernel that the sites are in.
    pub(crate) file: Option<SourceFile>,
    pub(crate) kernel: String,
    pub(crate) call_sites: Vec<Loc>,
    pub(crate) record: Option<Value>,
}

impl Guards {
    /// Whether a launch has anything to pass and to read.
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    /// The record before a launch: nothing has failed.
    pub fn empty_record(&self) -> Vec<i64> {
        self.sites.iter().flat_map(|_| [-1, i64::MIN, i64::MAX]).collect()
    }

    /// The error that a record tells, if any check failed. `grid` gives program numbers their coordinates, `lengths` the
    /// size in bytes of the memory behind each argument.
    pub fn failure(&self, record: &[i64], grid: [u32; 3], length: &dyn Fn(&str) -> Option<u64>) -> Option<Diagnostic> {
        let failed: Vec<(&Site, &[i64])> =
            self.sites.iter().zip(record.chunks_exact(WORDS_PER_SITE)).filter(|(_, words)| words[0] != -1).collect();
        // An overflow counts where an access uses it: in elements that a mask leaves out it does no harm.
        let used = failed.iter().find(|(site, _)| matches!(site.kind, SiteKind::WrongAddress { .. }));
        let counts = |site: &Site| match site.kind {
            SiteKind::Overflow { .. } => used.is_some(),
            SiteKind::WrongAddress { .. } => false,
            SiteKind::Access { .. } => true,
        };
        let failed: Vec<(&Site, &[i64])> = failed.iter().copied().filter(|(site, _)| counts(site)).collect();
        let (site, words) = failed.first()?;
        let at_fault = used.filter(|_| matches!(site.kind, SiteKind::Overflow { .. }));
        let program = coordinates(at_fault.map_or(words[0], |(_, words)| words[0]), grid);
        let mut error = match &site.kind {
            SiteKind::Overflow { scalar } => self.overflow(*scalar, words, site.loc),
            SiteKind::Access { what, argument, bytes } => {
                let bytes = i64::from(*bytes);
                self.access(what, argument, bytes, words, length(argument))
            }
            SiteKind::WrongAddress { .. } => return None,
        };
        if let Some(file) = &self.file {
            error = error.at(file, site.loc.span, format!("in program {program}"));
            let mut call = site.loc.call;
            while let Some(at) = call.and_then(|index| self.call_sites.get(index as usize)) {
                error = error.at(file, at.span, "in this call");
                call = at.call;
            }
        }
        if let (Some((user, _)), Some(file)) = (at_fault, &self.file)
            && let SiteKind::WrongAddress { what } = user.kind
        {
            error = error.at(file, user.loc.span, format!("this {what} the wrong address"));
        }
        if failed.len() > 1 {
            error = error.note(match failed.len() - 1 {
                1 => "one more place of the kernel failed in this launch".into(),
                more => format!("{more} more places of the kernel failed in this launch"),
            });
        }
        Some(error)
    }

    fn overflow(&self, scalar: ScalarType, words: &[i64], loc: Loc) -> Diagnostic {
        let range = crate::bounds::of_type(scalar);
        let value = if i128::from(words[1]) > range.high { words[1] } else { words[2] };
        let text = self.file.as_ref().map_or("", |file| file.slice(loc.span));
        let what = if text.is_empty() || text.contains('\n') { "an offset".into() } else { format!("`{text}`") };
        let name = scalar.tl_name();
        Diagnostic::error(OFFSET_OVERFLOW, format!("{what} overflows {name} in the kernel `{}`", self.kernel))
            .note(format!("its exact value is {value}, and {name} holds {range}"))
            .help("Cast an operand with `.to(tl.int64)` before this, or compile with --index-width auto.")
    }

    fn access(&self, what: &str, argument: &str, bytes: i64, words: &[i64], length: Option<u64>) -> Diagnostic {
        let elements = length.map(|length| length as i64 / bytes);
        // The greatest offset when it is behind the end, else the least, which is before the start.
        let offset = if words[2] < 0 { words[2] } else { words[1] };
        let element = offset.div_euclid(bytes);
        let message = format!(
            "the kernel `{}` {what} element {element} of `{argument}`{}",
            self.kernel,
            match elements {
                Some(elements) => format!(", which has {elements}"),
                None => String::new(),
            }
        );
        Diagnostic::error(OUT_OF_BOUNDS, message)
            .help("Give the access a mask, or check the sizes and strides of the launch.")
    }

    /// The hidden parameter that points to the record, made when it is first asked for.
    pub(crate) fn record_of(&mut self, kernel: &mut Kernel) -> Value {
        if let Some(record) = self.record {
            return record;
        }
        self.file = Some(kernel.file.clone());
        self.kernel = kernel.name.clone();
        self.call_sites = kernel.call_sites.clone();
        let element = Element::Pointer { pointee: Box::new(Element::Scalar(ScalarType::I64)), constant: false };
        let record = self.parameter(kernel, Hidden::Record, "tk.record", Type { element, shape: Vec::new() });
        self.record = Some(record);
        record
    }

    /// A hidden parameter.
    pub(crate) fn parameter(&mut self, kernel: &mut Kernel, hidden: Hidden, name: &str, ty: Type) -> Value {
        let value = Value(kernel.values.len() as u32);
        kernel.values.push(ValueInfo::new(ty, Some(name.to_string())));
        let span = kernel.params.first().map(|param| param.span).unwrap_or_default();
        kernel.params.push(Param {
            name: name.to_string(),
            value,
            facts: Facts::NONE,
            descriptor: DescriptorFacts::default(),
            span,
        });
        self.hidden.push(hidden);
        value
    }

    /// The number of a new site.
    pub(crate) fn site(&mut self, kind: SiteKind, loc: Loc) -> u32 {
        self.sites.push(Site { kind, loc });
        self.sites.len() as u32 - 1
    }
}

/// `(x, y, z)` of a program's number, which counts x first.
fn coordinates(number: i64, grid: [u32; 3]) -> String {
    let [x, y] = [grid[0], grid[1]].map(|size| i64::from(size.max(1)));
    format!("({}, {}, {})", number % x, number / x % y, number / (x * y))
}
