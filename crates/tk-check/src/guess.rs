//! Plausible launches of a kernel whose signature nobody gave: which parameters are pointers, and values for the rest.
//!
//! A guess comes from how the body uses a parameter (what is added to an address is an integer, what is loaded through is a
//! pointer) and from how people name things. A kernel that checks under one guess is right for at least that launch; one
//! that checks under none may be wrong, or needs a launch that nobody guessed.

use crate::signature::configurations;
use std::collections::HashSet;
use tk_grammar::ast::{Argument, BinaryOp, Expr, ExprKind, FunctionDef, Module, ParamKind, Stmt, StmtKind};
use tk_types::{ArgSpec, ArgType, CompileOptions, ConstValue, ScalarType};

/// Whether a jit function is launched rather than called: it returns nothing and no other jit function of the file calls it.
pub fn is_kernel(module: &Module, function: &FunctionDef) -> bool {
    let mut walk = Walk::default();
    walk.stmts(&function.body);
    if walk.returns_value || function.params.is_empty() {
        return false;
    }
    let mut calls = HashSet::new();
    for other in module.functions().filter(|other| other.is_jit() && other.name.text != function.name.text) {
        let mut walk = Walk::default();
        walk.stmts(&other.body);
        calls.extend(walk.called);
    }
    !calls.contains(&function.name.text) && !walk.pointers.is_empty()
}

/// A signature and constexprs; each attempt is another one.
pub fn launch(module: &Module, function: &FunctionDef, attempt: u64) -> (Vec<ArgSpec>, Vec<(String, ConstValue)>) {
    let pointers = pointers_of(module, function, 0);
    let integers = integers_of(function, &pointers);
    let tuned = configurations(module, &function.name.text, &CompileOptions::default());
    let tuned = tuned.into_iter().next().map(|config| config.constexprs).unwrap_or_default();
    let mut dice = Dice(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let float = [ScalarType::F16, ScalarType::F32, ScalarType::BF16][(attempt % 3) as usize];
    let (mut specs, mut constexprs) = (Vec::new(), Vec::new());
    for param in &function.params {
        let name = param.name.text.as_str();
        if matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs) {
            continue;
        }
        if tuned.iter().any(|(known, _)| known == name) {
            continue;
        }
        let constexpr = param.annotation.as_ref().is_some_and(is_constexpr);
        if !constexpr {
            let none = matches!(param.default.as_ref().map(|d| &d.kind), Some(ExprKind::None));
            if none && dice.choose(attempt, 2) == 0 {
                constexprs.push((name.to_string(), ConstValue::None));
                continue;
            }
            specs.push(ArgSpec {
                ty: run_time(name, param.annotation.as_ref(), (&pointers, &integers), float),
                divisible_by_16: false,
            });
            continue;
        }
        let candidates = constants(name, param.default.as_ref());
        let at = dice.choose(attempt, candidates.len() as u64) as usize;
        if let Some(value) = &candidates[at] {
            constexprs.push((name.to_string(), value.clone()));
        }
    }
    (specs, constexprs)
}

/// A small deterministic generator (splitmix64).
struct Dice(u64);

impl Dice {
    /// The first choice in the first attempts, a random one later.
    fn choose(&mut self, attempt: u64, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        match attempt {
            0..=2 => 0,
            3..=5 => 1.min(count.saturating_sub(1)),
            _ => z % count.max(1),
        }
    }
}

fn is_constexpr(annotation: &Expr) -> bool {
    match &annotation.kind {
        ExprKind::Str(text) => text.contains("constexpr"),
        ExprKind::Subscript { value, .. } => is_constexpr(value),
        _ => annotation.dotted_name().is_some_and(|name| name.ends_with("constexpr")),
    }
}

fn run_time(
    name: &str,
    annotation: Option<&Expr>,
    (pointers, integers): (&HashSet<String>, &HashSet<String>),
    float: ScalarType,
) -> ArgType {
    if let Some(ExprKind::Str(text)) = annotation.map(|annotation| &annotation.kind)
        && let Some(ty) = crate::types::annotation_type(text)
    {
        return ty;
    }
    let lower = name.to_lowercase();
    let integral = integers.contains(name);
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if pointers.contains(name) {
        let element = if has(&["mask", "flag", "bool", "is_"]) {
            ScalarType::I1
        } else if integral || has(&["cu_", "seqlen", "offset", "len", "chunk_ind", "start", "loc", "table"]) {
            ScalarType::I32
        } else if has(&[
            "idx", "ind", "index", "ids", "label", "target", "slot", "lock", "count", "num", "perm", "map", "token_id",
        ]) {
            ScalarType::I64
        } else {
            float
        };
        return ArgType::Pointer { element, constant: false };
    }
    if let Some(name) = annotation.and_then(Expr::dotted_name)
        && let Some(scalar) = ScalarType::parse(name.trim_start_matches("tl."))
    {
        return ArgType::Scalar(scalar);
    }
    let real = has(&[
        "eps",
        "scale",
        "alpha",
        "beta",
        "softcap",
        "gamma",
        "float",
        "slope",
        "momentum",
        "weight",
        "lr",
        "prob",
        "threshold",
        "temperature",
        "smoothing",
        "cap",
    ]) || matches!(lower.as_str(), "p" | "value" | "val" | "lambda" | "decay" | "std" | "mean" | "factor");
    let real = real && !integral && !has(&["stride"]);
    ArgType::Scalar(if real { ScalarType::F32 } else { ScalarType::I32 })
}

/// Values that a constexpr may have; nothing means its default.
fn constants(name: &str, default: Option<&Expr>) -> Vec<Option<ConstValue>> {
    let int = |values: &[i128]| values.iter().map(|v| Some(ConstValue::Int(*v))).collect::<Vec<_>>();
    let upper = name.to_uppercase();
    let starts = |words: &[&str]| words.iter().any(|word| upper.starts_with(word));
    let has = |words: &[&str]| words.iter().any(|word| upper.contains(word));
    let mut out = Vec::new();
    if default.is_some() {
        out.push(None);
    }
    if has(&["DTYPE", "_TYPE", "OUT_TY"]) || upper == "TYPE" {
        out.extend([ScalarType::F32, ScalarType::F16, ScalarType::I32].map(|ty| Some(ConstValue::Dtype(ty))));
        out.push(Some(ConstValue::Str("float32".into())));
    } else if starts(&["BLOCK", "TILE", "CHUNK"])
        || has(&["BLOCK", "TILE"])
        || (upper.len() <= 3 && upper.starts_with('B') && upper != "B")
    {
        out.extend(int(&[64, 32, 16, 128, 1]));
    } else if starts(&[
        "USE",
        "HAS",
        "IS_",
        "DO_",
        "EVEN",
        "STORE",
        "LOAD",
        "WITH",
        "ENABLE",
        "ADD_",
        "RETURN",
        "CAUSAL",
        "COMPUTE",
        "REVERSE",
        "OUTPUT_",
        "INPUT_",
        "NEED",
        "SAVE",
        "APPLY",
        "RECOMPUTE",
        "NORM",
        "TRANS",
        "INPLACE",
        "FUSE",
        "VARLEN",
        "ALLOW",
        "MASK",
    ]) || has(&["CAUSAL", "FLAG", "TRANSPOSE", "VARLEN", "_IS_", "HAS_", "REVERSE"])
    {
        out.extend([false, true].map(|b| Some(ConstValue::Bool(b))));
        out.push(Some(ConstValue::Int(1)));
    } else if has(&["PRECISION"]) {
        out.push(Some(ConstValue::Str("ieee".into())));
    } else if has(&["ACT", "MODE", "REDUC", "METHOD"]) {
        out.extend(["none", "mean", "silu", "sum", "gelu", "relu"].map(|text| Some(ConstValue::Str(text.into()))));
        out.extend([Some(ConstValue::None), Some(ConstValue::Int(0)), Some(ConstValue::Int(1))]);
    } else if has(&["EPS", "SCALE", "ALPHA", "SOFTCAP"]) {
        out.extend([Some(ConstValue::Float(1.0)), Some(ConstValue::Int(16)), Some(ConstValue::Bool(true))]);
    } else if has(&["STAGE"]) {
        out.extend(int(&[1, 2, 3]));
    } else {
        out.extend(int(&[64, 128, 16, 1, 4]));
        out.extend([Some(ConstValue::Bool(false)), Some(ConstValue::Bool(true)), Some(ConstValue::None)]);
    }
    out
}

/// The parameters whose values reach the address of an access.
fn pointers_of(module: &Module, function: &FunctionDef, depth: usize) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.stmts(&function.body);
    let mut pointers: HashSet<String> = walk.pointers;
    if depth < 6 {
        for (callee, args) in &walk.calls {
            let Some(callee) = module.function(callee).filter(|callee| callee.is_jit()) else { continue };
            if callee.name.text == function.name.text {
                continue;
            }
            let inner = pointers_of(module, callee, depth + 1);
            for (i, arg) in args.iter().enumerate() {
                let (param, value) = match arg {
                    Argument::Positional(value) => (callee.params.get(i).map(|p| p.name.text.as_str()), value),
                    Argument::Keyword(name, value) => (Some(name.text.as_str()), value),
                    _ => continue,
                };
                if param.is_some_and(|param| inner.contains(param)) {
                    bases(value, &mut pointers);
                }
            }
        }
    }
    loop {
        let before = pointers.len();
        for (name, value) in &walk.assigned {
            if pointers.contains(name) {
                bases(value, &mut pointers);
            }
        }
        if pointers.len() == before {
            return pointers;
        }
    }
}

/// Names that are used as integers: in offsets of addresses, bounds of ranges, and integer operators; and pointers whose loads are.
fn integers_of(function: &FunctionDef, pointers: &HashSet<String>) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.stmts(&function.body);
    let mut integers = HashSet::new();
    for expr in &walk.integral {
        names_in(expr, &mut integers);
    }
    for expr in walk.addresses.iter().copied() {
        offsets(expr, pointers, &mut integers);
    }
    for (_, value) in walk.assigned.iter().filter(|(name, _)| pointers.contains(name)) {
        offsets(value, pointers, &mut integers);
    }
    loop {
        let before = integers.len();
        for (name, value) in walk.assigned.iter().filter(|(name, _)| !pointers.contains(name)) {
            if integers.contains(name) {
                names_in(value, &mut integers);
            }
        }
        if integers.len() == before {
            return integers;
        }
    }
}

/// The parts of an address that are added to its pointer.
fn offsets(expr: &Expr, pointers: &HashSet<String>, out: &mut HashSet<String>) {
    if let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } = &expr.kind {
        for side in [left, right] {
            let mut base = HashSet::new();
            bases(side, &mut base);
            if base.iter().any(|name| pointers.contains(name)) {
                offsets(side, pointers, out);
            } else {
                names_in(side, out);
            }
        }
    }
}

/// The names that an arithmetic expression is made of; of a load, the pointer.
fn names_in(expr: &Expr, out: &mut HashSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            out.insert(name.clone());
        }
        ExprKind::Binary { left, right, .. } => {
            names_in(left, out);
            names_in(right, out);
        }
        ExprKind::Unary { operand, .. } => names_in(operand, out),
        ExprKind::IfElse { body, orelse, .. } => {
            names_in(body, out);
            names_in(orelse, out);
        }
        ExprKind::Subscript { value, .. } => names_in(value, out),
        ExprKind::Call { func, args } => {
            let name = func.dotted_name().unwrap_or_default();
            match name.rsplit('.').next().unwrap_or_default() {
                "load" | "atomic_add" => {
                    if let Some(Argument::Positional(base)) = args.first() {
                        bases(base, out);
                    }
                }
                "to" => {
                    if let ExprKind::Attribute { value, .. } = &func.kind {
                        names_in(value, out);
                    }
                }
                "minimum" | "maximum" | "min" | "max" | "cdiv" | "multiple_of" | "max_contiguous" | "cumsum"
                | "sum" => {
                    for arg in args {
                        if let Argument::Positional(value) = arg {
                            names_in(value, out);
                        }
                    }
                }
                "where" => {
                    for arg in args.iter().skip(1) {
                        if let Argument::Positional(value) = arg {
                            names_in(value, out);
                        }
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The names that an address is computed from: the left ends of its sums.
fn bases(expr: &Expr, out: &mut HashSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            out.insert(name.clone());
        }
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } => {
            let before = out.len();
            bases(left, out);
            let marked = |name: &str| name.to_lowercase().contains("ptr");
            if let ExprKind::Name(name) = &right.kind
                && (marked(name) || before == out.len())
            {
                out.insert(name.clone());
            }
        }
        ExprKind::IfElse { body, orelse, .. } => {
            bases(body, out);
            bases(orelse, out);
        }
        ExprKind::Call { func, args } => {
            let method = func.dotted_name().unwrap_or_default();
            let last = method.rsplit('.').next().unwrap_or_default();
            if matches!(
                last,
                "advance" | "make_block_ptr" | "multiple_of" | "max_contiguous" | "where" | "broadcast_to"
            ) {
                for arg in args {
                    if let Argument::Positional(value) | Argument::Keyword(_, value) = arg {
                        bases(value, out);
                        if last != "where" {
                            break;
                        }
                    }
                }
            } else if let ExprKind::Attribute { value, name } = &func.kind
                && name.text == "to"
            {
                bases(value, out);
            }
        }
        ExprKind::Subscript { value, .. } => bases(value, out),
        _ => {}
    }
}

/// What a body does with names.
#[derive(Default)]
struct Walk<'m> {
    pointers: HashSet<String>,
    assigned: Vec<(String, &'m Expr)>,
    calls: Vec<(String, &'m [Argument])>,
    called: HashSet<String>,
    returns_value: bool,
    /// Expressions that must be integers.
    integral: Vec<&'m Expr>,
    addresses: Vec<&'m Expr>,
}

impl<'m> Walk<'m> {
    fn stmts(&mut self, stmts: &'m [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { targets, value } => {
                    targets.iter().for_each(|target| self.assign(target, value));
                    self.expr(value);
                }
                StmtKind::AugAssign { target, value, .. } => {
                    self.assign(target, target);
                    self.expr(value);
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } => {
                    self.assign(target, value);
                    self.expr(value);
                }
                StmtKind::Expr(value) => self.expr(value),
                StmtKind::Return(Some(value)) => {
                    self.returns_value |= !matches!(value.kind, ExprKind::None);
                    self.expr(value);
                }
                StmtKind::With { body, .. } => self.stmts(body),
                StmtKind::Try { body, handlers, orelse, finally } => {
                    self.stmts(body);
                    handlers.iter().for_each(|handler| self.stmts(&handler.body));
                    self.stmts(orelse);
                    self.stmts(finally);
                }
                StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                    self.expr(test);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                StmtKind::For { iter, body, orelse, .. } => {
                    self.expr(iter);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                _ => {}
            }
        }
    }

    fn assign(&mut self, target: &Expr, value: &'m Expr) {
        match (&target.kind, &value.kind) {
            (ExprKind::Name(name), _) => self.assigned.push((name.clone(), value)),
            (ExprKind::Tuple(targets), ExprKind::Tuple(values)) => {
                targets.iter().zip(values).for_each(|(target, value)| self.assign(target, value));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Call { func, args } => self.call(func, args),
            ExprKind::Binary { op, left, right } => {
                if matches!(op, BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr)
                    || matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
                {
                    self.integral.extend([&**left, &**right]);
                }
            }
            ExprKind::Attribute { value, name } if name.text == "element_ty" => self.element_type(value),
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }

    /// `x.dtype.element_ty`: `x` is a pointer.
    fn element_type(&mut self, value: &Expr) {
        if let ExprKind::Attribute { value, .. } = &value.kind
            && let ExprKind::Name(name) = &value.kind
        {
            self.pointers.insert(name.clone());
        }
    }

    /// What a call says about its arguments; they themselves are visited afterwards.
    fn call(&mut self, func: &'m Expr, args: &'m [Argument]) {
        let name = func.dotted_name().unwrap_or_default();
        let last = name.rsplit('.').next().unwrap_or_default();
        let access = matches!(
            last,
            "load" | "store" | "make_block_ptr" | "make_tensor_descriptor" | "_experimental_make_tensor_descriptor"
        ) || last.starts_with("atomic_");
        let method = matches!(&func.kind, ExprKind::Attribute { value, .. }
            if !value.dotted_name().is_some_and(|root| root == "tl" || root.contains("language") || root.contains("triton")));
        if access && !method {
            let base = args.iter().find_map(|arg| match arg {
                Argument::Positional(value) => Some(value),
                Argument::Keyword(name, value) if matches!(name.text.as_str(), "pointer" | "base") => Some(value),
                _ => None,
            });
            if let Some(base) = base {
                bases(base, &mut self.pointers);
                self.addresses.push(base);
            }
        }
        if last == "range" {
            self.integral.extend(args.iter().filter_map(|arg| match arg {
                Argument::Positional(value) => Some(value),
                _ => None,
            }));
        }
        if !access && !name.contains('.') && !name.is_empty() {
            self.called.insert(name.clone());
            self.calls.push((name, args));
        }
        for arg in args {
            if let ExprKind::Name(name) = &arg.value().kind {
                self.called.insert(name.clone());
            }
        }
    }
}
