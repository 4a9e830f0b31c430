//! Assertions and prints of the program.

use super::Emitter;
use crate::code::{IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::{AssertOp, PrintOp};
use tk_ir::{Op, OpKind, Value};
use tk_layout::Dim;

/// `tt.assert`, `tt.print`.
pub(super) fn emit_debug<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if op.kind() == OpKind::TtAssert { emit_assert(emitter, op) } else { emit_print(emitter, op) }
}

/// One test per thread: that all of its elements hold. Assertions are compiled only when the user asks for them.
fn emit_assert<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = AssertOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no assertion"))?;
    if !emitter.settings.options.debug {
        return Ok(());
    }
    let condition = emitter.registers(view.condition())?;
    let code = &mut emitter.code;
    let holds = (0..condition.len()).fold(code.bool(true), |all, index| code.and(all, condition.get(index)));
    if holds.constant() == Some(-1) {
        return Ok(());
    }
    let (fails, after) = (code.label(), code.label());
    code.branch(holds, after, fails)?;
    code.open_scope(fails, false);
    let (file, line, _) = op.loc().file_line_col().unwrap_or(("unknown", 0, 0));
    code.assert_failed(view.message(), (file, line), "unknown")?;
    code.jump(after)?;
    code.close_scope();
    code.continue_at(after);
    Ok(())
}

/// A line per element (per thread for scalars), with the program's number and the element's position.
fn emit_print<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = PrintOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no print"))?;
    let program = ["x", "y", "z"]
        .map(|axis| emitter.code.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.ctaid.{axis}"), Ty::I32, &[]));
    let signed = view.signed();
    for (index, value) in view.args().into_iter().enumerate() {
        let style =
            Style { prefix: view.prefix(), hex: view.hex(), signed: signed.get(index).copied().unwrap_or(true) };
        print_value(emitter, value, &style, &program)?;
    }
    if view.args().is_empty() {
        let format = format!("pid (%u, %u, %u){}\n", escaped(view.prefix()));
        emitter.code.print(&format, &program)?;
    }
    Ok(())
}

struct Style<'a> {
    prefix: &'a str,
    hex: bool,
    signed: bool,
}

fn print_value<'c>(emitter: &mut Emitter<'c, '_>, value: Value<'c>, style: &Style<'_>, program: &[Reg]) -> Result<()> {
    let registers = emitter.registers(value)?;
    if !value.ty().is_tensor() {
        let thread = emitter.threads().thread;
        let zero = emitter.code.i32(0);
        let first = emitter.code.icmp(IntTest::Eq, thread, zero);
        return print_where(emitter, Some(first), |emitter| {
            print_element(emitter, registers.get(0), style, program, &[])
        });
    }
    let tensor = emitter.tensor(value.ty())?;
    let base = emitter.thread_coordinates(&tensor.layout);
    let writes = emitter.writes(&tensor);
    print_where(emitter, writes, |emitter| {
        for index in (0..tensor.registers).filter(|index| index & tensor.free_registers as usize == 0) {
            let image = tensor.layout.unpack(tensor.layout.apply_dim(Dim::Register, index as u32));
            let code = &mut emitter.code;
            let place: Vec<Reg> = base
                .iter()
                .zip(image)
                .map(|(base, part)| {
                    let part = code.i32(part.into());
                    code.xor(*base, part)
                })
                .collect();
            print_element(emitter, registers.get(index), style, program, &place)?;
        }
        Ok(())
    })
}

fn print_where<'c, 'l>(
    emitter: &mut Emitter<'c, 'l>,
    condition: Option<Reg>,
    print: impl FnOnce(&mut Emitter<'c, 'l>) -> Result<()>,
) -> Result<()> {
    let Some(condition) = condition else { return print(emitter) };
    let (inside, after) = (emitter.code.label(), emitter.code.label());
    emitter.code.branch(condition, inside, after)?;
    emitter.code.open_scope(inside, false);
    print(emitter)?;
    emitter.code.jump(after)?;
    emitter.code.close_scope();
    emitter.code.continue_at(after);
    Ok(())
}

fn print_element<'c>(
    emitter: &mut Emitter<'c, '_>,
    value: Reg,
    style: &Style<'_>,
    program: &[Reg],
    place: &[Reg],
) -> Result<()> {
    let code = &mut emitter.code;
    let (text, value) = match value.ty() {
        Ty::F64 => ("%f", value),
        ty if ty.is_float() => ("%f", code.fpext(value, Ty::F64)),
        Ty::Ptr(_) => ("%p", code.ptr_to_int(value)),
        Ty::Int(64) => (
            if style.hex {
                "0x%016llx"
            } else if style.signed {
                "%lld"
            } else {
                "%llu"
            },
            value,
        ),
        ty if style.signed && ty != Ty::BOOL && !style.hex => ("%d", code.sext(value, Ty::I32)),
        _ => (if style.hex { "0x%08x" } else { "%u" }, code.zext(value, Ty::I32)),
    };
    let numbers = vec!["%u"; place.len()].join(", ");
    let format = format!("pid (%u, %u, %u) idx ({numbers}){}{text}\n", escaped(style.prefix));
    let arguments: Vec<Reg> = program.iter().chain(place).copied().chain([value]).collect();
    code.print(&format, &arguments)
}

/// The user's text inside a format.
fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}
