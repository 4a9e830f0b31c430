//! PTX of the reference compiler parses, and its printed form parses to an equal module.

use tk_diag::SourceFile;
use tk_ptx::{Module, Requirement, parse};

fn read(text: &str) -> Module {
    parse(&SourceFile::new("k.ptx", text)).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

fn dumps() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("tests/data is part of the crate") {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "ptx") {
            out.push((
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                std::fs::read_to_string(path).unwrap(),
            ));
        }
    }
    out
}

#[test]
fn printed_modules_parse_equal() {
    let dumps = dumps();
    assert!(dumps.len() >= 9);
    for (name, text) in dumps {
        let module = read(&text);
        let printed = module.to_string();
        let again = read(&printed);
        assert_eq!(module, again, "{name}");
        assert_eq!(printed, again.to_string(), "{name}");
        let entry = module.entries().next().expect("a dump has one entry");
        assert!(entry.instruction_count() > 50, "{name}");
        let lines = text.lines().map(str::trim).filter(|l| l.ends_with(';') && !l.starts_with('.')).count();
        assert!(entry.instruction_count() <= lines + 60, "{name}: {} of {lines}", entry.instruction_count());
    }
}

#[test]
fn facts_of_the_add_kernel() {
    let (_, text) = dumps().into_iter().find(|d| d.0 == "add_kernel").unwrap();
    let module = read(&text);
    let entry = module.entry("add_kernel").unwrap();
    assert_eq!(entry.threads(), Requirement::Exactly(128));
    assert_eq!(entry.count_opcode("ld.global.v4.b32"), 4);
    assert_eq!(entry.count_prefix("st.global"), 2);
    let places: Vec<_> = entry.parameters().iter().map(|p| (p.offset, p.bytes)).collect();
    assert_eq!(places, [(0, 8), (8, 8), (16, 8), (24, 4), (32, 8), (40, 8)]);
    assert_eq!(module.file_name(1), Some("kernel.py"));
    assert_eq!(module.target, ["sm_90a"]);
}

#[test]
fn scopes_hide_registers_and_literals_keep_their_bits() {
    let module = read(
        ".version 8.0\n.target sm_80\n.visible .entry k(.param .align 8 .b8 big[24], .param .b8 small)\n{\n\
         .reg .b32 %r<3>;\n.reg .pred p;\n{ .reg .b32 %r<2>; mov.b32 %r1, 0f3F800000; }\n\
         mov.b32 %r1, -5; mov.b32 %r2, 0xFFFFFFFF; shfl.sync.idx.b32 %r1|p, %r2, 0, 31, -1;\n\
         @!p bra DONE; ld.global.L1::evict_last.b32 %r1, [%r2+-4];\nDONE: ret; }",
    );
    let entry = module.entry("k").unwrap();
    let numbers: Vec<u32> = entry
        .instructions()
        .filter(|i| i.opcode.name() == "mov")
        .filter_map(|i| match i.operands[0] {
            tk_ptx::Operand::Register(r) => Some(r.0),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [5, 1, 2], "the inner %r1 is another register than the outer one");
    assert_eq!(entry.parameters()[1].offset, 24);
    assert_eq!(read(&module.to_string()), module);
}

#[test]
fn blanks_in_opcodes_are_left_out() {
    let kernel = |opcode: &str| {
        format!(
            ".version 8.7\n.target sm_90a\n.address_size 64\n.entry k() {{ .reg .b32 a; {opcode} a, a, a, 0; ret; }}\n"
        )
    };
    assert_eq!(read(&kernel("prmt .b32")).to_string(), read(&kernel("prmt.b32")).to_string());
    assert_eq!(read(&kernel("mad .lo .u32")).to_string(), read(&kernel("mad.lo.u32")).to_string());
}
