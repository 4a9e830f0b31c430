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
    fn fidelity(mnemonic: Mnemonic) -> &'static str {
        match Family::of(mnemonic) {
            Family::NotSimulated(_) => "refused",
            Family::Collective(Collective::Mma | Collective::Wgmma | Collective::Wmma)
            | Family::Plain(
                Plain::Rcp
                | Plain::Rsqrt
                | Plain::Sqrt
                | Plain::Sin
                | Plain::Cos
                | Plain::Lg2
                | Plain::Ex2
                | Plain::Tanh,
            ) => "approximate",
            Family::Control(
                Control::Brkpt
                | Control::Pmevent
                | Control::Griddepcontrol
                | Control::Prefetch
                | Control::Prefetchu
                | Control::Applypriority
                | Control::Discard,
            )
            | Family::MemoryAccess(MemoryAccess::Createpolicy) => "without effect",
            Family::Control(_)
            | Family::Collective(_)
            | Family::MemoryAccess(_)
            | Family::Arithmetic(_)
            | Family::Plain(_) => "exact",
        }
    }

    /// `TK_BLESS=1` writes the table.
    #[test]
    fn the_page_has_the_table() {
        let mut table = "| fidelity | instructions, in the forms that are decoded |\n|---|---|\n".to_string();
        for kind in ["exact", "approximate", "without effect", "refused"] {
            let of_kind = Mnemonic::ALL.iter().filter(|mnemonic| fidelity(**mnemonic) == kind);
            let names: Vec<String> = of_kind.map(|mnemonic| format!("`{}`", mnemonic.name())).collect();
            table += &format!("| {kind} | {} |\n", names.join(" "));
        }
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once("<!-- fidelity -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- end -->").unwrap();
        let wanted = format!("{before}<!-- fidelity -->\n{table}<!-- end -->{after}");
        if std::env::var_os("TK_BLESS").is_some() {
            std::fs::write(PAGE, &wanted).unwrap();
        } else {
            assert!(page == wanted, "docs/simulator.md is old: TK_BLESS=1 cargo test -p tk-sim --lib");
        }
    }
}
