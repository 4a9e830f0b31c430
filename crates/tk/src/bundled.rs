//! Kernels that a program brought along in a bundle: they are taken before anything is compiled, and where a bundle promises that
//! nothing is compiled at run time, a launch that it has nothing for is an error that says what to add.

use std::sync::Arc;
use tk_diag::{BAD_LAUNCH, Diagnostic};
use tk_driver::Unit;
use tk_grammar::ast::Module;
use tk_image::{AtRunTime, Bundle, BundleEntry, ImageParam, KernelImage, ParamKind};
use tk_launch::DeviceInfo;
use tk_target::TargetName;
use tk_types::{ArgType, Argument, CompileOptions, ConstValue, Facts, ScalarType};

/// What an entry of a bundle was made from, as a short name: the text with all that it imports, the function and the options.
pub fn made_from(module: &Module, kernel: &str, options: &CompileOptions) -> String {
    // How many CTAs share a multiprocessor is a guess about launches, and code for one guess is right for the other.
    // Bundles have no code for pairs of CTAs alone.
    let usual = CompileOptions::default();
    let CompileOptions { residency, brought, pairs, .. } = usual;
    let options = CompileOptions { residency, brought, pairs, ..options.clone() };
    let mut text = format!("{kernel}\n{options:?}\n{}\n", module.part());
    for part in module.file.parts() {
        // Where the files lie is no part of it: a bundle goes to other machines.
        text.push_str(&format!("{} {}\n", part.text().len(), part.first_line()));
        text.push_str(part.text());
    }
    tk_image::digest(&text)
}

/// A kernel of a bundle for a launch.
#[derive(Debug)]
pub(crate) struct Found {
    /// The code.
    pub image: KernelImage,
    /// The arguments that it was compiled for: those of the launch with fewer facts, and with run-time parameters in place of ones.
    pub args: Vec<Argument>,
}

/// The bundles of a program, the one that is asked first at the front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bundles(Vec<Arc<Bundle>>);

impl Bundles {
    pub(crate) fn add(&mut self, bundle: Arc<Bundle>) {
        self.0.push(bundle);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kernel for a unit on a device; nothing when it has to be compiled.
    ///
    /// # Errors
    /// There is none, and a bundle promises that nothing is compiled.
    pub(crate) fn find(&self, unit: &Unit<'_>, device: &DeviceInfo) -> tk_diag::Result<Option<Found>> {
        if self.is_empty() || !unit.globals.is_empty() {
            return self.missing(unit);
        }
        let source = made_from(unit.module, unit.kernel, &unit.options);
        for bundle in &self.0 {
            let is_it = |entry: &&BundleEntry| entry.kernel == unit.kernel && entry.made_from == source;
            for entry in bundle.entries.iter().filter(is_it) {
                let images = |variant: &tk_image::Variant| choose(&variant.images, device, bundle.at_run_time).cloned();
                let fitting = entry.variants.iter().filter_map(images).find_map(|image| {
                    let args = unit.args.iter().map(|arg| served(arg, entry, &image)).collect::<Option<Vec<_>>>()?;
                    let is_free = image.limits == Default::default();
                    is_free.then_some(Found { image, args })
                });
                if fitting.is_some() {
                    return Ok(fitting);
                }
            }
        }
        self.missing(unit)
    }

    /// What is said where no bundle has a kernel: nothing, unless one promises that it has all.
    fn missing(&self, unit: &Unit<'_>) -> tk_diag::Result<Option<Found>> {
        let Some(bundle) = self.0.iter().find(|bundle| bundle.at_run_time == AtRunTime::Nothing) else {
            return Ok(None);
        };
        let runtime: Vec<String> =
            unit.args.iter().filter(|arg| arg.is_runtime()).map(|arg| format!("`{arg}`")).collect();
        let message = format!(
            "`{}` for {} on {} is not in the bundle `{}`, which promises that nothing is compiled at run time",
            unit.kernel,
            if runtime.is_empty() { "no run-time arguments".to_string() } else { runtime.join(", ") },
            unit.target,
            bundle.name
        );
        let help = format!("add this to the list of kernels, and build the bundle again:\n{}", entry_for(unit));
        let mut diagnostic = Diagnostic::error(BAD_LAUNCH, message).help(help);
        let source = made_from(unit.module, unit.kernel, &unit.options);
        let same_name: Vec<&BundleEntry> = bundle.entries.iter().filter(|entry| entry.kernel == unit.kernel).collect();
        if !same_name.is_empty() && same_name.iter().all(|entry| entry.made_from != source) {
            let note = "the bundle has a kernel of this name, which was made from another text or with other options";
            diagnostic = diagnostic.note(note);
        }
        for variant in same_name.iter().flat_map(|entry| &entry.variants) {
            diagnostic = diagnostic.note(format!("the bundle has it for {}", variant.signature));
        }
        Err(diagnostic.boxed())
    }
}

/// The table of a list of kernels that compiles a unit.
fn entry_for(unit: &Unit<'_>) -> String {
    let specs: Vec<String> =
        unit.args.iter().filter(|arg| arg.is_runtime() || is_one(arg)).map(|arg| arg.spec().to_string()).collect();
    let constants: Vec<String> = unit
        .args
        .iter()
        .filter(|arg| !is_one(arg))
        .filter_map(|arg| Some(format!("{} = {}", arg.name, toml_value(arg.constant()?))))
        .collect();
    let file = unit.module.file.name();
    let CompileOptions { num_warps, num_stages, num_ctas, maxnreg, fp_fusion, .. } = &unit.options;
    let usual = CompileOptions::default();
    let mut lines = vec![
        "[[kernel]]".to_string(),
        format!("file = {file:?}"),
        format!("kernel = {:?}", unit.kernel),
        format!("signature = {:?}", specs.join(",")),
    ];
    if !constants.is_empty() {
        lines.push(format!("constexpr = {{ {} }}", constants.join(", ")));
    }
    let mut option = |name: &str, value: String, is_usual: bool| {
        if !is_usual {
            lines.push(format!("{name} = {value}"));
        }
    };
    option("num_warps", num_warps.to_string(), *num_warps == usual.num_warps);
    option("num_stages", num_stages.to_string(), *num_stages == usual.num_stages);
    option("num_ctas", num_ctas.to_string(), *num_ctas == usual.num_ctas);
    option("maxnreg", maxnreg.unwrap_or_default().to_string(), maxnreg.is_none());
    option("fp_fusion", fp_fusion.to_string(), *fp_fusion == usual.fp_fusion);
    lines.join("\n")
}

/// Whether a launch passed a one, which it is compiled for; what a launch fixes otherwise is a compile-time argument.
fn is_one(arg: &Argument) -> bool {
    matches!(arg.constant(), Some(ConstValue::Int(1)))
}

fn toml_value(value: &ConstValue) -> String {
    match value {
        ConstValue::Bool(value) => value.to_string(),
        ConstValue::Int(value) => value.to_string(),
        other => format!("{:?}", other.to_string()),
    }
}

/// The image of a variant that a device runs without a compilation that the bundle rules out; of several that for the newest target.
fn choose<'v>(images: &'v [KernelImage], device: &DeviceInfo, at_run_time: AtRunTime) -> Option<&'v KernelImage> {
    let newest = |images: &mut dyn Iterator<Item = &'v KernelImage>| {
        images.max_by_key(|image| TargetName::parse(&image.target).map(|target| target.capability.number()))
    };
    let has_code = |image: &&KernelImage| image.cubin.is_some() && device.runs_machine_code_of(&image.target);
    // The simulator runs PTX as it is.
    let may_take_ptx = at_run_time == AtRunTime::DriverMayCompile || device.ordinal.is_none();
    newest(&mut images.iter().filter(has_code)).or_else(|| {
        let runs = |image: &&KernelImage| may_take_ptx && device.runs_ptx_of(&image.target);
        newest(&mut images.iter().filter(runs))
    })
}

/// What an image has for an argument of a launch; nothing when it was compiled for something else.
fn served(wanted: &Argument, entry: &BundleEntry, image: &KernelImage) -> Option<Argument> {
    match image.params.iter().find(|param| param.name == wanted.name) {
        Some(param) => serves(&argument_of(param)?, wanted),
        None => {
            let constant = entry.constants.iter().find(|constant| constant.name == wanted.name)?;
            (wanted.constant()?.to_string() == constant.value).then(|| wanted.clone())
        }
    }
}

/// A parameter of an image as an argument; nothing for those of descriptors, whose blocks and padding an image does not tell.
fn argument_of(param: &ImageParam) -> Option<Argument> {
    let ty = match &param.kind {
        ParamKind::Scalar(ty) => ArgType::Scalar(*ty),
        ParamKind::Pointer(Some(element)) => ArgType::Pointer { element: *element, constant: false },
        ParamKind::Pointer(None)
        | ParamKind::TensorMap(_)
        | ParamKind::DescriptorBase { .. }
        | ParamKind::MapOfPointer { .. } => return None,
    };
    Some(Argument { name: param.name.clone(), ty, facts: param.facts })
}

/// The known argument, where a kernel that was compiled for it takes what a launch wants: the same type with no more facts, or a number
/// of which the launch knows that it is one.
pub(crate) fn serves(known: &Argument, wanted: &Argument) -> Option<Argument> {
    let does = match (&known.ty, &wanted.ty) {
        (ArgType::Scalar(ty), ArgType::Constexpr(ConstValue::Int(1))) => ty.is_int() && known.facts.hold_of(1),
        (ArgType::Scalar(known_ty), ArgType::Scalar(ty)) => {
            let is_wider = *known_ty == ScalarType::I64 && *ty == ScalarType::I32;
            (known_ty == ty || is_wider) && implies(wanted.facts, known.facts)
        }
        (ArgType::Pointer { element: known_element, .. }, ArgType::Pointer { element, .. }) => {
            known_element == element && implies(wanted.facts, known.facts)
        }
        (known_ty, ty) => known_ty == ty,
    };
    does.then(|| known.clone())
}

/// Whether everything of which `known` is true has the facts of `assumed`.
fn implies(known: Facts, assumed: Facts) -> bool {
    known.multiple_of.is_multiple_of(assumed.multiple_of.max(1)) && (known.is_positive || !assumed.is_positive)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(facts: Facts) -> Argument {
        Argument { name: "n".into(), ty: ArgType::Scalar(ScalarType::I32), facts }
    }

    #[test]
    fn fewer_facts_serve_more_launches() {
        let one = Argument { ty: ArgType::Constexpr(ConstValue::Int(1)), ..number(Facts::NONE) };
        let whole = number(Facts::positive_multiple(64).unwrap());
        let (any, usual) = (number(Facts::NONE), number(Facts::USUAL));
        for wanted in [&any, &usual, &whole, &one] {
            assert_eq!(serves(&any, wanted).as_ref(), Some(&any), "{wanted}");
        }
        assert!(serves(&usual, &whole).is_some() && serves(&usual, &usual).is_some());
        for (known, wanted) in [(&usual, &any), (&usual, &one), (&whole, &usual), (&one, &any), (&one, &usual)] {
            assert_eq!(serves(known, wanted), None, "{known} for {wanted}");
        }
        let long = Argument { ty: ArgType::Scalar(ScalarType::I64), ..any.clone() };
        assert_eq!(serves(&long, &any), Some(long.clone()));
        assert_eq!(serves(&any, &long), None);
    }
}
