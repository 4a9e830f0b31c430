//! What ptxas is told about launches: threads of a CTA, CTAs that share a multiprocessor, and limits on registers.
//!
//! Told nothing, ptxas weighs registers against CTAs by rules of its own: it delays loads, computes addresses anew and spills for CTAs that
//! never come (docs/measurements.md, "ptxas saves registers for CTAs that never come"). Where the number of CTAs is known, it is told.

use crate::CodegenContext;
use crate::beside_products::is_beside_products;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashSet;
use tk_diag::SourceFile;
use tk_ir::attributes::{LATE, PAIRS, SUMS_FIRST};
use tk_ir::{Op, OpKind};
use tk_target::{Limit, Target};
use tk_types::Residency;

/// The directives of a kernel.
pub(crate) struct LaunchBounds {
    threads: u32,
    registers: Option<u32>,
    /// CTAs that share a multiprocessor.
    resident: Option<u32>,
    /// CTAs run as clusters of two.
    in_pairs: bool,
}

impl LaunchBounds {
    /// Those of a kernel with so many warps and so much shared memory.
    pub(crate) fn of(kernel: Op<'_>, context: &CodegenContext, num_warps: u32, shared_bytes: u32) -> Self {
        let ops = kernel.descendants();
        let has = |kind: OpKind| ops.iter().any(|op| op.kind() == kind);
        let reachable = || reachable_ctas(context.target, num_warps, shared_bytes);
        let resident = if has(OpKind::TtgAsyncCopyGlobalToLocal) { reachable() } else { None };
        // Loops of `wgmma` keep their operands in shared memory; with more registers they got 3 to 5 % slower. Logarithms of their results need
        // registers: each is a chain of thirty instructions, and many have to be under way at the same time.
        let logarithms = || ops.iter().any(|op| is_logarithm(*op) && is_beside_products(*op));
        let is_loop = |op: Op<'_>| matches!(op.kind(), OpKind::ScfFor | OpKind::ScfWhile);
        let is_repeated = |op: &Op<'_>| op.kind() == OpKind::TtngWarpGroupDot && op.ancestors().any(is_loop);
        let repeats_products = ops.iter().any(is_repeated);
        let may_be_alone = !repeats_products || logarithms();
        let alone = context.options.residency.at_most() == Some(1) && may_be_alone;
        // Products come in parts for the sake of all CTAs that the grid brings.
        let in_parts = ops.iter().any(|op| op.attr(SUMS_FIRST).is_some());
        let all = context.options.residency.at_most().filter(|_| in_parts);
        let resident = all.or(resident);
        Self {
            threads: num_warps * 32,
            registers: context.options.maxnreg,
            in_pairs: kernel.ancestors().any(|op| op.attr(PAIRS).is_some()),
            resident: if alone { Some(1) } else { ctas_of_rows(&ops, context, num_warps, shared_bytes).or(resident) },
        }
    }

    /// Sets the attributes from which LLVM makes directives.
    pub(crate) fn set(&self, function: FunctionValue<'_>, llvm: &Context) {
        let set = |name: &str, value: u32| {
            function.add_attribute(AttributeLoc::Function, llvm.create_string_attribute(name, &value.to_string()));
        };
        set("nvvm.reqntid", self.threads);
        if self.in_pairs {
            function.add_attribute(AttributeLoc::Function, llvm.create_string_attribute("nvvm.cluster_dim", "2,1,1"));
        }
        if let Some(registers) = self.registers {
            set("nvvm.maxnreg", registers);
        } else if let Some(ctas) = self.resident {
            set("nvvm.minctasm", ctas);
        }
    }
}

/// Of a tensor: one that code generation computes by a polynomial.
fn is_logarithm(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::MathLog | OpKind::MathLog2) && op.result(0).ty().is_tensor()
}

/// CTAs whose threads have [`BESIDE_ROWS`] registers each, of a kernel that reads rows as it needs their elements ([`LATE`]) and no other large blocks,
/// as far as the grid brings them.
fn ctas_of_rows(ops: &[Op<'_>], context: &CodegenContext, num_warps: u32, shared_bytes: u32) -> Option<u32> {
    let most_elements = i64::from(MOST_BESIDE_ROWS * 32 * num_warps);
    let is_small = |op: &Op<'_>| op.result(0).ty().shape().iter().product::<i64>() <= most_elements;
    let mut loads = ops.iter().filter(|op| op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor());
    let has_rows = ops.iter().any(|op| op.attr(LATE).is_some());
    if !has_rows || !loads.all(|op| op.attr(LATE).is_some() || is_small(op)) {
        return None;
    }
    let fit = context.target.occupancy(BESIDE_ROWS, shared_bytes, num_warps).ctas_per_sm;
    Some(fit.min(context.options.residency.at_most().unwrap_or(u32::MAX))).filter(|ctas| *ctas > 1)
}

/// Registers of a thread that reads rows as it needs them. More are loads under way that ptxas adds, and fewer CTAs: a cross entropy of 1024 rows of 65536
/// halves took 206 us with 255, 107 with 80, 100 with 64, and 99 with 40 on an H200.
const BESIDE_ROWS: u32 = 64;
/// Elements of a thread of a block that is no large one beside rows.
const MOST_BESIDE_ROWS: u32 = 8;

/// CTAs that share a multiprocessor, where shared memory alone decides that: so many fit even with every register a thread can have.
///
/// ptxas cannot see shared memory that a launch sizes, so it saves registers for CTAs that will never come: it computes the addresses
/// of copies anew in loops, and spills (docs/measurements.md, "ptxas spills when it assumes too many CTAs"). It is only told where copies
/// keep such addresses; elsewhere loops got no shorter.
fn reachable_ctas(target: Target, num_warps: u32, shared_bytes: u32) -> Option<u32> {
    let ctas = |registers: u32| target.occupancy(registers, shared_bytes, num_warps).ctas_per_sm;
    let most = ctas(1);
    (most > 0 && ctas(target.max_registers_per_thread()) == most).then_some(most)
}

/// The PTX with a number of CTAs that share a multiprocessor, where what it needs says so and it says nothing itself:
///
/// - It needs more registers than a thread can have: one CTA, with every register. ptxas otherwise may take 32 registers and spill the rest. Of one that needs
///   many times as many, several, if the grid brings them ([`FAR_MORE`]).
/// - The grid brings few CTAs to each multiprocessor, and these have registers to spare ([`AMPLE_BUDGET`]): that many CTAs.
/// - It brings few warps, whose code has no loops ([`FEW_WARPS`]): that many CTAs.
/// - It copies to shared memory, which lets one CTA more in than all registers would, and they can do with the registers that are left then
///   ([`PEAK_OF_BUDGET`]): as many as shared memory lets in.
pub(crate) fn with_chosen_ctas(ptx: String, room: &Room) -> String {
    let ctas = chosen_ctas(&ptx, room).and_then(|ctas| with_resident_ctas(&ptx, ctas));
    ctas.unwrap_or(ptx)
}

/// What CTAs share.
pub(crate) struct Room {
    pub(crate) target: Target,
    pub(crate) residency: Residency,
    pub(crate) num_warps: u32,
    pub(crate) shared_bytes: u32,
}

impl Room {
    /// What CTAs of a kernel share.
    pub(crate) fn of(context: &CodegenContext, num_warps: u32, shared_bytes: u32) -> Self {
        Self { target: context.target, residency: context.options.residency, num_warps, shared_bytes }
    }

    fn budget(&self, ctas: u32) -> u32 {
        self.target.register_budget(self.num_warps, ctas)
    }

    /// The few CTAs that the grid brings, if they have registers to spare.
    fn few_ctas(&self) -> Option<u32> {
        self.residency.at_most().filter(|ctas| *ctas <= FEW && self.budget(*ctas) >= AMPLE_BUDGET)
    }

    /// The CTAs that the grid brings, if these are few warps.
    fn ctas_of_few_warps(&self) -> Option<u32> {
        self.residency.at_most().filter(|ctas| ctas.saturating_mul(self.num_warps) <= FEW_WARPS)
    }

    /// CTAs whose threads have [`BESIDE_SPILLS`] registers each, as far as the grid brings them.
    fn ctas_beside_spills(&self) -> u32 {
        let brought = match self.residency {
            Residency::Any | Residency::One => 1,
            Residency::AtMost(most) => most,
            Residency::Many => MOST_BESIDE_SPILLS,
        };
        let fits = |ctas: &u32| self.budget(*ctas) >= BESIDE_SPILLS;
        (1..=brought.min(MOST_BESIDE_SPILLS)).take_while(fits).last().unwrap_or(1)
    }

    /// The CTAs that shared memory lets in, if it is one more than all registers would.
    fn one_more_by_shared(&self) -> Option<u32> {
        let by_shared = self.target.occupancy(1, self.shared_bytes, self.num_warps);
        let most = self.target.max_registers_per_thread();
        let with_all = self.target.occupancy(most, self.shared_bytes, self.num_warps).ctas_per_sm;
        let is_one_more = by_shared.limit == Limit::SharedMemory && by_shared.ctas_per_sm == with_all + 1;
        is_one_more.then_some(by_shared.ctas_per_sm)
    }
}

fn chosen_ctas(ptx: &str, room: &Room) -> Option<u32> {
    // Of loops with `wgmma` ptxas knows better how many registers it needs: what it reads from shared memory it reads late.
    if ptx.contains("wgmma.") {
        return None;
    }
    let few = room.few_ctas().or_else(|| room.ctas_of_few_warps().filter(|_| is_straight(ptx)));
    let by_shared = room.one_more_by_shared().filter(|_| ptx.contains("cp.async.c"));
    let most = room.target.max_registers_per_thread();
    let budget = few.or(by_shared).map_or(most, |ctas| room.budget(ctas));
    if declared_registers(ptx) <= budget {
        return few;
    }
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", ptx)).ok()?;
    let peak = module.entries().map(|entry| entry.peak_registers()).max().unwrap_or(0);
    if module.entries().all(|entry| entry.peak_registers() > most) {
        let is_far_more = module.entries().all(|entry| entry.peak_registers() > FAR_MORE * most);
        return Some(if is_far_more { room.ctas_beside_spills() } else { 1 });
    }
    let is_near = |ctas: &u32| {
        let budget = room.budget(*ctas);
        peak > budget && f64::from(peak) <= PEAK_OF_BUDGET * f64::from(budget)
    };
    few.filter(|ctas| peak <= room.budget(*ctas)).or(by_shared.filter(is_near))
}

/// The PTX with this number of CTAs that share a multiprocessor; nothing where it says one, or a limit of registers, itself.
pub fn with_resident_ctas(ptx: &str, ctas: u32) -> Option<String> {
    const THREADS: &str = "\n.reqntid ";
    const LIMITS: [&str; 2] = [".minnctapersm", ".maxnreg"];
    if LIMITS.iter().any(|limit| ptx.contains(limit)) {
        return None;
    }
    let start = ptx.find(THREADS)?;
    let end = start + 1 + ptx[start + 1..].find('\n')?;
    Some(format!("{}\n.minnctapersm {ctas}{}", &ptx[..end], &ptx[end..]))
}

/// The number of CTAs that share a multiprocessor, where the PTX says one.
pub fn resident_ctas(ptx: &str) -> Option<u32> {
    let (_, rest) = ptx.split_once("\n.minnctapersm ")?;
    rest.lines().next()?.trim().parse().ok()
}

/// The PTX that says nothing of CTAs that share a multiprocessor, where it says that they are `ctas`.
pub fn without_resident_ctas(ptx: &str, ctas: u32) -> Option<String> {
    let directive = format!("\n.minnctapersm {ctas}\n");
    ptx.contains(&directive).then(|| ptx.replace(&directive, "\n"))
}

/// CTAs of a multiprocessor that are few.
const FEW: u32 = 4;
/// Times as many registers as a thread can have: most of what a kernel holds lies in memory whatever it gets, and more CTAs hide that better. On an H200 a softmax
/// over 2048 elements for each thread takes 0.81 of the time with four CTAs; one that needs little more than there are takes 2.5 times as long.
const FAR_MORE: u32 = 4;
/// Registers of a thread then, and CTAs at most.
const BESIDE_SPILLS: u32 = 128;
const MOST_BESIDE_SPILLS: u32 = 16;

/// Registers with which a thread of a CTA that shares a multiprocessor with few others may do as it likes. On an H200 53 kernels of other people
/// whose grids bring two to four CTAs ran 3 % faster with more registers where four warps or fewer have these, and no faster with fewer
/// registers or more warps.
const AMPLE_BUDGET: u32 = 128;

/// Warps of a multiprocessor, two for each of its parts, that leave none waiting for registers. Where their code is straight, what a thread has under way
/// at once is all that hides latency: a matrix of halves that is turned in CTAs of one warp ran 9 % faster with 118 registers than with 72, and the other
/// three launches of this kind that change as fast as before. Recurrences, which are loops, lose as much as they gain (docs/measurements.md, "Registers of
/// CTAs that save no wave are worth nothing by themselves").
const FEW_WARPS: u32 = 8;

/// How far the registers that live at once in the order of the PTX may be above what ptxas shall get by with. It reads operands from shared
/// memory later than they are written there (docs/measurements.md, "CTAs that shared memory lets in").
const PEAK_OF_BUDGET: f64 = 1.5;

/// An upper bound of the 32-bit registers that live at the same time: those that the PTX declares. (`.reg .b32 %r<80>;`)
fn declared_registers(ptx: &str) -> u32 {
    let count = |line: &str| {
        let (ty, rest) = line.trim().strip_prefix(".reg .")?.split_once(char::is_whitespace)?;
        let number: u32 = rest.split_once('<')?.1.split_once('>')?.0.parse().ok()?;
        let words = if ty.ends_with("64") { 2 } else { 1 };
        (ty != "pred").then_some(number.saturating_mul(words))
    };
    ptx.lines().filter_map(count).fold(0, u32::saturating_add)
}

/// Nothing branches back.
fn is_straight(ptx: &str) -> bool {
    let mut labels = FxHashSet::default();
    for line in ptx.lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        if let Some(label) = code.strip_suffix(':') {
            labels.insert(label);
            continue;
        }
        let mut words = code.trim_end_matches(';').split_whitespace();
        let branches = words.by_ref().any(|word| word == "bra" || word.starts_with("bra."));
        if branches && words.next().is_some_and(|target| labels.contains(target)) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(values: u32, header: &str) -> String {
        let mut body = String::new();
        for at in 0..values {
            body += &format!("\tld.global.b32 %r{}, [%rd1+{}];\n", at + 1, 4 * at);
        }
        for at in 0..values {
            body += &format!("\tst.global.b32 [%rd1+{}], %r{};\n", 4 * (values - at), at + 1);
        }
        format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n.reqntid 128\n{header}{{\n\t.reg .b32 %r<{}>;\n\t.reg .b64 \
             %rd<2>;\n\tld.param.u64 %rd1, [p];\n{body}\tret;\n}}\n",
            values + 1
        )
    }

    /// What CTAs of four warps share on an H200.
    fn room(residency: Residency, shared_bytes: u32) -> Room {
        Room { target: Target::parse("sm_90a").unwrap_or_default(), residency, num_warps: 4, shared_bytes }
    }

    #[test]
    fn grids_of_few_ctas_leave_registers_to_spare() {
        let told = |values, residency, num_warps| {
            let ptx = with_chosen_ctas(kernel(values, ""), &Room { num_warps, ..room(residency, 0) });
            ptx.split_once(".minnctapersm ").and_then(|(_, rest)| rest.chars().next())
        };
        let few = Residency::AtMost(4);
        assert_eq!([told(20, few, 4), told(100, few, 4), told(20, few, 2)], [Some('4'); 3]);
        assert_eq!(told(20, few, 8), None, "64 registers");
        assert_eq!(told(200, few, 4), None, "more registers than four CTAs have");
        assert_eq!(told(200, Residency::AtMost(2), 4), Some('2'));
        assert_eq!(told(20, Residency::Any, 4), None);
    }

    #[test]
    fn few_warps_have_all_registers_where_their_code_is_straight() {
        let told = |ptx: String, ctas, num_warps| {
            let ptx = with_chosen_ctas(ptx, &Room { num_warps, ..room(Residency::AtMost(ctas), 0) });
            ptx.split_once(".minnctapersm ").and_then(|(_, rest)| rest.chars().next())
        };
        let straight = || kernel(20, "");
        let branching = |target: &str| {
            kernel(20, "").replace("\tret;", &format!("$L__BB0_1:\n\t@%p1 bra \t{target};\n$L__BB0_2:\n\tret;"))
        };
        assert_eq!([told(straight(), 8, 1), told(branching("$L__BB0_2"), 8, 1)], [Some('8'); 2]);
        assert_eq!([told(branching("$L__BB0_1"), 8, 1), told(straight(), 16, 1), told(straight(), 8, 2)], [None; 3]);
    }

    #[test]
    fn kernels_that_need_many_times_the_registers_have_several_ctas() {
        let told = |values, residency| {
            let ptx = with_chosen_ctas(kernel(values, ""), &room(residency, 0));
            ptx.split_once(".minnctapersm ").and_then(|(_, rest)| rest.chars().next())
        };
        let many = 4 * 255 + 100;
        assert_eq!([told(many, Residency::Many), told(many, Residency::AtMost(16))], [Some('4'); 2], "128 registers");
        assert_eq!([told(many, Residency::AtMost(2)), told(many, Residency::Any)], [Some('2'), Some('1')]);
        assert_eq!(told(700, Residency::Many), Some('1'), "not many times as many");
    }

    #[test]
    fn kernels_that_need_more_registers_than_there_are_get_all() {
        let told =
            |ptx: String| with_chosen_ctas(ptx, &room(Residency::Any, 0)).contains(".reqntid 128\n.minnctapersm 1\n");
        assert!(told(kernel(300, "")));
        assert!(!told(kernel(100, "")) && !told(kernel(300, ".maxnreg 64\n")));
        assert_eq!(
            with_chosen_ctas(kernel(300, ".minnctapersm 2\n"), &room(Residency::Any, 0)),
            kernel(300, ".minnctapersm 2\n")
        );
    }

    #[test]
    fn copies_leave_room_for_the_ctas_that_shared_memory_lets_in() {
        let copying = |values: u32| kernel(values, "").replace("\tret;", "\tcp.async.commit_group;\n\tret;");
        let ctas = |values: u32, shared_bytes: u32| {
            with_chosen_ctas(copying(values), &room(Residency::Any, shared_bytes))
                .split_once(".minnctapersm ")
                .and_then(|(_, rest)| rest.chars().next())
        };
        // Three CTAs of 70,000 bytes have 168 registers for a thread.
        assert_eq!([ctas(200, 70_000), ctas(253, 70_000), ctas(160, 70_000)], [Some('3'), None, None]);
        assert_eq!([ctas(200, 110_000), ctas(200, 0)], [None, None]);
        assert!(!with_chosen_ctas(kernel(200, ""), &room(Residency::Any, 70_000)).contains(".minnctapersm"));
    }

    #[test]
    fn declared_registers_are_counted_in_words() {
        assert_eq!(declared_registers("\t.reg .pred \t%p<9>;\n\t.reg .b32 \t%r<80>;\n\t.reg .b64 \t%rd<7>;\n"), 94);
    }
}
