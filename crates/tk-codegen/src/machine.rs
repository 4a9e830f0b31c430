//! The NVPTX target machine: LLVM's passes, and PTX text.

use crate::code::{bug, set_llvm_options};
use crate::{conditions, late_extensions, long_code, narrow_divisions, selected_terms, wide_sums};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::{FlagBehavior, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use std::sync::Once;
use tk_diag::Result;
use tk_target::PtxVersion;

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// LLVM's passes over the emitted function. The emitter has numbered values, hoisted invariants and rotated loops already, so this
/// short list gives the code of `default<O3>` (which would also unroll loops, against the program's word) in an eighth of its time
/// (docs/measurements.md, "A short list of LLVM's passes").
const PASSES: &str = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";

/// Where nothing is multiplied by tensor cores, what two branches both end with stands behind them (docs/measurements.md, "Branches end with what is theirs").
const PASSES_WITHOUT_PRODUCTS: &str =
    "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg<sink-common-insts>)";

/// A target machine for one GPU.
pub(crate) struct Machine {
    machine: TargetMachine,
}

impl Machine {
    /// The machine for a target.
    pub(crate) fn new(target: &tk_target::Target) -> Result<Self> {
        static INITIALISED: Once = Once::new();
        INITIALISED.call_once(|| {
            // Shared memory is addressed with 32 bits. Loop strength reduction would give every pointer of a tensor an addition of its
            // own again, for which loops have no time (docs/measurements.md, "A short list of LLVM's passes"). The emitter computes
            // where something is needed; what would be moved further are loads, behind branches that wait for others (docs/measurements.md, "Loads stay before branches").
            set_llvm_options(&[c"-nvptx-short-ptr", c"-disable-lsr", c"-instcombine-code-sinking=0"]);
            Target::initialize_nvptx(&InitializationConfig::default());
        });
        let triple = TargetTriple::create(TRIPLE);
        let llvm_target = Target::from_triple(&triple).map_err(|why| bug(format!("LLVM has no NVPTX: {why}")))?;
        let PtxVersion { major, minor } = target.ptx_version();
        let features = format!("+ptx{}", major * 10 + minor);
        let machine = llvm_target.create_target_machine(
            &triple,
            &target.to_string(),
            &features,
            // Higher levels give the same PTX here and take longer.
            OptimizationLevel::Less,
            RelocMode::Default,
            CodeModel::Default,
        );
        let machine = machine.ok_or_else(|| bug(format!("LLVM has no target machine for {target}")))?;
        Ok(Self { machine })
    }

    /// Sets triple and data layout.
    pub(crate) fn describe(&self, module: &Module<'_>) {
        module.set_triple(&TargetTriple::create(TRIPLE));
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());
    }

    /// Says which version of line information a new module has: LLVM drops it from text that does not say so.
    pub(crate) fn describe_lines<'l>(module: &Module<'l>, context: &'l Context) {
        const VERSION: u64 = 3;
        let version = context.i32_type().const_int(VERSION, false);
        module.add_basic_value_flag("Debug Info Version", FlagBehavior::Warning, version);
    }

    /// Runs LLVM's passes; `has_products` says whether tensor cores multiply.
    pub(crate) fn optimise(&self, module: &Module<'_>, has_products: bool) -> Result<()> {
        if cfg!(debug_assertions) {
            module.verify().map_err(|why| bug(format!("the LLVM IR is not well formed: {why}")))?;
        }
        let passes = if has_products { PASSES } else { PASSES_WITHOUT_PRODUCTS };
        module
            .run_passes(passes, &self.machine, PassBuilderOptions::create())
            .map_err(|why| bug(format!("LLVM's passes failed: {why}")))?;
        if narrow_divisions::has_wide(module) { self.run(module, narrow_divisions::PASSES) } else { Ok(()) }
    }

    /// Runs these passes over the module.
    pub(crate) fn run(&self, module: &Module<'_>, passes: &str) -> Result<()> {
        let done = module.run_passes(passes, &self.machine, PassBuilderOptions::create());
        done.map_err(|why| bug(format!("LLVM's passes `{passes}` failed: {why}")))
    }

    /// The module as PTX, for which it is changed: see [`selected_terms`], [`conditions`], [`late_extensions`], and where it is
    /// long [`long_code`].
    pub(crate) fn ptx(&self, module: &Module<'_>) -> Result<String> {
        selected_terms::select_first(module);
        conditions::keep_whole(module);
        late_extensions::keep(module);
        long_code::ease(module);
        let buffer = self.machine.write_to_memory_buffer(module, FileType::Assembly);
        let buffer = buffer.map_err(|why| bug(format!("LLVM's code generator failed: {why}")))?;
        let text = String::from_utf8_lossy(buffer.as_slice());
        let text = without_debug_target(text.trim_end_matches('\0')).replace("\t.section\t.debug_macinfo\t{\t}\n", "");
        Ok(wide_sums::merge(text))
    }
}

/// Takes `, debug` off the `.target` line: with it ptxas drops optimisation. The compile unit asks for line directives only, so
/// LLVM should not print it; this is the belt to those braces.
fn without_debug_target(ptx: &str) -> String {
    let Some(start) = ptx.find(".target ") else { return ptx.to_owned() };
    let end = ptx[start..].find('\n').map_or(ptx.len(), |length| start + length);
    match ptx[start..end].find(", debug") {
        Some(at) => format!("{}{}", &ptx[..start + at], &ptx[end..]),
        None => ptx.to_owned(),
    }
}

/// Number of PTX instructions: lines of a body that end in `;` and are no directive.
pub(crate) fn count_instructions(ptx: &str) -> u32 {
    let is_instruction = |line: &&str| {
        let line = line.split("//").next().unwrap_or("").trim();
        line.ends_with(';') && !line.starts_with('.')
    };
    ptx.lines().filter(is_instruction).count() as u32
}

/// The PTX of a module that a test writes as LLVM IR.
#[cfg(test)]
pub(crate) fn ptx_of(text: &str) -> String {
    let context = Context::create();
    let buffer = inkwell::memory_buffer::MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "f");
    let module = context.create_module_from_ir(buffer).unwrap();
    let machine = Machine::new(&tk_target::Target::parse("sm_90a").unwrap()).unwrap();
    machine.describe(&module);
    machine.ptx(&module).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debug_option_is_taken_off() {
        assert_eq!(without_debug_target(".version 8.7\n.target sm_90a, debug\n.x"), ".version 8.7\n.target sm_90a\n.x");
        assert_eq!(without_debug_target(".target sm_80\nadd, debug"), ".target sm_80\nadd, debug");
    }

    #[test]
    fn directives_and_comments_are_no_instructions() {
        assert_eq!(count_instructions("\t.reg .b32 \t%r<3>;\n\tret; // x\n// a;\n\t@%p1 bra $L;\n"), 2);
    }
}
