//! What the host code of a file launches its kernels with, read without running it.
//!
//! A walk over the host functions that keeps what a reader sees at a glance: numbers, strings, types, functions that are
//! passed on, the element types of tensors and the blocks of descriptors. Calls of host functions are followed with their
//! arguments, since launches often stand in one that is called with many kinds of them; a loop over a list is walked
//! with one item of it, which [`Host::read`] chooses; of a condition that is not known both ways are walked. What is not seen is
//! [`Known::Unknown`], never guessed here. It does not use the interpreter of host functions: a check must not run programs.

use crate::arithmetic::{arithmetic, compared, negated};
use crate::known::Known;
use crate::{faults, tensors};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Diagnostic;
use tk_grammar::ast::{Argument, Comprehension, Expr, ExprKind, FunctionDef, Module, Param, ParamKind, Stmt, StmtKind};
use tk_types::ConstValue;

/// Calls inside calls that are followed.
const DEPTH: usize = 6;
/// Statements and expressions looked at; files of generated tests have many thousands.
const STEPS: u32 = 200_000;
/// Items of a list that are kept.
pub(crate) const ITEMS: usize = 16;
/// Launches that are kept.
const LAUNCHES: usize = 400;

/// One call of a kernel: `kernel[grid](…)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call<'m> {
    pub(crate) kernel: String,
    pub(crate) positional: Vec<Known>,
    pub(crate) keywords: Vec<(&'m str, Known)>,
    pub(crate) grid: Known,
}

/// What a walk finds.
pub(crate) struct Read<'m> {
    pub(crate) calls: Vec<Call<'m>>,
    /// What cannot work; several times where it is walked several times.
    pub(crate) faults: Vec<Diagnostic>,
}

/// Names of a host function, or of the file.
type Scope<'m> = FxHashMap<&'m str, Known>;

/// The walk.
pub(crate) struct Host<'m> {
    functions: FxHashMap<&'m str, &'m FunctionDef>,
    kernels: FxHashSet<&'m str>,
    imports: FxHashMap<&'m str, String>,
    globals: Scope<'m>,
    calls: Vec<Call<'m>>,
    faults: Vec<Diagnostic>,
    module: &'m Module,
    /// Functions that no other one of the file shares its name with.
    unique: FxHashMap<&'m str, &'m FunctionDef>,
    /// The function that is walked.
    within: Option<&'m FunctionDef>,
    choice: usize,
    depth: usize,
    steps: u32,
}

impl<'m> Host<'m> {
    /// The launches of a file where every loop over a list is at its item number `choice`, or at its last, and what cannot work.
    pub(crate) fn read(module: &'m Module, choice: usize) -> Read<'m> {
        let mut unique: FxHashMap<&'m str, &'m FunctionDef> = FxHashMap::default();
        for function in module.functions() {
            if unique.insert(&function.name.text, function).is_some_and(|other| other.span != function.span) {
                unique.remove(function.name.text.as_str());
            }
        }
        let (kernels, functions): (Vec<_>, Vec<_>) = module.functions().partition(|function| function.is_jit());
        let mut host = Self {
            functions: functions.iter().map(|function| (function.name.text.as_str(), *function)).collect(),
            kernels: kernels.iter().map(|kernel| kernel.name.text.as_str()).collect(),
            imports: FxHashMap::default(),
            globals: FxHashMap::default(),
            calls: Vec::new(),
            faults: Vec::new(),
            module,
            unique,
            within: None,
            choice,
            depth: 0,
            steps: 0,
        };
        host.imports(&module.body);
        let mut globals = Scope::default();
        // Assignments of the file see those before them.
        for stmt in module.body.iter() {
            host.stmts(std::slice::from_ref(stmt), &mut globals);
            if let StmtKind::Assign { .. } | StmtKind::AnnAssign { .. } = stmt.kind {
                host.globals = globals.clone();
            }
        }
        host.globals = globals;
        for function in functions {
            host.enter(function, &[], &[]);
        }
        Read { calls: host.calls, faults: host.faults }
    }

    fn imports(&mut self, body: &'m [Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Import(names) => names.iter().for_each(|alias| match &alias.alias {
                    Some(name) => _ = self.imports.insert(&name.text, alias.name.clone()),
                    None => {
                        let root = alias.name.split('.').next().unwrap_or(&alias.name);
                        self.imports.insert(root, root.to_string());
                    }
                }),
                StmtKind::ImportFrom { module, names } => names.iter().for_each(|alias| {
                    let name = alias.alias.as_ref().map_or(alias.name.as_str(), |name| name.text.as_str());
                    self.imports.insert(name, format!("{module}.{}", alias.name));
                }),
                StmtKind::If { body, orelse, .. } => [orelse, body].into_iter().for_each(|body| self.imports(body)),
                StmtKind::Try { body, handlers, .. } => {
                    handlers.iter().for_each(|handler| self.imports(&handler.body));
                    self.imports(body);
                }
                _ => {}
            }
        }
    }

    /// Walks a function; what it gives.
    fn enter(&mut self, function: &'m FunctionDef, positional: &[Known], keywords: &[(&'m str, Known)]) -> Known {
        if self.depth >= DEPTH {
            return Known::Unknown;
        }
        self.depth += 1;
        let mut scope = Scope::default();
        for (index, param) in function.params.iter().enumerate() {
            let value = self.parameter(param, index, positional, keywords);
            scope.insert(&param.name.text, value);
        }
        let outer = self.within.replace(function);
        let given = self.stmts(&function.body, &mut scope);
        self.within = outer;
        self.depth -= 1;
        given.unwrap_or(Known::Constant(ConstValue::None))
    }

    fn parameter(
        &mut self,
        param: &'m Param,
        index: usize,
        positional: &[Known],
        keywords: &[(&'m str, Known)],
    ) -> Known {
        match param.kind {
            ParamKind::VarArgs => Known::Items(positional.get(index..).unwrap_or_default().to_vec()),
            ParamKind::KeywordArgs => Known::Unknown,
            _ => {
                let named = keywords.iter().find(|(name, _)| *name == param.name.text).map(|(_, value)| value);
                match (named.or_else(|| positional.get(index)), &param.default) {
                    (Some(value), _) => value.clone(),
                    // Who calls a function that nothing in the file calls gives it more than `None`, or it would not be a parameter.
                    (None, Some(Expr { kind: ExprKind::None, .. })) if self.depth == 1 => Known::Unknown,
                    (None, Some(default)) => self.expr(default, &mut Scope::default()),
                    (None, None) => Known::Unknown,
                }
            }
        }
    }

    /// Walks statements; what they return, if they do.
    fn stmts(&mut self, body: &'m [Stmt], scope: &mut Scope<'m>) -> Option<Known> {
        let mut perhaps = None;
        for stmt in body {
            match self.stmt(stmt, scope) {
                Flow::On => {}
                Flow::Returns(value) => return Some(value),
                Flow::MayReturn(value) => perhaps = Some(value),
            }
        }
        perhaps
    }

    fn stmt(&mut self, stmt: &'m Stmt, scope: &mut Scope<'m>) -> Flow {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                let value = self.expr(value, scope);
                targets.iter().for_each(|target| assign(target, &value, scope));
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                let value = self.expr(value, scope);
                assign(target, &value, scope);
            }
            StmtKind::AugAssign { target, op, value } => {
                let right = self.expr(value, scope);
                let left = self.expr(target, scope);
                assign(target, &arithmetic(*op, &left, &right), scope);
            }
            StmtKind::Expr(value) | StmtKind::Assert { test: value, .. } => _ = self.expr(value, scope),
            StmtKind::Return(value) => {
                let none = Known::Constant(ConstValue::None);
                return Flow::Returns(value.as_ref().map_or(none, |value| self.expr(value, scope)));
            }
            StmtKind::If { test, body, orelse } => {
                let test = self.expr(test, scope).truth();
                let parts = match test {
                    Some(true) => vec![body],
                    Some(false) => vec![orelse],
                    None => vec![body, orelse],
                };
                return self.parts(&parts, test.is_some(), scope);
            }
            StmtKind::For { target, iter, body, orelse } => {
                let item = self.item(iter, scope);
                assign(target, &item, scope);
                return self.parts(&[body, orelse], false, scope);
            }
            StmtKind::While { body, orelse, .. } => return self.parts(&[body, orelse], false, scope),
            StmtKind::With { body, .. } => return self.parts(&[body], true, scope),
            StmtKind::Try { body, orelse, finally, .. } => return self.parts(&[body, orelse, finally], false, scope),
            StmtKind::FunctionDef(function) if !function.is_jit() && self.depth > 0 => {
                // What it reads of the function around it is known here.
                let mut inner = scope.clone();
                inner.extend(function.params.iter().map(|param| (param.name.text.as_str(), Known::Unknown)));
                self.stmts(&function.body, &mut inner);
            }
            _ => {}
        }
        Flow::On
    }

    fn parts(&mut self, parts: &[&'m Vec<Stmt>], certain: bool, scope: &mut Scope<'m>) -> Flow {
        let returned = parts.iter().filter_map(|body| self.stmts(body, scope)).next();
        match returned {
            None => Flow::On,
            Some(value) if certain => Flow::Returns(value),
            Some(value) => Flow::MayReturn(value),
        }
    }

    /// The item of a list that this walk takes.
    fn item(&mut self, iter: &'m Expr, scope: &mut Scope<'m>) -> Known {
        match self.expr(iter, scope) {
            Known::Items(items) => items.get(self.choice).or(items.last()).cloned().unwrap_or(Known::Unknown),
            _ => Known::Unknown,
        }
    }

    fn expr(&mut self, expr: &'m Expr, scope: &mut Scope<'m>) -> Known {
        self.steps += 1;
        if self.steps > STEPS {
            return Known::Unknown;
        }
        match &expr.kind {
            ExprKind::Int(value) => Known::Constant(ConstValue::Int(*value)),
            ExprKind::Float(value) => Known::Constant(ConstValue::Float(*value)),
            ExprKind::Str(text) => Known::Constant(ConstValue::Str(text.clone())),
            ExprKind::Bool(value) => Known::Constant(ConstValue::Bool(*value)),
            ExprKind::None => Known::Constant(ConstValue::None),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let items: Vec<Known> = items.iter().map(|item| self.expr(item, scope)).collect();
                // A list that is cut would have another length.
                if items.len() > 4 * ITEMS { Known::Unknown } else { Known::Items(items) }
            }
            ExprKind::Dict(items) => self.table(items, scope),
            ExprKind::Unary { op, operand } => negated(*op, self.expr(operand, scope)),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(left, scope), self.expr(right, scope));
                arithmetic(*op, &left, &right)
            }
            ExprKind::Compare { left, rest } => {
                let left = self.expr(left, scope);
                let rest: Vec<Known> = rest.iter().map(|(_, right)| self.expr(right, scope)).collect();
                compared(expr, &left, &rest)
            }
            ExprKind::IfElse { test, body, orelse } => {
                let test = self.expr(test, scope).truth();
                let (yes, no) = (self.expr(body, scope), self.expr(orelse, scope));
                if test == Some(false) { no } else { yes }
            }
            ExprKind::Attribute { value, name } => match self.path(expr, scope) {
                Some(path) => tensors::named(&path),
                None => tensors::attribute(&self.expr(value, scope), &name.text),
            },
            ExprKind::Subscript { value, index } => {
                let (value, index) = (self.expr(value, scope), self.expr(index, scope));
                tensors::subscript(&value, &index)
            }
            ExprKind::Call { func, args } => self.call(func, args, scope),
            ExprKind::Lambda { params, body } => {
                let mut inner = scope.clone();
                inner.extend(params.iter().map(|param| (param.name.text.as_str(), Known::Unknown)));
                self.expr(body, &mut inner);
                Known::Unknown
            }
            ExprKind::Walrus { name, value } => {
                let value = self.expr(value, scope);
                scope.insert(&name.text, value.clone());
                value
            }
            ExprKind::Starred(value) => self.expr(value, scope),
            ExprKind::ListComp { element, clauses } | ExprKind::GeneratorExp { element, clauses } => {
                self.comprehension(element, clauses, scope)
            }
            _ => {
                expr.each_child(&mut |child| _ = self.expr(child, scope));
                Known::Unknown
            }
        }
    }

    fn table(&mut self, items: &'m [(Option<Expr>, Expr)], scope: &mut Scope<'m>) -> Known {
        let mut table = Vec::new();
        for (key, value) in items {
            let key = key.as_ref().map(|key| self.expr(key, scope));
            let value = self.expr(value, scope);
            match key.and_then(|key| key.constant()) {
                Some(key) if table.len() < ITEMS => table.push((key, value)),
                _ => return Known::Unknown,
            }
        }
        Known::Table(table)
    }

    fn comprehension(&mut self, element: &'m Expr, clauses: &'m [Comprehension], scope: &mut Scope<'m>) -> Known {
        let [clause] = clauses else { return Known::Unknown };
        let Known::Items(items) = self.expr(&clause.iter, scope) else { return Known::Unknown };
        if !clause.conditions.is_empty() || items.len() > ITEMS {
            return Known::Unknown;
        }
        let mut inner = scope.clone();
        let elements = items.iter().map(|item| {
            assign(&clause.target, item, &mut inner);
            self.expr(element, &mut inner)
        });
        Known::Items(elements.collect())
    }

    fn name(&self, name: &str, scope: &Scope<'m>) -> Known {
        if let Some(known) = scope.get(name).or_else(|| self.globals.get(name)) {
            return known.clone();
        }
        if self.kernels.contains(name) {
            return Known::Constant(ConstValue::Function(name.to_string()));
        }
        self.imports.get(name).map_or(Known::Unknown, |path| tensors::named(path))
    }

    /// The dotted path of something that was imported.
    fn path(&self, expr: &Expr, scope: &Scope<'m>) -> Option<String> {
        let dotted = expr.dotted_name()?;
        let (root, rest) = dotted.split_once('.').map_or((dotted.as_str(), ""), |(root, rest)| (root, rest));
        if scope.contains_key(root) {
            return None;
        }
        let path = self.imports.get(root)?;
        Some(if rest.is_empty() { path.clone() } else { format!("{path}.{rest}") })
    }

    fn call(&mut self, func: &'m Expr, args: &'m [Argument], scope: &mut Scope<'m>) -> Known {
        let (mut positional, mut keywords) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                Argument::Positional(value) => positional.push(self.expr(value, scope)),
                Argument::Keyword(name, value) => keywords.push((name.text.as_str(), self.expr(value, scope))),
                Argument::Star(value) => match self.expr(value, scope) {
                    Known::Items(items) => positional.extend(items),
                    _ => positional.extend(std::iter::repeat_n(Known::Unknown, ITEMS)),
                },
                Argument::DoubleStar(value) => _ = self.expr(value, scope),
            }
        }
        if let ExprKind::Subscript { value, index } = &func.kind {
            let grid = self.expr(index, scope);
            let launch = Launched { func, grid: index, target: value, value: &grid };
            self.launch_faults(&launch, args, (&positional, &keywords), scope);
            if let Known::Constant(ConstValue::Function(kernel)) = self.expr(value, scope) {
                let call = Call { kernel, positional, keywords, grid };
                if self.kernels.contains(call.kernel.as_str())
                    && self.calls.len() < LAUNCHES
                    && !self.calls.contains(&call)
                {
                    self.calls.push(call);
                }
            }
            return Known::Unknown;
        }
        if let ExprKind::Name(name) = &func.kind
            && !scope.contains_key(name.as_str())
        {
            self.misuse(name, func);
            return match self.functions.get(name.as_str()).copied() {
                Some(function) => self.enter(function, &positional, &keywords),
                None => {
                    let path = self.imports.get(name.as_str()).cloned().unwrap_or_else(|| name.clone());
                    self.descriptor_faults(&path, func, &positional, &keywords);
                    tensors::call(&path, &positional, &keywords)
                }
            };
        }
        match (&func.kind, self.path(func, scope)) {
            (_, Some(path)) => {
                self.descriptor_faults(&path, func, &positional, &keywords);
                tensors::call(&path, &positional, &keywords)
            }
            (ExprKind::Attribute { value, name }, None) => {
                let value = self.expr(value, scope);
                tensors::method(&value, &name.text, &positional, &keywords)
            }
            _ => Known::Unknown,
        }
    }
}

/// `target[grid]` of a launch.
struct Launched<'l, 'm> {
    func: &'m Expr,
    target: &'m Expr,
    grid: &'m Expr,
    value: &'l Known,
}

/// What cannot work.
impl<'m> Host<'m> {
    /// The function that a name means, where nothing else has that name.
    fn certain(&self, expr: &Expr, scope: &Scope<'m>) -> Option<&'m FunctionDef> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let is_bound = scope.contains_key(name.as_str()) || self.globals.contains_key(name.as_str());
        self.unique.get(name.as_str()).copied().filter(|_| !is_bound && !self.imports.contains_key(name.as_str()))
    }

    fn launch_faults(
        &mut self,
        launch: &Launched<'_, 'm>,
        args: &'m [Argument],
        (positional, keywords): (&[Known], &[(&'m str, Known)]),
        scope: &Scope<'m>,
    ) {
        let Some(function) = self.certain(launch.target, scope) else { return };
        if !function.is_jit() {
            return self.faults.extend(faults::misused(self.module, function, launch.func));
        }
        let launch = faults::Launch {
            module: self.module,
            kernel: function,
            launched: launch.func,
            grid: launch.grid,
            grid_value: launch.value,
            args,
            positional,
            keywords,
        };
        self.faults.extend(launch.faults());
    }

    fn misuse(&mut self, name: &str, func: &'m Expr) {
        if self.within.is_none_or(|function| faults::is_device(self.module, function)) {
            return;
        }
        if let Some(function) = self.unique.get(name).filter(|function| function.is_jit()) {
            self.faults.extend(faults::misused(self.module, function, func));
        }
    }

    fn descriptor_faults(&mut self, path: &str, func: &Expr, positional: &[Known], keywords: &[(&'m str, Known)]) {
        if path.ends_with("TensorDescriptor") || path.ends_with("TensorDescriptor.from_tensor") {
            self.faults.extend(faults::descriptor(self.module, func.span, path, positional, keywords));
        }
    }
}

/// What comes after a statement.
enum Flow {
    On,
    Returns(Known),
    /// It returns this, or goes on.
    MayReturn(Known),
}

/// Binds names; what is unpacked from something unknown is unknown.
fn assign<'m>(target: &'m Expr, value: &Known, scope: &mut Scope<'m>) {
    match &target.kind {
        ExprKind::Name(name) => _ = scope.insert(name, value.clone()),
        ExprKind::Tuple(targets) | ExprKind::List(targets) => match value {
            Known::Items(items) if items.len() == targets.len() => {
                targets.iter().zip(items).for_each(|(target, item)| assign(target, item, scope));
            }
            _ => targets.iter().for_each(|target| assign(target, &Known::Unknown, scope)),
        },
        _ => {}
    }
}
