//! Writes programs as `.tk` files.

use super::make::INPUT;
use super::operators::{Scan, UnaryOp};
use super::{Expr, Function, Kind, Node, Program, Stmt, Ty};
use std::fmt::Write;

/// The file, whose test compares the variables of the kernel with what they must be.
pub(super) fn file(program: &Program, expected: &[Vec<i64>]) -> String {
    let mut out = String::from(
        "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef larger(a, b):\n    \
         return tl.maximum(a, b)\n",
    );
    for (number, function) in program.functions.iter().enumerate() {
        let decorator = if function.is_noinline { "@triton.jit(noinline=True)" } else { "@triton.jit" };
        let parameters: Vec<String> = (0..function.parameters).map(|i| format!("v{i}")).collect();
        let _ = writeln!(out, "\n\n{decorator}\ndef f{number}({}):", parameters.join(", "));
        body(&mut out, function);
        let results: Vec<String> = function.results.iter().map(text).collect();
        let _ = writeln!(out, "    return {}", results.join(", "));
    }
    let pointers: Vec<String> = (0..program.inputs.len()).map(|i| format!("p{i}")).collect();
    let outputs: Vec<String> = (0..expected.len()).map(|i| format!("out{i}")).collect();
    let arguments: Vec<String> = (0..program.arguments.len()).map(|i| format!("a{i}")).collect();
    let all = [pointers, outputs, arguments].concat().join(", ");
    let _ = writeln!(out, "\n\n@triton.jit(do_not_specialize=[\"a0\", \"a1\", \"a2\"])\ndef k({all}):");
    body(&mut out, &program.kernel);
    for (number, kind) in program.kernel.variables.iter().enumerate() {
        store(&mut out, number, kind);
    }
    test(&mut out, program, expected, &all);
    out
}

fn test(out: &mut String, program: &Program, expected: &[Vec<i64>], all: &str) {
    out.push_str("\n\ndef test_program():\n");
    for (number, (ty, values)) in program.inputs.iter().enumerate() {
        let ty = torch(*ty);
        let _ = writeln!(out, "    p{number} = torch.tensor({values:?}, dtype=torch.int64, device=\"cuda\").to({ty})");
    }
    for (number, values) in expected.iter().enumerate() {
        let _ = writeln!(out, "    out{number} = torch.zeros({}, dtype=torch.int64, device=\"cuda\")", values.len());
    }
    for (number, value) in program.arguments.iter().enumerate() {
        let _ = writeln!(out, "    a{number} = {value}");
    }
    let _ = writeln!(out, "    k[(1,)]({all}, num_warps={})", program.warps);
    for (number, values) in expected.iter().enumerate() {
        let _ = writeln!(out, "    wanted = torch.tensor({values:?}, dtype=torch.int64, device=\"cuda\")");
        let _ = writeln!(out, "    assert torch.equal(out{number}, wanted), f\"v{number}: {{out{number}.tolist()}}\"");
    }
}

/// Stores the bits of a variable as 64-bit integers.
fn store(out: &mut String, number: usize, kind: &Kind) {
    let value = match kind.ty {
        Ty::F16 => format!("(v{number} + 0.0).to(tl.int16, bitcast=True).to(tl.int64)"),
        Ty::F32 => format!("(v{number} + 0.0).to(tl.int32, bitcast=True).to(tl.int64)"),
        _ => format!("v{number}.to(tl.int64)"),
    };
    let _ = match kind.shape.as_slice() {
        [] => writeln!(out, "    tl.store(out{number}, {value})"),
        [rows, columns] if number.is_multiple_of(2) => {
            let place = format!("tl.arange(0, {rows})[:, None] * {columns} + tl.arange(0, {columns})[None, :]");
            writeln!(out, "    tl.store(out{number} + {place}, {value})")
        }
        _ => {
            let count = kind.count();
            writeln!(out, "    tl.store(out{number} + tl.arange(0, {count}), tl.reshape({value}, ({count},)))")
        }
    };
}

fn body(out: &mut String, function: &Function) {
    for (number, value) in function.first.iter().enumerate() {
        let _ = writeln!(out, "    v{} = {}", function.parameters + number, text(value));
    }
    list(out, &function.body, 1);
}

fn list(out: &mut String, stmts: &[Stmt], indent: usize) {
    let margin = "    ".repeat(indent);
    if stmts.is_empty() {
        let _ = writeln!(out, "{margin}pass");
    }
    for stmt in stmts {
        let mut block = |head: String, body: &[Stmt]| {
            let _ = writeln!(out, "{margin}{head}:");
            list(out, body, indent + 1);
        };
        match stmt {
            Stmt::If(condition, body, orelse) => {
                block(format!("if {}", text(condition)), body);
                if !orelse.is_empty() {
                    block("else".to_string(), orelse);
                }
            }
            Stmt::For(loops, start, stop, body) => {
                block(format!("for i{loops} in range({start}, {})", text(stop)), body);
            }
            Stmt::Unrolled(loops, times, body) => {
                block(format!("for i{loops} in tl.static_range({times})"), body);
            }
            Stmt::While(loops, limit, condition, body) => {
                // The counter goes up first, so that `continue` cannot skip it.
                let name = format!("i{loops}");
                let _ = writeln!(out, "{margin}{name} = -1\n{margin}limit{loops} = {}", text(limit));
                let _ = writeln!(out, "{margin}while ({name} + 1 < limit{loops}) & ({}):", text(condition));
                let _ = writeln!(out, "{margin}    {name} += 1");
                list(out, body, indent + 1);
            }
            Stmt::Assign(variable, value) => _ = writeln!(out, "{margin}v{variable} = {}", text(value)),
            Stmt::Pair(a, b, x, y) => _ = writeln!(out, "{margin}v{a}, v{b} = {}, {}", text(x), text(y)),
            Stmt::Break(condition) => _ = writeln!(out, "{margin}if {}:\n{margin}    break", text(condition)),
            Stmt::Continue(condition) => _ = writeln!(out, "{margin}if {}:\n{margin}    continue", text(condition)),
            Stmt::Return(condition, values) => {
                let values: Vec<String> = values.iter().map(text).collect();
                let _ = writeln!(out, "{margin}if {}:\n{margin}    return {}", text(condition), values.join(", "));
            }
        }
    }
}

fn text(expr: &Expr) -> String {
    let (ty, shape) = (language(expr.kind.ty), sizes(&expr.kind.shape));
    match &expr.node {
        Node::Variable(number) => format!("v{number}"),
        Node::Argument(number) => format!("a{number}"),
        Node::Counter(_, number) => format!("tl.cast(i{number}, tl.int32)"),
        Node::Full(value) if expr.kind.shape.is_empty() => format!("tl.cast({value}, {ty})"),
        Node::Full(value) => format!("tl.full({shape}, {value}, {ty})"),
        Node::Binary(op, a, b) if op.is_function() => format!("tl.{}({}, {})", op.text(), text(a), text(b)),
        Node::Binary(op, a, b) => format!("({} {} {})", text(a), op.text(), text(b)),
        Node::Compare(op, a, b) => format!("({} {} {})", text(a), op.text(), text(b)),
        Node::Literal(op, a, _) if expr.kind.ty.is_float() => format!("({} {} 0.5)", text(a), op.text()),
        Node::Literal(op, a, number) => format!("({} {} {number})", text(a), op.text()),
        Node::Unary(UnaryOp::Abs, a) => format!("tl.abs({})", text(a)),
        Node::Unary(UnaryOp::Negative, a) => format!("(-{})", text(a)),
        Node::Unary(UnaryOp::Not, a) => format!("(~{})", text(a)),
        Node::Where(condition, a, b) => format!("tl.where({}, {}, {})", text(condition), text(a), text(b)),
        Node::Cast(a) => format!("{}.to({ty})", text(a)),
        Node::Reduce(op, a, axis) => format!("tl.{}({}, {axis}).to({ty})", op.text(), text(a)),
        Node::Scan(Scan::Sum, a, axis) => format!("tl.cumsum({}, {axis})", text(a)),
        Node::Scan(Scan::Maximum, a, axis) => format!("tl.associative_scan({}, {axis}, larger)", text(a)),
        Node::Repeat(a, _) if a.kind.shape.is_empty() => format!("tl.full({shape}, {}, {ty})", text(a)),
        Node::Repeat(a, axis) => format!("tl.broadcast_to(tl.expand_dims({}, {axis}), {shape})", text(a)),
        Node::Transpose(a) => format!("tl.trans({})", text(a)),
        Node::Reshape(a) => format!("tl.reshape({}, {shape})", text(a)),
        Node::Flip(a) => format!("tl.flip({})", text(a)),
        Node::Sort(a) => format!("tl.sort({})", text(a)),
        Node::Gather(a, index, axis) => {
            format!("tl.gather({}, {} & {}, {axis})", text(a), text(index), a.kind.shape[*axis] - 1)
        }
        Node::Join(a, b) => format!("tl.join({}, {})", text(a), text(b)),
        Node::Interleave(a, b) => format!("tl.interleave({}, {})", text(a), text(b)),
        Node::Part(a, part) => format!("tl.split({})[{part}]", text(a)),
        Node::Load(input, index) => format!("tl.load(p{input} + ({} & {}))", text(index), INPUT - 1),
        Node::Call(number, arguments, result) => {
            let arguments: Vec<String> = arguments.iter().map(text).collect();
            let part = result.map(|result| format!("[{result}]")).unwrap_or_default();
            format!("f{number}({}){part}", arguments.join(", "))
        }
    }
}

fn sizes(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(|size| format!("{size},")).collect();
    format!("({})", sizes.join(" "))
}

fn language(ty: Ty) -> &'static str {
    match ty {
        Ty::I1 => "tl.int1",
        Ty::I8 => "tl.int8",
        Ty::I16 => "tl.int16",
        Ty::I32 => "tl.int32",
        Ty::I64 => "tl.int64",
        Ty::U8 => "tl.uint8",
        Ty::U32 => "tl.uint32",
        Ty::F16 => "tl.float16",
        Ty::F32 => "tl.float32",
    }
}

fn torch(ty: Ty) -> String {
    language(ty).replace("tl.", "torch.")
}
