//! Addresses that are computed from each other.

use tk_diag::SourceFile;
use tk_ptx::parse;
use tk_ptx::rewrite::Rewrite;

const HEADER: &str =
    ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n";
const REGISTERS: &str = "\t.reg .pred \t%p<2>;\n\t.reg .b32 \t%r<64>;\n\t.reg .b64 \t%rd<99>;\n";
/// Rows of a thread.
const ROWS: usize = 10;

/// The text of a kernel with addresses that are computed from each other.
fn stepped(body: &str) -> Option<String> {
    let text = format!("{HEADER}{REGISTERS}{body}\tret;\n}}\n");
    let module = parse(&SourceFile::new("k.ptx", &text)).unwrap_or_else(|error| panic!("{error:?}"));
    let text = module.rewritten(Rewrite::AddressSteps)?;
    parse(&SourceFile::new("k.ptx", &text)).unwrap_or_else(|error| panic!("{error:?}"));
    let body = text.strip_prefix(HEADER).and_then(|text| text.strip_suffix("\tret;\n}\n"));
    Some(body.unwrap_or_else(|| panic!("{text}")).to_string())
}

/// The offset of a row by an instruction, and what stays of its address: `%rd20` on.
fn rows(offset: impl Fn(usize) -> String) -> String {
    let row = |row: usize| {
        let (wide, fixed) = (row + 40, row + 20);
        let offset = offset(row);
        format!("{offset}\tmul.wide.s32 \t%rd{wide}, %r{fixed}, 2;\n\tadd.s64 \t%rd{fixed}, %rd1, %rd{wide};\n")
    };
    "\tld.param.b64 \t%rd1, [k_param_0];\n\tmov.b64 \t%rd9, 0;\n".to_string() + &(0..ROWS).map(row).collect::<String>()
}

/// A row is a multiple of a stride behind the first.
fn multiple(row: usize) -> String {
    format!("\tmul.lo.s32 \t%r{}, %r1, {row};\n", row + 20)
}

/// A loop that loads from all rows. What `between` says stands in front of a row.
fn loads(sum: impl Fn(usize) -> String, between: impl Fn(usize) -> &'static str) -> String {
    let load =
        |row: usize| format!("{}{}\tld.global.b32 \t%r{}, [%rd{}];\n", between(row), sum(row), row + 40, row + 60);
    let body: String = (0..ROWS).map(load).collect();
    format!(
        "$L__loop:\n{body}\tadd.s64 \t%rd9, %rd9, %rd2;\n\tsetp.lt.s64 \t%p1, %rd9, %rd3;\n\t@%p1 bra \t$L__loop;\n"
    )
}

fn sum(row: usize) -> String {
    format!("\tadd.s64 \t%rd{}, %rd{}, %rd9;\n", row + 60, row + 20)
}

fn nothing(_: usize) -> &'static str {
    ""
}

/// As the first row begins and the others follow.
fn step(row: usize) -> String {
    match row {
        0 => "\tadd.s64 \t%row_from0, %rd1, %rd9;\n\tmad.wide.s32 \t%rd60, %r20, 2, %row_from0;\n".to_string(),
        row => {
            let first = if row == 1 { "\tsub.s32 \t%row_step0, %r21, %r20;\n" } else { "" };
            let before = if row == 1 { "%r20".to_string() } else { format!("%row_offset{}", row - 2) };
            let (offset, address) = (row - 1, row + 60);
            format!(
                "{first}\tadd.s32 \t%row_offset{offset}, {before}, %row_step0;\n\tmad.wide.s32 \t%rd{address}, %row_offset{offset}, 2, %row_from0;\n"
            )
        }
    }
}

/// What declares the registers that are added.
fn declared() -> String {
    format!("\t.reg .b64 \t%row_from<1>;\n\t.reg .b32 \t%row_step<1>;\n\t.reg .b32 \t%row_offset<{}>;\n", ROWS - 1)
}

#[test]
fn rows_a_stride_apart_are_steps() {
    let expected = declared() + REGISTERS + &rows(multiple) + &loads(step, nothing);
    assert_eq!(stepped(&(rows(multiple) + &loads(sum, nothing))), Some(expected));
}

#[test]
fn bits_that_are_apart_are_added() {
    let lanes = "\tmov.u32 \t%r2, %tid.x;\n\tshl.b32 \t%r3, %r2, 4;\n\tand.b32 \t%r4, %r2, 7;\n";
    let row = |from: &'static str| {
        move |row: usize| format!("\tor.b32 \t%r{}, {from}, {row};\n\tmul.lo.s32 \t%r{0}, %r{0}, %r1;\n", row + 20)
    };
    // A register that is written twice is not known.
    assert_eq!(stepped(&(lanes.to_string() + &rows(row("%r3")) + &loads(sum, nothing))), None);
    let row = |from: &'static str| {
        move |row: usize| {
            let (other, offset) = (row + 5, row + 20);
            format!("\tor.b32 \t%r{other}, {from}, {row};\n\tmul.lo.s32 \t%r{offset}, %r{other}, %r1;\n")
        }
    };
    assert!(stepped(&(lanes.to_string() + &rows(row("%r3")) + &loads(sum, nothing))).is_some());
    assert_eq!(stepped(&(lanes.to_string() + &rows(row("%r4")) + &loads(sum, nothing))), None, "bits meet");
}

#[test]
fn other_addresses_stay() {
    let squares = |row: usize| format!("\tmul.lo.s32 \t%r{}, %r1, {};\n", row + 20, row * row);
    assert_eq!(stepped(&(rows(squares) + &loads(sum, nothing))), None, "no two are as far apart");
    let moves = |row: usize| if row == 5 { "\tadd.s64 \t%rd9, %rd9, 8;\n" } else { "" };
    let runs = stepped(&(rows(multiple) + &loads(sum, moves))).unwrap_or_default();
    assert!(runs.contains("add.s64 \t%row_from1, %rd1, %rd9;"), "the second run begins anew: {runs}");
    let branches = |row: usize| if row == 5 { "\t@%p1 bra \t$L__loop;\n" } else { "" };
    assert_eq!(stepped(&(rows(multiple) + &loads(sum, branches))), None, "two blocks");
    let once = loads(sum, nothing).replace("\t@%p1 bra \t$L__loop;\n", "");
    assert_eq!(stepped(&(rows(multiple) + &once)), None, "no loop");
    let again = |row: usize| format!("{}{}", multiple(row), if row == 9 { "\tmov.b32 \t%r21, 4;\n" } else { "" });
    assert_eq!(stepped(&(rows(again) + &loads(sum, nothing))), None, "seven steps are left");
}
