//! Multiply-adds of a product in other orders.

use tk_diag::SourceFile;
use tk_ptx::parse;
use tk_ptx::rewrite::{Order, Rewrite};

const HEADER: &str = ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n\t.reg .pred \t%p<2>;\n\t.reg .b16 \t%h<2>;\n\t.reg .f32 \t%x<2>;\n\
                      \t.reg .f32 \t%a<9>;\n\t.reg .f32 \t%b<9>;\n\t.reg .f32 \t%c<9>;\n\t.reg .b32 \t%y<9>;\n\t.reg .b32 \t%r<9>;\n$L__body:\n";

/// The body of a kernel in another order.
fn reordered(body: &str, order: Order) -> Option<String> {
    let text = format!("{HEADER}{body}\tret;\n}}\n");
    let module = parse(&SourceFile::new("k.ptx", &text)).unwrap_or_else(|error| panic!("{error:?}"));
    let text = module.rewritten(Rewrite::MultiplyAdds(order))?;
    let body = text.strip_prefix(HEADER).and_then(|text| text.strip_suffix("\tret;\n}\n"));
    Some(body.unwrap_or_else(|| panic!("{text}")).to_string())
}

/// So many multiply-adds to sums with names that begin like this.
fn adds(sums: &str, from: &str, order: impl Iterator<Item = usize>) -> String {
    order.map(|at| format!("\tfma.rn.f32 \t%{sums}{at}, %x1, %y{at}, %{from}{at};\n")).collect()
}

const LOAD: &str = "\tld.shared.v2.b32 \t{%y1, %y2}, [%r1+16];\n";

#[test]
fn steps_are_reversed_behind_their_loads() {
    let text = |first: String, second: String, load_at: [&str; 2]| {
        let [early, late] = load_at;
        format!("{early}{first}{late}{second}\tbar.sync \t0;\n")
    };
    let next_load = "\tld.shared.b32 \t%r2, [%r1+4];\n";
    let given = text(adds("b", "a", 1..9), adds("c", "b", 1..9), [LOAD, next_load]);
    let [back, there] = [|sums, from| adds(sums, from, (1..9).rev()), |sums, from| adds(sums, from, 1..9)];
    let moved = [&format!("{LOAD}{next_load}"), ""];
    assert_eq!(reordered(&given, Order::Reversed), Some(text(back("b", "a"), back("c", "b"), moved)));
    assert_eq!(reordered(&given, Order::ThereAndBack), Some(text(there("b", "a"), back("c", "b"), moved)));
    assert_eq!(reordered(&given, Order::BackAndThere), Some(text(back("b", "a"), there("c", "b"), moved)));
}

#[test]
fn nothing_passes_what_it_depends_on() {
    let first = adds("b", "a", 1..9);
    let back = adds("b", "a", (1..9).rev());
    for stays in [
        "\tbar.sync \t0;\n",
        "$L__BB0_2:\n",
        "\tst.shared.b32 \t[%r1], %b1;\n",
        "\tadd.s32 \t%y1, %r1, 4;\n",
        "\tmov.b32 \t%r2, %b3;\n",
        "\tcvt.f32.f16 \t%b2, %h1;\n",
        "\t@%p1 mov.b32 \t%r2, %r3;\n",
        "\t// begin inline asm\n\tmov.b32 \t%r2, %r3;\n\t// end inline asm\n",
    ] {
        let text = |adds: &str| format!("{LOAD}{adds}{stays}{LOAD}");
        let late = format!("{LOAD}{back}{stays}{LOAD}");
        assert_eq!(reordered(&text(&first), Order::Reversed), Some(late), "{stays}");
    }
    let few = adds("b", "a", 1..8);
    assert_eq!(reordered(&few, Order::Reversed), None, "no product");
    let inline = format!("\t// begin inline asm\n{first}\t// end inline asm\n");
    assert_eq!(reordered(&inline, Order::Reversed), None, "somebody else's order");
}

#[test]
fn lines_keep_their_places() {
    let [one, two] = ["\t.loc\t1 4 2\n", "\t.loc\t1 5 2\n"];
    let (sums, first) = (adds("b", "a", 1..9), adds("b", "a", (2..9).rev()));
    let (head, tail) = sums.split_at(sums.len() / 8);
    let given = format!("{one}{head}{two}{tail}{one}");
    assert_eq!(reordered(&given, Order::Reversed), Some(format!("{two}{first}{one}{head}")));
}
