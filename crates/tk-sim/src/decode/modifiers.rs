//! Which modifiers the simulator knows of each instruction, besides types and state spaces: an opcode with another one is refused, since
//! what the modifier means would be left out in silence.

use super::collective::shape;
use tk_ptx::{Mnemonic, Space, Type};

/// Words in groups.
type Words = &'static [&'static [&'static str]];

const ROUND: &[&str] = &["rn", "rz", "rm", "rp"];
const FTZ: &[&str] = &["ftz"];
const SAT: &[&str] = &["sat"];
const CARRY: &[&str] = &["cc"];
const HALVES: &[&str] = &["lo", "hi"];
const WIDE: &[&str] = &["wide"];
const APPROX: &[&str] = &["approx"];
const COMPARE: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
];
const LOGIC: &[&str] = &["and", "or", "xor"];
const VECTOR: &[&str] = &["v2", "v4", "v8"];
const ORDER: &[&str] = &["weak", "volatile", "mmio", "relaxed", "acquire", "release", "acq_rel"];
const SCOPE: &[&str] = &["cta", "cluster", "gpu", "sys"];
const CACHE: &[&str] = &["ca", "cg", "cs", "cv", "lu", "wb", "wt"];
const UPDATE: &[&str] = &["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", "noftz"];
const ALIGNED: &[&str] = &["sync", "aligned"];
const BYTES: &[&str] = &["mbarrier::complete_tx::bytes"];
const LAYOUT: &[&str] = &["row", "col", "satfinite"];
const FIELDS: &[&str] = &[
    "global_address",
    "rank",
    "global_dim",
    "box_dim",
    "element_stride",
    "global_stride",
    "elemtype",
    "interleave_layout",
    "swizzle_mode",
    "fill_mode",
];

/// What the simulator knows of an instruction.
pub(super) fn known(mnemonic: Mnemonic) -> Words {
    use Mnemonic as M;
    match mnemonic {
        M::Abs | M::Neg | M::Slct => &[FTZ],
        M::Add | M::Sub => &[ROUND, FTZ, SAT, CARRY],
        M::Addc | M::Subc => &[CARRY],
        M::Mul => &[ROUND, FTZ, SAT, HALVES, WIDE],
        M::Mad => &[ROUND, FTZ, SAT, HALVES, WIDE, CARRY],
        M::Madc => &[CARRY, HALVES],
        M::Mul24 | M::Mad24 | M::Dp2a => &[HALVES],
        M::Fma => &[ROUND, FTZ, SAT, &["relu"]],
        M::Div => &[ROUND, FTZ, APPROX, &["full"]],
        M::Rcp | M::Sqrt => &[ROUND, FTZ, APPROX],
        M::Rsqrt | M::Sin | M::Cos | M::Lg2 | M::Ex2 | M::Tanh => &[FTZ, APPROX],
        M::Min | M::Max => &[FTZ, &["NaN", "xorsign", "abs", "relu"]],
        M::Bfind => &[&["shiftamt"]],
        M::Szext | M::Bmsk => &[&["clamp", "wrap"]],
        M::Setp | M::Set => &[COMPARE, LOGIC, FTZ],
        M::Testp => &[&["finite", "infinite", "number", "notanumber", "normal", "subnormal"]],
        M::Cvt => &[
            ROUND,
            FTZ,
            SAT,
            &["rna", "rni", "rzi", "rmi", "rpi", "satfinite", "relu", "tf32", "e4m3x2", "e5m2x2"],
            &["pack", "u2", "s2", "u4", "s4"],
        ],
        M::Shf => &[&["l", "r", "clamp", "wrap"]],
        M::Prmt => &[&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]],
        M::Mov => &[VECTOR],
        M::Bar | M::Barrier => &[ALIGNED, ORDER, SCOPE, &["arrive", "red", "popc", "and", "or", "warp", "wait"]],
        M::Shfl => &[ALIGNED, &["up", "down", "bfly", "idx"]],
        M::Vote => &[ALIGNED, &["all", "any", "uni", "ballot"]],
        M::Match => &[ALIGNED, &["any", "all"]],
        M::Redux => &[ALIGNED, UPDATE],
        M::Elect => &[ALIGNED],
        M::Ldmatrix | M::Stmatrix | M::Movmatrix => &[ALIGNED, &["m8n8", "x1", "x2", "x4", "trans"]],
        M::Mma => &[ALIGNED, LAYOUT, &["tf32", "e4m3", "e5m2"]],
        M::Wmma => &[ALIGNED, LAYOUT, &["load", "store", "mma", "a", "b", "c", "d", "rn", "tf32"]],
        M::Wgmma => {
            &[ALIGNED, &["mma_async", "fence", "commit_group", "wait_group", "satfinite", "tf32", "e4m3", "e5m2"]]
        }
        other => of_memory(other),
    }
}

/// The same for accesses to memory and control flow.
fn of_memory(mnemonic: Mnemonic) -> Words {
    use Mnemonic as M;
    match mnemonic {
        M::Ld | M::Ldu => &[ORDER, SCOPE, VECTOR, CACHE, &["nc"]],
        M::St => &[ORDER, SCOPE, VECTOR, CACHE, BYTES, &["async"]],
        M::Atom | M::Red => &[ORDER, SCOPE, VECTOR, UPDATE],
        M::Cvta => &[&["to"]],
        M::Createpolicy => &[&["range", "fractional"]],
        M::Cp => &[
            CACHE,
            UPDATE,
            BYTES,
            &[
                "async",
                "bulk",
                "tensor",
                "tile",
                "reduce",
                "prefetch",
                "multicast::cluster",
                "bulk_group",
                "read",
                "L2",
            ],
            &["commit_group", "wait_group", "wait_all", "mbarrier", "arrive", "noinc", "1d", "2d", "3d", "4d", "5d"],
        ],
        M::Mbarrier => &[
            ORDER,
            SCOPE,
            &["init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait"],
            &["parity", "noComplete"],
        ],
        M::Tensormap => &[
            FIELDS,
            ORDER,
            SCOPE,
            ALIGNED,
            &["replace", "tile", "b1024", "cp_fenceproxy", "proxy", "tensormap::generic"],
        ],
        M::Bra | M::Call | M::Ret => &[&["uni"]],
        M::Brx => &[&["idx", "uni"]],
        M::Fence => {
            &[ORDER, SCOPE, &["sc", "proxy", "alias", "async", "generic", "tensormap::generic", "mbarrier_init"]]
        }
        M::Membar => &[SCOPE, &["gl"]],
        M::Prefetch | M::Prefetchu | M::Applypriority | M::Discard => &[&["L1", "L2", "tensormap"]],
        M::Griddepcontrol => &[&["launch_dependents", "wait"]],
        M::Setmaxnreg => &[ALIGNED, &["inc", "dec"]],
        M::Pmevent => &[&["mask"]],
        _ => &[],
    }
}

/// The first modifier of an opcode that the simulator does not know of its instruction.
pub(super) fn unknown<'w>(mnemonic: Mnemonic, words: &[&'w str]) -> Option<&'w str> {
    let groups = known(mnemonic);
    let has_shapes = matches!(mnemonic, Mnemonic::Mma | Mnemonic::Wmma | Mnemonic::Wgmma);
    let is_known = |word: &str| {
        Type::parse(word).is_some()
            || Space::parse(word).is_some()
            || groups.iter().any(|group| group.contains(&word))
            || has_shapes && shape(word).is_some()
            // Hints to the caches.
            || word.starts_with("L1::")
            || word.starts_with("L2::")
    };
    words.iter().copied().find(|word| !is_known(word))
}
