//! What to compile: one kernel of one file, for one signature, one set of options and one target.

use tk_grammar::ast;
use tk_guard::Bounds;
use tk_target::Target;
use tk_types::{Argument, CompileOptions, NamedConstant};

/// One compilation.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    /// The parsed file.
    pub module: &'a ast::Module,
    /// The kernel's name.
    pub kernel: &'a str,
    /// Every parameter by name, run-time or constexpr.
    pub args: &'a [Argument],
    /// Module-level names that have other values than the text of the file gives them, or values that only running it gives.
    pub globals: &'a [NamedConstant],
    /// Warps, stages and so on.
    pub options: CompileOptions,
    /// The GPU.
    pub target: Target,
    /// What is known of sizes at run time; [`Bounds::any`] when nothing is.
    pub bounds: Bounds,
}

impl Unit<'_> {
    /// A text that differs whenever the artifact may differ: the key of caches. `compiler` names this build of tk.
    pub fn cache_key(&self, compiler: &str) -> String {
        let mut key = format!("{compiler}\n{}\n{:?}\n{}\n", self.target, self.options, self.kernel);
        for arg in self.args {
            key.push_str(&format!("{arg} {:?}\n", arg.facts));
        }
        for NamedConstant { name, value } in self.globals {
            key.push_str(&format!("{name} = {value}\n"));
        }
        if self.options.index_width == tk_types::IndexWidth::Auto {
            key.push_str(&format!("{:?}\n", self.bounds));
        }
        key.push_str(&self.module.file.whole());
        key.push_str(&format!("\n{}", self.module.part()));
        key
    }
}
