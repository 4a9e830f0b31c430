//! The families of instructions: every instruction of tk-ptx is in one, and each family is an enum that its file matches in full.
//!
//! So a new instruction is a row of compile errors: the table below lacks it, and once it is there, the `match` of its family does.

use tk_ptx::Mnemonic;

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident { $($mnemonic:ident)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub(super) enum $family { $($mnemonic,)* }
        )*

        /// The family of an instruction, and which of the family it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Family { $($(#[$doc])* $family($family),)* }

        impl Family {
            /// The family of every instruction.
            pub(super) fn of(mnemonic: Mnemonic) -> Self {
                match mnemonic {
                    $($(Mnemonic::$mnemonic => Family::$family($family::$mnemonic),)*)*
                }
            }
        }
    };
}

families! {
    /// Control flow, fences, and hints that change nothing here (`call`).
    Control {
        Bra Brx Call Ret Exit Trap Nanosleep Fence Membar
        Brkpt Pmevent Setmaxnreg Griddepcontrol Prefetch Prefetchu Applypriority Discard
    }
    /// What lanes, warps or the CTA execute together (`collective`, `wgmma`).
    Collective { Bar Barrier Shfl Vote Match Activemask Redux Elect Ldmatrix Stmatrix Movmatrix Mma Wgmma Wmma }
    /// Accesses to memory, addresses, asynchronous copies (`memory`, `bulk`).
    MemoryAccess { Ld Ldu St Atom Red Cvta Isspacep Mapa Getctarank Createpolicy Cp Mbarrier Tensormap }
    /// Instructions on registers whose operands have forms of their own (`alu`).
    Arithmetic { Mov Setp Set Selp Slct Testp Cvt Shf Prmt Lop3 Add Addc Sub Subc Mad Madc And Or Xor Not }
    /// Instructions on plain registers: [`crate::ops::find`] has a function for each of their types.
    Plain {
        Mul Mul24 Mad24 Sad Div Rem Abs Neg Min Max Popc Clz Bfind Fns Brev Bfe Bfi Szext Bmsk Dp4a Dp2a
        Copysign Fma Rcp Sqrt Rsqrt Sin Cos Lg2 Ex2 Tanh Cnot Shl Shr
    }
    /// Instructions that the simulator has not.
    NotSimulated {
        Multimem Clusterlaunchcontrol Stacksave Stackrestore Alloca
        Tex Tld4 Txq Istypep Suld Sust Sured Suq Tcgen05
        Vadd Vsub Vabsdiff Vmin Vmax Vshl Vshr Vmad Vset
        Vadd2 Vsub2 Vavrg2 Vabsdiff2 Vmin2 Vmax2 Vset2 Vadd4 Vsub4 Vavrg4 Vabsdiff4 Vmin4 Vmax4 Vset4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/simulator.md");

    /// How what an instruction does here compares with a GPU.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Fidelity {
        Exact,
        /// How far a GPU may be from it.
        Approximate(&'static str),
        WithoutEffect,
        Refused,
    }

    const SUMS: Fidelity = Fidelity::Approximate(
        "products are exact, and sums rounded to f32 (f64 of f64) after each product in the order of k; a GPU sums in another order with fewer bits. Of n products, about n·2⁻²⁴ of the sum of their absolute values",
    );
    const ONE_ULP: Fidelity = Fidelity::Approximate(
        "`.approx` is the rounded function, a GPU is within 1 ulp; `rcp.approx.ftz.f64` is that of upper 32 bits, cut to these",
    );
    const TWO_ULPS: Fidelity =
        Fidelity::Approximate("`.approx`, and `div.full`, are the rounded function; a GPU is within 2 ulps");
    const ABSOLUTE: Fidelity =
        Fidelity::Approximate("the rounded function; a GPU is within 2⁻²⁰·⁵ for arguments from -2π to 2π, absolutely");
    const LOGARITHM: Fidelity =
        Fidelity::Approximate("the rounded function; a GPU is within 2⁻²², absolutely near 1 and relatively elsewhere");
    const EXPONENTIAL: Fidelity = Fidelity::Approximate("the rounded function; a GPU is within 2⁻²², relatively");
    const TANGENT: Fidelity = Fidelity::Approximate("the rounded function; a GPU is within 2⁻¹¹, relatively");

    fn fidelity(mnemonic: Mnemonic) -> Fidelity {
        match Family::of(mnemonic) {
            Family::NotSimulated(_) => Fidelity::Refused,
            Family::Collective(Collective::Mma | Collective::Wgmma | Collective::Wmma) => SUMS,
            Family::Plain(Plain::Rcp | Plain::Rsqrt | Plain::Sqrt) => ONE_ULP,
            Family::Plain(Plain::Div) => TWO_ULPS,
            Family::Plain(Plain::Sin | Plain::Cos) => ABSOLUTE,
            Family::Plain(Plain::Lg2) => LOGARITHM,
            Family::Plain(Plain::Ex2) => EXPONENTIAL,
            Family::Plain(Plain::Tanh) => TANGENT,
            Family::Control(
                Control::Brkpt
                | Control::Pmevent
                | Control::Griddepcontrol
                | Control::Prefetch
                | Control::Prefetchu
                | Control::Applypriority
                | Control::Discard,
            )
            | Family::MemoryAccess(MemoryAccess::Createpolicy) => Fidelity::WithoutEffect,
            Family::Control(_)
            | Family::Collective(_)
            | Family::MemoryAccess(_)
            | Family::Arithmetic(_)
            | Family::Plain(_) => Fidelity::Exact,
        }
    }

    /// The table of fidelity, and that of modifiers.
    fn tables() -> String {
        let all = || Mnemonic::ALL.iter().copied();
        let mut kinds: Vec<Fidelity> = Vec::new();
        for kind in all().map(fidelity) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds.sort_by_key(|kind| match kind {
            Fidelity::Exact => 0,
            Fidelity::Approximate(_) => 1,
            Fidelity::WithoutEffect => 2,
            Fidelity::Refused => 3,
        });
        let mut text = "| fidelity | bound | instructions |\n|---|---|---|\n".to_string();
        for kind in kinds {
            let names: Vec<String> =
                all().filter(|m| fidelity(*m) == kind).map(|m| format!("`{}`", m.name())).collect();
            let (word, bound) = match kind {
                Fidelity::Exact => ("exact", ""),
                Fidelity::Approximate(bound) => ("approximate", bound),
                Fidelity::WithoutEffect => ("without effect", ""),
                Fidelity::Refused => ("refused", ""),
            };
            text += &format!("| {word} | {bound} | {} |\n", names.join(" "));
        }
        text += "\n| instruction | modifiers besides types, spaces and cache hints |\n|---|---|\n";
        for mnemonic in all().filter(|m| fidelity(*m) != Fidelity::Refused) {
            let words: Vec<String> =
                super::super::modifiers::known(mnemonic).concat().iter().map(|word| format!("`.{word}`")).collect();
            if !words.is_empty() {
                text += &format!("| `{}` | {} |\n", mnemonic.name(), words.join(" "));
            }
        }
        text
    }

    /// `TK_BLESS=1` writes the tables.
    #[test]
    fn the_page_has_the_tables() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once("<!-- fidelity -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- end -->").unwrap();
        let wanted = format!("{before}<!-- fidelity -->\n{}<!-- end -->{after}", tables());
        if std::env::var_os("TK_BLESS").is_some() {
            std::fs::write(PAGE, &wanted).unwrap();
        } else {
            assert!(page == wanted, "docs/simulator.md is old: TK_BLESS=1 cargo test -p tk-sim --lib");
        }
    }
}
