//! Registers that ptxas takes for a block that is never run.

use tk_diag::SourceFile;
use tk_ptx::rewrite::Rewrite;
use tk_ptx::{Module, parse};

fn read(text: &str) -> Module {
    parse(&SourceFile::new("k.ptx", text)).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

/// A kernel with this body.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n.reqntid 64\n{{\n\t.reg .pred %p<2>;\n\t.reg .b64 %rd<2>;\n{body}}}\n"
    )
}

const STORE: &str = "\tld.param.b64 \t%rd1, [k_param_0];\n\tst.global.b64 \t[%rd1], %rd1;\n";

#[test]
fn a_block_that_is_never_run_needs_the_registers() {
    let text =
        read(&kernel(&format!("{STORE}\tret;\n$L__func_end0:\n"))).rewritten(Rewrite::HeldRegisters(11)).unwrap();
    let declared = "\t.reg .pred \t%held_never;\n\t.reg .b32 \t%held_programs, %held<8>;\n\t.reg .b64 \t%held_at;\n";
    assert!(text.contains(&format!(".reqntid 64\n{{\n{declared}\t.reg .pred %p<2>;\n")), "{text}");
    let branch = "\tmov.u32 \t%held_programs, %nctaid.x;\n\tsetp.eq.b32 \t%held_never, %held_programs, 0;\n\t@%held_never bra \t$L__held;\n\tret;\n";
    let accesses = "\tld.volatile.global.v4.b32 \t{%held0, %held1, %held2, %held3}, [%held_at+0];\n\
                    \tld.volatile.global.v4.b32 \t{%held4, %held5, %held6, %held7}, [%held_at+16];\n\
                    \tst.volatile.global.v4.b32 \t[%held_at+16], {%held4, %held5, %held6, %held7};\n\
                    \tst.volatile.global.v4.b32 \t[%held_at+0], {%held0, %held1, %held2, %held3};\n\tret;\n";
    let block = format!("$L__held:\n\tcvt.u64.u32 \t%held_at, %held_programs;\n{accesses}");
    assert!(text.ends_with(&format!("{STORE}{branch}{block}$L__func_end0:\n}}\n")), "{text}");
    let module = read(&text);
    assert_eq!(module.rewritten(Rewrite::HeldRegisters(11)), None, "they are held once");
    let peak = |module: &Module| module.entries().next().unwrap().peak_registers();
    assert!(peak(&module) >= 8 && peak(&read(&kernel(&format!("{STORE}\tret;\n")))) < 8);
}

#[test]
fn other_ends_stay() {
    let held = |body: &str| read(&kernel(body)).rewritten(Rewrite::HeldRegisters(16));
    assert_eq!(held(&format!("{STORE}\texit;\n")), None);
    assert_eq!(held(&format!("{STORE}\t@%p1 ret;\n")), None, "the end is none");
    assert_eq!(held("$L__again:\n\tbra.uni \t$L__again;\n"), None);
    assert_eq!(read(&kernel("\tret;\n")).rewritten(Rewrite::HeldRegisters(3)), None);
    let other = kernel("\tret;\n").replace(".visible .entry k(", ".func f()\n{\n\tret;\n}\n.visible .entry k(");
    assert_eq!(read(&other).rewritten(Rewrite::HeldRegisters(16)), None, "two functions");
}
