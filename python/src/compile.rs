//! One compilation, from a linked kernel and the arguments of a launch to a kernel on the device.
//!
//! Everything here works on plain data, so that it runs without the interpreter's lock.

use crate::loaded::Loaded;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tk::KernelImage;
use tk::Target;
use tk_diag::{Diagnostic, SourceFile};
use tk_driver::{Bounds, FormRequest, Given, Step, Unit, Until, Watcher};
use tk_import::Linked;
use tk_launch::{Assembler, DeclaredParam, Device, Kernel, LaunchValue, LookUp, SimOptions, WholeBlocks};
use tk_types::{Argument, CompileOptions};

/// A linked kernel with what it declares.
pub(crate) struct Root {
    pub(crate) linked: Linked,
    /// The name of its function.
    pub(crate) name: String,
    /// One entry per parameter.
    pub(crate) declared: Vec<DeclaredParam>,
}

/// What a kernel is compiled for.
pub(crate) struct Form {
    pub(crate) root: Arc<Root>,
    pub(crate) args: Vec<Argument>,
    pub(crate) options: CompileOptions,
    pub(crate) target: Target,
    /// IR or PTX that is compiled on in place of the kernel's own text, which then only says how it is launched.
    pub(crate) code: Option<SourceFile>,
}

/// A compiled kernel, which is loaded when it is launched for the first time.
pub(crate) struct Compiled {
    pub(crate) form: Form,
    pub(crate) image: KernelImage,
    pub(crate) loaded: Loaded,
    /// What the program calls it, where that is not the name of its function.
    pub(crate) shown: OnceLock<String>,
    /// Which of the entries of a launch are passed at run time.
    pub(crate) runtime: Vec<usize>,
    /// The name of the compiled kernel in caches.
    pub(crate) hash: String,
    pub(crate) times: Times,
    /// Forms of the kernel that were asked for.
    texts: Mutex<FxHashMap<TextForm, String>>,
}

/// What a compilation took. Both are nothing where the kernel was on the disk already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) compiling: Duration,
    /// Writing the kernel to the disk.
    pub(crate) storing: Duration,
}

/// What a compilation has to say besides its kernel.
#[derive(Default)]
pub(crate) struct Remarks {
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) printed: Vec<String>,
    /// It was there already: on the disk, or made for another launch.
    pub(crate) was_cached: bool,
}

/// Nobody watches.
struct Unwatched;

impl Watcher for Unwatched {
    fn wants_text(&self, _: &str) -> bool {
        false
    }

    fn step(&mut self, _: &Step<'_>, _: Option<&str>) -> tk_diag::Result<()> {
        Ok(())
    }
}

impl Form {
    fn unit(&self) -> Unit<'_> {
        Unit {
            module: &self.root.linked.module,
            kernel: &self.root.name,
            args: &self.args,
            globals: &[],
            options: self.options.clone(),
            target: self.target,
            bounds: Bounds::any(),
        }
    }

    /// Adds the facts about whole blocks where the kernel is compiled otherwise for them: see `tk`'s sessions.
    pub(crate) fn notice_whole_blocks(&mut self, values: &[LaunchValue]) {
        if !self.target.has_wgmma() {
            return;
        }
        let whole = tk_launch::whole_blocks(&self.args, values);
        if !whole.is_empty() && tk_driver::count_dots(&self.unit()) == Some(1) {
            whole.into_iter().for_each(|WholeBlocks { argument, facts }| self.args[argument].facts = facts);
        }
    }

    /// Everything that the machine code depends on, but for the environment's objects, whose values are part of it.
    pub(crate) fn key(&self, build: &str) -> String {
        let mut key = self.unit().cache_key(build);
        for part in &self.root.linked.module.imports.parts {
            key.push_str(&format!("\n{:?}", part.environment));
        }
        if let Some(code) = &self.code {
            key.push_str(&format!("\n{}\n{}", code.name(), code.text()));
        }
        key
    }

    /// The name of the compiled kernel in caches, by [`Self::key`].
    pub(crate) fn hash(&self, build: &str) -> String {
        tk_launch::digest(&self.key(build))
    }

    /// Compiles the kernel, or takes it from the disk. What the simulator runs is not kept on the disk.
    pub(crate) fn build(self, is_simulated: bool, build: &str) -> Result<(Compiled, Remarks), Vec<Diagnostic>> {
        let (cache, key) = (if is_simulated { None } else { tk::open_cache() }, self.key(build));
        let (mut remarks, mut times) = (Remarks::default(), Times::default());
        let mut compile = |remarks: &mut Remarks| {
            let start = Instant::now();
            let image = self.compile(is_simulated, remarks);
            times.compiling = start.elapsed();
            image
        };
        let image = match cache.as_ref().map(|cache| cache.look_up(&key)) {
            Some(LookUp::Found(image)) => {
                remarks.was_cached = true;
                *image
            }
            Some(LookUp::Missing(turn)) => {
                let image = compile(&mut remarks)?;
                let start = Instant::now();
                // A cache that cannot be written only costs time.
                let _ = turn.store(&image);
                times.storing = start.elapsed();
                image
            }
            None => compile(&mut remarks)?,
        };
        let runtime = (0..self.args.len()).filter(|at| self.args[*at].is_runtime()).collect();
        let (loaded, shown, hash) = (Loaded::default(), OnceLock::new(), tk_launch::digest(&key));
        Ok((Compiled { form: self, image, loaded, shown, runtime, hash, times, texts: Mutex::default() }, remarks))
    }

    fn compile(&self, is_simulated: bool, remarks: &mut Remarks) -> Result<KernelImage, Vec<Diagnostic>> {
        let unit = self.unit();
        let ptxas = tk_launch::find_ptxas().filter(|_| !is_simulated);
        let assembler = ptxas.map(|ptxas| Assembler::ahead(&ptxas, &unit.target.to_string(), &unit.options));
        let compilation = tk_driver::compile(&unit, Until::Ptx, &mut Unwatched)?;
        remarks.warnings = compilation.warnings;
        remarks.printed = compilation.printed;
        let mut image =
            compilation.image.ok_or_else(|| vec![Diagnostic::bug("a compilation to PTX gave no kernel image")])?;
        if let Some(request) = self.request() {
            let replaced = tk_driver::replace_code(&image, &request, &mut Unwatched);
            image = replaced.map_err(|error| vec![*error])?;
        }
        if let Some(assembler) = assembler {
            image.cubin = Some(tk::assemble(assembler, &mut image, &unit).map_err(|error| vec![*error])?);
        }
        Ok(image)
    }

    /// How the text in place of the kernel's own is compiled on.
    fn request(&self) -> Option<FormRequest<'_>> {
        let (options, target) = (self.options.clone(), self.target);
        self.code.as_ref().map(|source| FormRequest { source, given: Given::default(), options, target })
    }

    fn text(&self, until: Until) -> Result<String, Vec<Diagnostic>> {
        match self.request() {
            Some(request) => tk_driver::compile_form(&request, until, &mut Unwatched)
                .map(|made| made.text)
                .map_err(|error| vec![*error]),
            None => Ok(tk_driver::compile(&self.unit(), until, &mut Unwatched)?.text),
        }
    }

    /// What the compilation begins with: the first IR, or the text in place of the kernel's own.
    fn first_text(&self, named_values: bool) -> Result<String, Vec<Diagnostic>> {
        match &self.code {
            Some(code) => Ok(code.text().to_string()),
            None => tk_driver::first_text(&self.unit(), named_values),
        }
    }
}

/// A form of a kernel that programs ask for by Triton's name of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextForm {
    /// The first IR, with the calls of its functions.
    First,
    /// The same without places and the names of variables.
    FirstPlain,
    Tt,
    Ttg,
    Llvm,
}

impl Compiled {
    /// Loads the kernel on a device, where that was not done before. `ordinal` is the number of the GPU.
    pub(crate) fn load(&self, device: &Device, ordinal: Option<usize>) -> Result<Cow<'_, Kernel>, Vec<Diagnostic>> {
        if let Some(kernel) = self.loaded.on(ordinal) {
            return Ok(kernel);
        }
        if device.is_simulator() {
            let sources = vec![self.form.root.linked.module.file.clone()];
            device.set_sim_options(SimOptions { sources, ..SimOptions::default() });
        }
        let kernel = device.load(&self.image).map_err(|error| vec![*error])?;
        Ok(self.loaded.keep(ordinal, kernel))
    }

    /// The machine code: that of the image, or what ptxas makes of its PTX. Nothing where there is no ptxas.
    pub(crate) fn cubin(&self) -> Result<Option<Cow<'_, [u8]>>, Vec<Diagnostic>> {
        if let Some(cubin) = &self.image.cubin {
            return Ok(Some(Cow::Borrowed(cubin)));
        }
        let Some(ptxas) = tk_launch::find_ptxas() else { return Ok(None) };
        let unit = self.form.unit();
        let assembler = Assembler::new(&ptxas, &self.image.target, &unit.options);
        let assembled = tk::assemble(assembler, &mut self.image.clone(), &unit).map_err(|error| vec![*error])?;
        Ok(Some(Cow::Owned(assembled)))
    }

    /// The text of a form, made when it is asked for the first time.
    pub(crate) fn text(&self, form: TextForm) -> Result<String, Vec<Diagnostic>> {
        let mut texts = self.texts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(text) = texts.get(&form) {
            return Ok(text.clone());
        }
        let text = match form {
            TextForm::First => self.form.first_text(true)?,
            TextForm::FirstPlain => self.form.first_text(false)?,
            TextForm::Tt => self.form.text(Until::Tt)?,
            TextForm::Ttg => self.form.text(Until::Ttg)?,
            TextForm::Llvm => self.form.text(Until::Llvm)?,
        };
        texts.insert(form, text.clone());
        Ok(text)
    }
}
