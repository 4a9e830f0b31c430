//! Assertions and prints of the program, and the checks of sanitizers.

use super::Emitter;
use crate::code::{Asm, Code, IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::{AssertOp, GuardOp, PrintOp};
use tk_ir::{Op, Value};
use tk_layout::Dim;
use tk_types::Language;

/// `tk.guard`: one test per thread, and three atomics where it fails: the least number of a program that failed, the greatest and the
/// least value. Copies of an element in other threads may report it again; minima and maxima do not mind.
pub(super) fn emit_guard<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = GuardOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no guard"))?;
    let (record, values) = (emitter.registers(view.record())?.get(0), emitter.registers(view.value())?);
    let code = &mut emitter.code;
    let holds = code.int(Ty::Int(64), i64::MIN);
    let (mut failed, mut most, mut least) = (code.bool(false), holds, code.int(Ty::Int(64), i64::MAX));
    for index in 0..values.len() {
        let value = values.get(index);
        let fails = code.icmp(IntTest::Ne, value, holds);
        failed = code.or(failed, fails);
        let is_more = code.icmp(IntTest::Sgt, value, most);
        most = code.select(is_more, value, most);
        let is_less = code.icmp(IntTest::Slt, value, least);
        let is_less = code.and(fails, is_less);
        least = code.select(is_less, value, least);
    }
    if failed.constant() == Some(0) {
        return Ok(());
    }
    let (fails, after) = (code.label(), code.label());
    code.branch(failed, fails, after)?;
    code.open_scope(fails, false);
    let program = program_number(code);
    let base = 24 * view.site();
    for (word, operation, value) in [(0, "min.u64", program), (8, "max.s64", most), (16, "min.s64", least)] {
        let text = format!("red.global.gpu.relaxed.{operation} [ $0 + {} ], $1;", base + word + record.offset());
        code.asm(Asm::new(text).input(record.base()).input(value))?;
    }
    code.jump(after)?;
    code.close_scope();
    code.continue_at(after);
    Ok(())
}

/// The number of this program in its grid, x first, as 64 bits.
fn program_number(code: &mut Code<'_>) -> Reg {
    let mut register = |name: &str| {
        let value = code.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), Ty::I32, &[]);
        code.zext(value, Ty::Int(64))
    };
    let (x, y, z) = (register("ctaid.x"), register("ctaid.y"), register("ctaid.z"));
    let (columns, rows) = (register("nctaid.x"), register("nctaid.y"));
    let planes = code.mul(z, rows);
    let lines = code.add(planes, y);
    let before = code.mul(lines, columns);
    code.add(before, x)
}

/// `tt.assert`: one test per thread, that all of its elements hold. Assertions are compiled only when the user asks for them.
pub(super) fn emit_assert<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
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

/// `tt.print`: a line per element, with the program's number and the element's position; for scalars a line per program.
pub(super) fn emit_print<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = PrintOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no print"))?;
    let program = ["x", "y", "z"]
        .map(|axis| emitter.code.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.ctaid.{axis}"), Ty::I32, &[]));
    let signed = view.is_signed();
    for (index, value) in view.args().into_iter().enumerate() {
        let operand = if signed.len() > 1 { format!("(operand {index}) ") } else { String::new() };
        let prefix = format!("{}{operand}", view.prefix());
        let style = Style { prefix: &prefix, hex: view.hex(), signed: signed.get(index).is_none_or(|flag| *flag != 0) };
        print_value(emitter, value, &style, &program)?;
    }
    if view.args().is_empty() {
        let format = format!("pid (%u, %u, %u){}\n", escaped(view.prefix()));
        emitter.code.print(&format, &program)?;
    }
    Ok(())
}

/// Where an element is in one dimension, and how many digits its places take.
struct Coordinate {
    value: Reg,
    digits: usize,
}

struct Style<'a> {
    prefix: &'a str,
    hex: bool,
    signed: bool,
}

fn print_value<'c>(emitter: &mut Emitter<'c, '_>, value: Value<'c>, style: &Style<'_>, program: &[Reg]) -> Result<()> {
    let registers = emitter.registers(value)?;
    if !value.ty().is_tensor() {
        let prints = match emitter.settings.options.language {
            // Once is what readers want; what holds to Triton prints once for each thread, as it does.
            Language::Full => {
                let (thread, zero) = (emitter.threads().thread, emitter.code.i32(0));
                Some(emitter.code.icmp(IntTest::Eq, thread, zero))
            }
            Language::Portable => None,
        };
        return print_where(emitter, prints, |emitter| print_element(emitter, registers.get(0), style, program, &[]));
    }
    let tensor = emitter.tensor(value.ty())?;
    let base = emitter.thread_coordinates(&tensor.layout);
    let writes = emitter.writes(&tensor);
    let shape = value.ty().shape();
    print_where(emitter, writes, |emitter| {
        for index in (0..tensor.registers).filter(|index| index & tensor.free_registers as usize == 0) {
            let image = tensor.layout.unpack(tensor.layout.apply_dim(Dim::Register, index as u32));
            let code = &mut emitter.code;
            let place: Vec<Coordinate> = base
                .iter()
                .zip(image)
                .zip(&shape)
                .map(|((base, part), size)| {
                    let part = code.i32(part.into());
                    Coordinate { value: code.xor(*base, part), digits: size.to_string().len() }
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
    place: &[Coordinate],
) -> Result<()> {
    let code = &mut emitter.code;
    let (text, value) = match value.ty() {
        Ty::F64 => ("%f", value),
        Ty::F16 | Ty::BF16 | Ty::F32 => ("%f", code.fpext(value, Ty::F64)),
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
        Ty::Int(2..) if style.signed && !style.hex => ("%d", code.sext(value, Ty::I32)),
        Ty::Int(bits) if style.hex => (hexadecimal(bits), code.zext(value, Ty::I32)),
        Ty::Int(_) | Ty::Vector(..) => ("%u", code.zext(value, Ty::I32)),
    };
    // All coordinates of a dimension are as wide as its size.
    let numbers: Vec<String> = place.iter().map(|at| format!("%{}u", at.digits)).collect();
    let numbers = numbers.join(", ");
    let format = format!("pid (%u, %u, %u) idx ({numbers}){}{text}\n", escaped(style.prefix));
    let arguments: Vec<Reg> = program.iter().copied().chain(place.iter().map(|at| at.value)).chain([value]).collect();
    code.print(&format, &arguments)
}

/// All digits of a number of at most 32 bits.
fn hexadecimal(bits: u32) -> &'static str {
    match bits {
        ..=8 => "0x%02x",
        9..=16 => "0x%04x",
        _ => "0x%08x",
    }
}

/// The user's text inside a format.
fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}
