//! The table of forms: what the simulator claims to compute exactly.
//!
//! Sums and products of floats have `.rn` and the like throughout: without one a compiler may fuse them.

use crate::form::Form;

/// All forms.
pub(crate) fn all() -> Vec<Form> {
    [integers(), wide_products(), bits(), comparisons(), singles(), doubles(), narrow(), conversions(), lanes()]
        .concat()
}

fn letter(bits: u32) -> char {
    match bits {
        16 => 'h',
        32 => 'w',
        _ => 'l',
    }
}

fn bits_of(ty: &str) -> u32 {
    ty[1..].parse().unwrap_or(32)
}

/// `name.ty D, A, B` of registers of one kind.
fn same(name: &str, ty: &str, sources: usize) -> Form {
    let class = letter(bits_of(ty));
    let letters = &["A", "B", "C"][..sources];
    let kinds: String = letters.iter().map(|l| format!(" {l}{class}")).collect();
    Form::new(format!("{name}.{ty} D, {}", letters.join(", ")), &format!("D{class}{kinds}"))
}

fn integers() -> Vec<Form> {
    let mut forms = Vec::new();
    for ty in ["u16", "s16", "u32", "s32", "u64", "s64"] {
        for name in ["add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"] {
            forms.push(same(name, ty, 2));
        }
        forms.push(same("mad.lo", ty, 3));
        forms.push(same("sad", ty, 3));
        if bits_of(ty) > 16 {
            forms.push(same("mad.hi", ty, 3));
        }
        if ty.starts_with('s') {
            forms.push(same("abs", ty, 1));
            forms.push(same("neg", ty, 1));
        }
    }
    for ty in ["b16", "b32", "b64"] {
        forms.extend(["and", "or", "xor"].map(|name| same(name, ty, 2)));
        forms.extend(["not", "cnot", "mov"].map(|name| same(name, ty, 1)));
    }
    for name in ["add.sat", "sub.sat", "min.relu", "max.relu"] {
        forms.push(same(name, "s32", 2));
    }
    forms.push(same("mad.hi.sat", "s32", 3));
    for ty in ["u16x2", "s16x2"] {
        for name in ["add", "min", "max"] {
            forms.push(Form::new(format!("{name}.{ty} D, A, B"), "Dw Aw Bw"));
        }
    }
    for name in ["min.relu", "max.relu"] {
        forms.push(Form::new(format!("{name}.s16x2 D, A, B"), "Dw Aw Bw"));
    }
    forms
}

fn wide_products() -> Vec<Form> {
    let mut forms = Vec::new();
    for (ty, from, to) in [("u16", 'h', 'w'), ("s16", 'h', 'w'), ("u32", 'w', 'l'), ("s32", 'w', 'l')] {
        forms.push(Form::new(format!("mul.wide.{ty} D, A, B"), &format!("D{to} A{from} B{from}")));
        forms.push(Form::new(format!("mad.wide.{ty} D, A, B, C"), &format!("D{to} A{from} B{from} C{to}")));
    }
    for ty in ["u32", "s32"] {
        for half in ["lo", "hi"] {
            forms.push(same(&format!("mul24.{half}"), ty, 2));
            forms.push(same(&format!("mad24.{half}"), ty, 3));
        }
    }
    for a in ["u32", "s32"] {
        for b in ["u32", "s32"] {
            forms.push(Form::new(format!("dp4a.{a}.{b} D, A, B, C"), "Dw Aw Bw Cw"));
            for half in ["lo", "hi"] {
                forms.push(Form::new(format!("dp2a.{half}.{a}.{b} D, A, B, C"), "Dw Aw Bw Cw"));
            }
        }
    }
    let chains = [
        ("add.cc.u32 D, A, B;\n\taddc.u32 Q, C, E", "Dw Qw Aw Bw Cw Ew"),
        ("sub.cc.u32 D, A, B;\n\tsubc.u32 Q, C, E", "Dw Qw Aw Bw Cw Ew"),
        ("add.cc.u64 D, A, B;\n\taddc.u64 Q, C, E", "Dl Ql Al Bl Cl El"),
        ("sub.cc.s64 D, A, B;\n\tsubc.s64 Q, C, E", "Dl Ql Al Bl Cl El"),
        ("mad.lo.cc.u32 D, A, B, C;\n\tmadc.hi.u32 Q, A, B, E", "Dw Qw Aw Bw Cw Ew"),
        ("mad.hi.cc.u32 D, A, B, C;\n\tmadc.lo.u32 Q, A, B, E", "Dw Qw Aw Bw Cw Ew"),
        ("add.cc.u32 D, A, B;\n\taddc.cc.u32 Q, C, E;\n\taddc.u32 D, D, Q", "Dw Qw Aw Bw Cw Ew"),
    ];
    forms.extend(chains.map(|(text, operands)| Form::new(text, operands)));
    forms
}

fn bits() -> Vec<Form> {
    let mut forms = Vec::new();
    for (bits, class) in [(16, 'h'), (32, 'w'), (64, 'l')] {
        for name in [format!("shl.b{bits}"), format!("shr.u{bits}"), format!("shr.s{bits}")] {
            forms.push(Form::new(format!("{name} D, A, B"), &format!("D{class} A{class} Bw")));
            forms.push(Form::new(format!("and.b32 Q, B, 63;\n\t{name} D, A, Q"), &format!("D{class} Qw A{class} Bw")));
        }
    }
    for (bits, class) in [(32, 'w'), (64, 'l')] {
        for name in ["popc", "clz"] {
            forms.push(Form::new(format!("{name}.b{bits} D, A"), &format!("Dw A{class}")));
        }
        forms.push(same("brev", &format!("b{bits}"), 1));
        for sign in ["u", "s"] {
            for shift in ["", ".shiftamt"] {
                forms.push(Form::new(format!("bfind{shift}.{sign}{bits} D, A"), &format!("Dw A{class}")));
            }
            forms.push(Form::new(format!("bfe.{sign}{bits} D, A, B, C"), &format!("D{class} A{class} Bw Cw")));
            let near = format!("and.b32 Q, B, 31;\n\tbfe.{sign}{bits} D, A, Q, #");
            forms.push(Form::new(near, &format!("D{class} Qw A{class} Bw")));
        }
        let operands = format!("D{class} A{class} B{class} Cw Ew");
        forms.push(Form::new(format!("bfi.b{bits} D, A, B, C, E"), &operands));
        let near = format!("and.b32 Q, C, 31;\n\tbfi.b{bits} D, A, B, Q, #");
        forms.push(Form::new(near, &format!("D{class} Qw A{class} B{class} Cw")));
    }
    for mode in ["clamp", "wrap"] {
        forms.push(same(&format!("bmsk.{mode}"), "b32", 2));
        forms.push(same(&format!("szext.{mode}"), "u32", 2));
        forms.push(same(&format!("szext.{mode}"), "s32", 2));
        forms.push(same(&format!("shf.l.{mode}"), "b32", 3));
        forms.push(same(&format!("shf.r.{mode}"), "b32", 3));
    }
    forms.push(Form::new("lop3.b32 D, A, B, C, #", "Dw Aw Bw Cw"));
    forms.push(Form::new("fns.b32 D, A, B, C", "Dw Aw Bw Cw"));
    forms.push(Form::new("prmt.b32 D, A, B, C", "Dw Aw Bw Cw"));
    for mode in ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
        forms.push(Form::new(format!("prmt.b32.{mode} D, A, B, C"), "Dw Aw Bw Cw"));
    }
    forms.push(Form::new("mov.b64 D, {A, B}", "Dl Aw Bw"));
    forms.push(Form::new("mov.b64 {D, Q}, A", "Dw Qw Al"));
    forms.push(Form::new("mov.b32 D, {A, B}", "Dw Ah Bh"));
    forms.push(Form::new("mov.b32 {D, Q}, A", "Dh Qh Aw"));
    forms
}

fn comparisons() -> Vec<Form> {
    let mut forms = Vec::new();
    let ordered = ["eq", "ne", "lt", "le", "gt", "ge"];
    let unsigned = ["lo", "ls", "hi", "hs"];
    let unordered = ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
    let mut setp = |ty: &str, tests: &[&str], class: char| {
        for test in tests {
            forms.push(Form::new(format!("setp.{test}.{ty} D, A, B"), &format!("Dp A{class} B{class}")));
        }
        let test = tests[2 % tests.len()];
        for logic in ["and", "or", "xor"] {
            // Comparisons of f16 write one predicate.
            let (written, second) = if ty.ends_with("f16") { ("D", "") } else { ("D|Q", " Qp") };
            let text = format!("setp.{test}.{logic}.{ty} {written}, A, B, P");
            forms.push(Form::new(text, &format!("Dp{second} A{class} B{class} Pp")));
        }
        let text = format!("setp.{test}.and.{ty} D, A, B, !P");
        forms.push(Form::new(text, &format!("Dp A{class} B{class} Pp")));
    };
    for (ty, class) in [("s16", 'h'), ("s32", 'w'), ("s64", 'l')] {
        setp(ty, &ordered, class);
    }
    for (ty, class) in [("u16", 'h'), ("u32", 'w'), ("u64", 'l')] {
        setp(ty, &[&ordered[..], &unsigned[..]].concat(), class);
    }
    for (ty, class) in [("f32", 'w'), ("f64", 'l'), ("f16", 'h'), ("bf16", 'h')] {
        setp(ty, &[&ordered[..], &unordered[..]].concat(), class);
    }
    setp("b32", &["eq", "ne"], 'w');
    for test in [&ordered[..], &unordered[..]].concat() {
        forms.push(Form::new(format!("setp.{test}.ftz.f32 D, A, B"), "Dp Aw Bw"));
    }
    for test in ["lt", "geu", "nan", "ne"] {
        forms.push(Form::new(format!("setp.{test}.f16x2 D|Q, A, B"), "Dp Qp Aw Bw"));
        forms.push(Form::new(format!("setp.{test}.bf16x2 D|Q, A, B"), "Dp Qp Aw Bw"));
        forms.push(Form::new(format!("set.{test}.u32.f32 D, A, B"), "Dw Aw Bw"));
        forms.push(Form::new(format!("set.{test}.f32.f32 D, A, B"), "Dw Aw Bw").alone());
        forms.push(Form::new(format!("set.{test}.f16x2.f16x2 D, A, B"), "Dw Aw Bw"));
    }
    for test in ["lt", "ne"] {
        forms.push(Form::new(format!("set.{test}.u32.s32 D, A, B"), "Dw Aw Bw"));
        forms.push(Form::new(format!("set.{test}.f32.u32 D, A, B"), "Dw Aw Bw").alone());
    }
    for (ty, class) in [("f32", 'w'), ("f64", 'l')] {
        for kind in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
            forms.push(Form::new(format!("testp.{kind}.{ty} D, A"), &format!("Dp A{class}")));
        }
    }
    for (ty, class) in [("b16", 'h'), ("b32", 'w'), ("b64", 'l'), ("f32", 'w')] {
        let operands = format!("D{class} A{class} B{class} Pp");
        forms.push(Form::new(format!("selp.{ty} D, A, B, P"), &operands));
    }
    for by in ["s32", "f32"] {
        forms.push(Form::new(format!("slct.b32.{by} D, A, B, C"), "Dw Aw Bw Cw"));
        forms.push(Form::new(format!("slct.b64.{by} D, A, B, C"), "Dl Al Bl Cw"));
    }
    forms.extend(["and", "or", "xor"].map(|name| Form::new(format!("{name}.pred D, A, P"), "Dp Ap Pp")));
    forms.push(Form::new("not.pred D, P", "Dp Pp"));
    forms
}

fn singles() -> Vec<Form> {
    let mut forms = Vec::new();
    for round in ["rn", "rz", "rm", "rp"] {
        for ftz in ["", ".ftz"] {
            for name in ["add", "sub", "mul"] {
                forms.push(same(&format!("{name}.{round}{ftz}"), "f32", 2));
            }
            forms.push(same(&format!("fma.{round}{ftz}"), "f32", 3));
            forms.push(same(&format!("div.{round}{ftz}"), "f32", 2));
            forms.push(same(&format!("rcp.{round}{ftz}"), "f32", 1));
            forms.push(same(&format!("sqrt.{round}{ftz}"), "f32", 1));
        }
    }
    for sat in [".rn.sat", ".rz.ftz.sat"] {
        forms.extend(["add", "sub", "mul"].map(|name| same(&format!("{name}{sat}"), "f32", 2)));
        forms.push(same(&format!("fma{sat}"), "f32", 3));
    }
    for ftz in ["", ".ftz"] {
        for name in ["min", "max"] {
            for kind in ["", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"] {
                forms.push(same(&format!("{name}{ftz}{kind}"), "f32", 2));
            }
        }
        for name in ["abs", "neg"] {
            forms.push(same(&format!("{name}{ftz}"), "f32", 1).canonical("f32", 32, "0x7fffffff"));
        }
    }
    forms.push(same("copysign", "f32", 2));
    forms
}

fn doubles() -> Vec<Form> {
    let mut forms = Vec::new();
    for round in ["rn", "rz", "rm", "rp"] {
        forms.extend(["add", "sub", "mul", "div"].map(|name| one_nan(same(&format!("{name}.{round}"), "f64", 2))));
        forms.extend(["rcp", "sqrt"].map(|name| same(&format!("{name}.{round}"), "f64", 1)));
        forms.push(one_nan(same(&format!("fma.{round}"), "f64", 3)));
    }
    forms.extend(["min", "max"].map(|name| one_nan(same(name, "f64", 2))));
    forms.push(same("copysign", "f64", 2));
    forms.extend(["abs", "neg"].map(|name| one_nan(same(name, "f64", 1))));
    forms
}

fn one_nan(form: Form) -> Form {
    form.canonical("f64", 64, "0x7ff8000000000000")
}

fn narrow() -> Vec<Form> {
    let mut forms = Vec::new();
    for (ty, class) in [("f16", 'h'), ("f16x2", 'w'), ("bf16", 'h'), ("bf16x2", 'w')] {
        let two = format!("D{class} A{class} B{class}");
        let three = format!("{two} C{class}");
        let is_half = ty.starts_with("f16");
        let ends: &[&str] = if is_half { &["", ".ftz", ".sat", ".ftz.sat"] } else { &[""] };
        for end in ends {
            for name in ["add", "sub", "mul"] {
                forms.push(Form::new(format!("{name}.rn{end}.{ty} D, A, B"), &two));
            }
            forms.push(Form::new(format!("fma.rn{end}.{ty} D, A, B, C"), &three));
        }
        forms.push(Form::new(format!("fma.rn.relu.{ty} D, A, B, C"), &three));
        for name in ["min", "max"] {
            for kind in ["", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"] {
                forms.push(Form::new(format!("{name}{kind}.{ty} D, A, B"), &two));
            }
            if is_half {
                forms.push(Form::new(format!("{name}.ftz.{ty} D, A, B"), &two));
            }
        }
        for name in ["abs", "neg"] {
            forms.push(Form::new(format!("{name}.{ty} D, A"), &format!("D{class} A{class}")).alone());
        }
    }
    forms
}

/// Whether some number of a type of integers is outside of another.
fn can_saturate(from: &str, to: &str) -> bool {
    let (wide, narrow) = (bits_of(from), bits_of(to));
    match (from.starts_with('s'), to.starts_with('s')) {
        (true, false) => true,
        (false, true) => wide >= narrow,
        (true, true) | (false, false) => wide > narrow,
    }
}

fn conversions() -> Vec<Form> {
    let mut forms = Vec::new();
    let integers = [("s16", 'h'), ("u16", 'h'), ("s32", 'w'), ("u32", 'w'), ("s64", 'l'), ("u64", 'l')];
    let floats = [("f16", 'h'), ("f32", 'w'), ("f64", 'l')];
    let mut push = |modifiers: &str, (to, d): (&str, char), (from, a): (&str, char)| {
        forms.push(Form::new(format!("cvt{modifiers}.{to}.{from} D, A"), &format!("D{d} A{a}")));
    };
    for to in integers {
        for from in integers.into_iter().filter(|from| from.0 != to.0) {
            push("", to, from);
            if can_saturate(from.0, to.0) {
                push(".sat", to, from);
            }
        }
        for float in floats {
            for round in ["rni", "rzi", "rmi", "rpi"] {
                push(&format!(".{round}"), to, float);
            }
            for round in ["rn", "rz", "rm", "rp"] {
                push(&format!(".{round}"), float, to);
            }
        }
        push(".rzi.ftz", to, ("f32", 'w'));
    }
    for float in floats {
        for round in ["rni", "rzi", "rmi", "rpi"] {
            push(&format!(".{round}"), float, float);
        }
        push(".sat", float, float);
    }
    for (to, from) in [(floats[0], floats[1]), (floats[0], floats[2]), (floats[1], floats[2])] {
        for round in ["rn", "rz", "rm", "rp"] {
            push(&format!(".{round}"), to, from);
            push(&format!(".{round}.sat"), to, from);
        }
        push("", from, to);
    }
    push(".rn.ftz", floats[1], floats[2]);
    push(".ftz", floats[2], floats[1]);
    push(".rn", ("bf16", 'h'), floats[1]);
    push(".rz", ("bf16", 'h'), floats[1]);
    push(".rn.relu", ("bf16", 'h'), floats[1]);
    push(".rn.relu", ("f16", 'h'), floats[1]);
    push("", floats[1], ("bf16", 'h'));
    push(".rna", ("tf32", 'w'), floats[1]);
    push(".rn", ("tf32", 'w'), floats[1]);
    push(".rz.relu", ("tf32", 'w'), floats[1]);
    for to in ["f16x2", "bf16x2"] {
        for round in [".rn", ".rz", ".rn.relu", ".rz.relu"] {
            forms.push(Form::new(format!("cvt{round}.{to}.f32 D, A, B"), "Dw Aw Bw"));
        }
    }
    for eight in ["e4m3x2", "e5m2x2"] {
        for relu in ["", ".relu"] {
            forms.push(Form::new(format!("cvt.rn.satfinite{relu}.{eight}.f32 D, A, B"), "Dh Aw Bw"));
            forms.push(Form::new(format!("cvt.rn.satfinite{relu}.{eight}.f16x2 D, A"), "Dh Aw"));
            forms.push(Form::new(format!("cvt.rn{relu}.f16x2.{eight} D, A"), "Dw Ah"));
        }
    }
    for to in ["u16", "s16"] {
        forms.push(Form::new(format!("cvt.pack.sat.{to}.s32 D, A, B"), "Dw Aw Bw"));
    }
    for to in ["u8", "s8"] {
        forms.push(Form::new(format!("cvt.pack.sat.{to}.s32.b32 D, A, B, C"), "Dw Aw Bw Cw"));
        forms.push(Form::new(format!("cvt.{to}.s32 D, A"), "Dw Aw"));
        forms.push(Form::new(format!("cvt.s32.{to} D, A"), "Dw Aw"));
    }
    forms
}

fn lanes() -> Vec<Form> {
    let mut forms = Vec::new();
    for mode in ["up", "down", "bfly", "idx"] {
        let clamp = if mode == "up" { "0" } else { "31" };
        forms.push(Form::new(format!("shfl.sync.{mode}.b32 D|Q, A, B, {clamp}, -1"), "Dw Qp Aw Bw"));
        let segments = if mode == "up" { "0x1800" } else { "0x181f" };
        forms.push(Form::new(format!("shfl.sync.{mode}.b32 D|Q, A, B, {segments}, -1"), "Dw Qp Aw Bw"));
        forms.push(Form::new(format!("shfl.sync.{mode}.b32 D, A, 3, {clamp}, -1"), "Dw Aw"));
    }
    forms.push(Form::new("vote.sync.ballot.b32 D, P, -1", "Dw Pp"));
    forms.extend(["all", "any", "uni"].map(|kind| Form::new(format!("vote.sync.{kind}.pred D, P, -1"), "Dp Pp")));
    for (bits, class) in [(32, 'w'), (64, 'l')] {
        forms.push(Form::new(format!("match.any.sync.b{bits} D, A, -1"), &format!("Dw A{class}")));
        forms.push(Form::new(format!("match.all.sync.b{bits} D|Q, A, -1"), &format!("Dw Qp A{class}")));
    }
    for name in ["add", "min", "max"] {
        for ty in ["u32", "s32"] {
            forms.push(Form::new(format!("redux.sync.{name}.{ty} D, A, -1"), "Dw Aw"));
        }
    }
    forms.extend(["and", "or", "xor"].map(|name| Form::new(format!("redux.sync.{name}.b32 D, A, -1"), "Dw Aw")));
    forms.push(Form::new("movmatrix.sync.aligned.m8n8.trans.b16 D, A", "Dw Aw"));
    forms.into_iter().map(Form::converged).collect()
}
