//! The instructions of PTX by name (PTX ISA 8.8, "Instruction Set").
//!
//! Who asks what an instruction does matches all of them, so a new one is a row here and a compile error wherever something has to be
//! known of it.

macro_rules! mnemonics {
    ($($variant:ident = $name:literal)*) => {
        /// The part of an opcode before its first point, such as `ld` of `ld.global.b32`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant is the instruction it names")]
        pub enum Mnemonic {
            $($variant,)*
        }

        impl Mnemonic {
            /// Every instruction.
            pub const ALL: &'static [Mnemonic] = &[$(Mnemonic::$variant),*];

            /// The instruction with this name.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Mnemonic::$variant),)*
                    _ => None,
                }
            }

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Mnemonic::$variant => $name,)*
                }
            }
        }
    };
}

mnemonics! {
    // Integers.
    Add = "add" Sub = "sub" Mul = "mul" Mad = "mad" Mul24 = "mul24" Mad24 = "mad24" Sad = "sad" Div = "div" Rem = "rem"
    Abs = "abs" Neg = "neg" Min = "min" Max = "max" Popc = "popc" Clz = "clz" Bfind = "bfind" Fns = "fns" Brev = "brev"
    Bfe = "bfe" Bfi = "bfi" Szext = "szext" Bmsk = "bmsk" Dp4a = "dp4a" Dp2a = "dp2a"
    Addc = "addc" Subc = "subc" Madc = "madc"
    // Floats; those that integers have too are above.
    Testp = "testp" Copysign = "copysign" Fma = "fma" Rcp = "rcp" Sqrt = "sqrt" Rsqrt = "rsqrt"
    Sin = "sin" Cos = "cos" Lg2 = "lg2" Ex2 = "ex2" Tanh = "tanh"
    // Comparisons, selections, bits.
    Set = "set" Setp = "setp" Selp = "selp" Slct = "slct"
    And = "and" Or = "or" Xor = "xor" Not = "not" Cnot = "cnot" Lop3 = "lop3" Shf = "shf" Shl = "shl" Shr = "shr"
    // Moves and conversions.
    Mov = "mov" Prmt = "prmt" Cvt = "cvt" Cvta = "cvta" Isspacep = "isspacep" Mapa = "mapa" Getctarank = "getctarank"
    // Memory.
    Ld = "ld" Ldu = "ldu" St = "st" Atom = "atom" Red = "red" Multimem = "multimem"
    Prefetch = "prefetch" Prefetchu = "prefetchu" Discard = "discard" Applypriority = "applypriority"
    Createpolicy = "createpolicy" Cp = "cp" Tensormap = "tensormap"
    // Textures and surfaces.
    Tex = "tex" Tld4 = "tld4" Txq = "txq" Istypep = "istypep" Suld = "suld" Sust = "sust" Sured = "sured" Suq = "suq"
    // Control.
    Bra = "bra" Brx = "brx" Call = "call" Ret = "ret" Exit = "exit" Trap = "trap" Brkpt = "brkpt"
    Nanosleep = "nanosleep" Pmevent = "pmevent" Setmaxnreg = "setmaxnreg" Griddepcontrol = "griddepcontrol"
    Stacksave = "stacksave" Stackrestore = "stackrestore" Alloca = "alloca"
    // Order and barriers.
    Membar = "membar" Fence = "fence" Bar = "bar" Barrier = "barrier" Mbarrier = "mbarrier"
    Clusterlaunchcontrol = "clusterlaunchcontrol"
    // Several lanes.
    Shfl = "shfl" Vote = "vote" Match = "match" Activemask = "activemask" Redux = "redux" Elect = "elect"
    // Matrices.
    Wmma = "wmma" Mma = "mma" Ldmatrix = "ldmatrix" Stmatrix = "stmatrix" Movmatrix = "movmatrix"
    Wgmma = "wgmma" Tcgen05 = "tcgen05"
    // Video.
    Vadd = "vadd" Vsub = "vsub" Vabsdiff = "vabsdiff" Vmin = "vmin" Vmax = "vmax" Vshl = "vshl" Vshr = "vshr"
    Vmad = "vmad" Vset = "vset"
    Vadd2 = "vadd2" Vsub2 = "vsub2" Vavrg2 = "vavrg2" Vabsdiff2 = "vabsdiff2" Vmin2 = "vmin2" Vmax2 = "vmax2" Vset2 = "vset2"
    Vadd4 = "vadd4" Vsub4 = "vsub4" Vavrg4 = "vavrg4" Vabsdiff4 = "vabsdiff4" Vmin4 = "vmin4" Vmax4 = "vmax4" Vset4 = "vset4"
}

/// Where control goes from an instruction whose guard holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// To the instruction behind it; calls come back to it.
    Next,
    /// To the label that it names.
    Label,
    /// To one of the labels of a table.
    Table,
    /// Nowhere in this function.
    End,
}

impl Mnemonic {
    /// Where control goes from it.
    pub fn successor(self) -> Successor {
        use Mnemonic::*;
        match self {
            Bra => Successor::Label,
            Brx => Successor::Table,
            Ret | Exit | Trap => Successor::End,
            Add | Sub | Mul | Mad | Mul24 | Mad24 | Sad | Div | Rem | Abs | Neg | Min | Max | Popc | Clz | Bfind
            | Fns | Brev | Bfe | Bfi | Szext | Bmsk | Dp4a | Dp2a | Addc | Subc | Madc | Testp | Copysign | Fma
            | Rcp | Sqrt | Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh | Set | Setp | Selp | Slct | And | Or | Xor | Not
            | Cnot | Lop3 | Shf | Shl | Shr | Mov | Prmt | Cvt | Cvta | Isspacep | Mapa | Getctarank | Ld | Ldu
            | St | Atom | Red | Multimem | Prefetch | Prefetchu | Discard | Applypriority | Createpolicy | Cp
            | Tensormap | Tex | Tld4 | Txq | Istypep | Suld | Sust | Sured | Suq | Call | Brkpt | Nanosleep
            | Pmevent | Setmaxnreg | Griddepcontrol | Stacksave | Stackrestore | Alloca | Membar | Fence | Bar
            | Barrier | Mbarrier | Clusterlaunchcontrol | Shfl | Vote | Match | Activemask | Redux | Elect | Wmma
            | Mma | Ldmatrix | Stmatrix | Movmatrix | Wgmma | Tcgen05 | Vadd | Vsub | Vabsdiff | Vmin | Vmax | Vshl
            | Vshr | Vmad | Vset | Vadd2 | Vsub2 | Vavrg2 | Vabsdiff2 | Vmin2 | Vmax2 | Vset2 | Vadd4 | Vsub4
            | Vavrg4 | Vabsdiff4 | Vmin4 | Vmax4 | Vset4 => Successor::Next,
        }
    }

    /// Whether a register, a pair or a vector that is its first operand is written; with the opcode's modifiers where they decide.
    pub(crate) fn writes_first(self, opcode: &crate::Opcode) -> bool {
        use Mnemonic::*;
        match self {
            // Targets, times, or what a barrier or the stack is told.
            Bra | Brx | Call | Nanosleep | Stackrestore => false,
            Bar | Barrier => opcode.has("red"),
            // Without a result their first operand is no register, but an address or a number, or there is none.
            St | Red | Multimem | Prefetch | Prefetchu | Discard | Applypriority | Cp | Tensormap | Sust | Sured
            | Ret | Exit | Trap | Brkpt | Pmevent | Setmaxnreg | Griddepcontrol | Membar | Fence | Mbarrier
            | Clusterlaunchcontrol | Stmatrix | Wgmma | Tcgen05 => true,
            Add | Sub | Mul | Mad | Mul24 | Mad24 | Sad | Div | Rem | Abs | Neg | Min | Max | Popc | Clz | Bfind
            | Fns | Brev | Bfe | Bfi | Szext | Bmsk | Dp4a | Dp2a | Addc | Subc | Madc | Testp | Copysign | Fma
            | Rcp | Sqrt | Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh | Set | Setp | Selp | Slct | And | Or | Xor | Not
            | Cnot | Lop3 | Shf | Shl | Shr | Mov | Prmt | Cvt | Cvta | Isspacep | Mapa | Getctarank | Ld | Ldu
            | Atom | Createpolicy | Tex | Tld4 | Txq | Istypep | Suld | Suq | Stacksave | Alloca | Shfl | Vote
            | Match | Activemask | Redux | Elect | Wmma | Mma | Ldmatrix | Movmatrix | Vadd | Vsub | Vabsdiff
            | Vmin | Vmax | Vshl | Vshr | Vmad | Vset | Vadd2 | Vsub2 | Vavrg2 | Vabsdiff2 | Vmin2 | Vmax2 | Vset2
            | Vadd4 | Vsub4 | Vavrg4 | Vabsdiff4 | Vmin4 | Vmax4 | Vset4 => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for mnemonic in Mnemonic::ALL {
            assert_eq!(Mnemonic::parse(mnemonic.name()), Some(*mnemonic));
        }
        assert_eq!(Mnemonic::parse("ld.global"), None);
    }
}
