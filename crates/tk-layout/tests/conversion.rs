//! Conversion plans, executed on every lane, warp and register: each destination register must hold the element that its layout names.

use crate::random;
use proptest::prelude::*;
use tk_layout::conversion::{self, ConversionPlan, Place, RegisterCopy, SharedPlan, ShufflePlan, Transfer};
use tk_layout::{Dim, Encoding, LinearLayout, SwizzledSharedEncoding, banks};

/// `registers[warp][lane][register]` holds the number of an element.
type Registers = Vec<Vec<Vec<Option<u64>>>>;

fn held(layout: &LinearLayout) -> Registers {
    let place = |warp, lane, register| {
        layout.apply_dim(Dim::Warp, warp)
            ^ layout.apply_dim(Dim::Lane, lane)
            ^ layout.apply_dim(Dim::Register, register)
    };
    let registers =
        |warp, lane| (0..layout.in_size(Dim::Register)).map(|register| Some(place(warp, lane, register))).collect();
    let lanes = |warp| (0..layout.in_size(Dim::Lane)).map(|lane| registers(warp, lane)).collect();
    (0..layout.in_size(Dim::Warp)).map(lanes).collect()
}

fn combine(columns: &[u32], mask: usize) -> u32 {
    columns.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).fold(0, |sum, (_, column)| sum ^ column)
}

fn copy(registers: &mut [Option<u64>], copies: &[RegisterCopy]) {
    for RegisterCopy { to, from } in copies {
        registers[*to as usize] = registers[*from as usize];
    }
}

fn run_shuffles(plan: &ShufflePlan, src: &Registers, dst: &mut Registers) {
    type Words = Vec<Vec<Option<u64>>>;
    let exchange = |words: &mut Words, lane: usize, exchange: &conversion::Exchange| {
        if (lane as u32 & exchange.lane_mask).count_ones() % 2 == 1 {
            *words = (0..words.len()).map(|word| words[word ^ exchange.word_xor as usize].clone()).collect();
        }
    };
    for (warp, lanes) in src.iter().enumerate() {
        let mut words: Vec<Words> = Vec::new();
        for (lane, registers) in lanes.iter().enumerate() {
            let pack = |word: &Vec<u32>| word.iter().map(|register| registers[*register as usize]).collect();
            let mut packed: Words = plan.src_words.iter().map(pack).collect();
            plan.before.iter().for_each(|step| exchange(&mut packed, lane, step));
            words.push(packed);
        }
        for (lane, registers) in dst[warp].iter_mut().enumerate() {
            let mut received: Words = vec![Vec::new(); plan.dst_words.len()];
            for round in &plan.rounds {
                let from = round.lane_xor ^ combine(&plan.lane_map, lane);
                assert!(!plan.is_local(round) || from as usize == lane);
                received[round.take as usize] = words[from as usize][round.give as usize].clone();
            }
            plan.after.iter().for_each(|step| exchange(&mut received, lane, step));
            for (word, places) in received.iter().zip(&plan.dst_words) {
                word.iter().zip(places).for_each(|(value, place)| registers[*place as usize] = *value);
            }
            copy(registers, &plan.copies);
        }
    }
}

fn run_shared(plan: &SharedPlan, src: &Registers, dst: &mut Registers, by_matrices: bool) {
    let mut conflicts = (0, 0);
    for (number, round) in plan.rounds.iter().enumerate() {
        let mut memory: Vec<Option<u64>> = vec![None; (plan.bytes / plan.element_bytes) as usize];
        let address = |access: &conversion::Access, transfer: &Transfer, warp: usize, lane: usize| {
            let base = combine(&access.lane_offsets, lane) ^ combine(&access.warp_offsets, warp);
            let address = (base ^ transfer.xor) + transfer.add;
            assert_eq!(address % (access.vector * plan.element_bytes), 0, "misaligned access");
            address
        };
        for (warp, lanes) in src.iter().enumerate() {
            for transfer in &round.stores {
                let mut addresses = Vec::new();
                for (lane, registers) in lanes.iter().enumerate() {
                    if lane as u32 & plan.skip_lanes | warp as u32 & plan.skip_warps != 0 {
                        addresses.push(None);
                        continue;
                    }
                    let address = address(&plan.store, transfer, warp, lane);
                    addresses.push(Some(address));
                    for (at, register) in transfer.registers.iter().enumerate() {
                        let cell = &mut memory[(address / plan.element_bytes) as usize + at];
                        assert!(cell.is_none(), "an element is stored twice");
                        *cell = registers[*register as usize];
                    }
                }
                conflicts.0 =
                    conflicts.0.max(banks::count_wavefronts(&addresses, plan.store.vector * plan.element_bytes));
            }
        }
        if by_matrices && let Some(matrix) = &plan.store.matrix {
            let mut again = vec![None; memory.len()];
            store_matrices(plan, matrix, number, src, &mut again);
            assert_eq!(again, memory, "matrix stores differ from plain ones");
        }
        for (warp, lanes) in dst.iter_mut().enumerate() {
            for transfer in &round.loads {
                let mut addresses = Vec::new();
                for (lane, registers) in lanes.iter_mut().enumerate() {
                    let address = address(&plan.load, transfer, warp, lane);
                    addresses.push(Some(address));
                    for (at, register) in transfer.registers.iter().enumerate() {
                        registers[*register as usize] = memory[(address / plan.element_bytes) as usize + at];
                    }
                }
                conflicts.1 =
                    conflicts.1.max(banks::count_wavefronts(&addresses, plan.load.vector * plan.element_bytes));
            }
        }
        if by_matrices && let Some(matrix) = &plan.load.matrix {
            load_matrices(plan, matrix, number, &memory, dst);
        }
    }
    for lanes in dst.iter_mut().flatten() {
        copy(lanes, &plan.copies);
    }
    let least = |access: &conversion::Access| banks::phases(access.vector * plan.element_bytes);
    assert!(conflicts.0 <= plan.store.conflicts + least(&plan.store));
    assert_eq!(conflicts.1, plan.load.conflicts + least(&plan.load));
}

/// The element at which the row starts whose address lane `giver` gives.
fn row_address(
    plan: &SharedPlan,
    access: &conversion::Access,
    matrix: &conversion::MatrixAccess,
    transfer: &Transfer,
    warp: usize,
    giver: usize,
) -> usize {
    let base = combine(&matrix.lane_offsets, giver) ^ combine(&access.warp_offsets, warp);
    let address = (base ^ transfer.xor) + transfer.add;
    assert_eq!(address % 16, 0);
    (address / plan.element_bytes) as usize
}

/// Row and column of the `at`-th element of the 4 bytes that `lane` holds.
fn word_of(matrix: &conversion::MatrixAccess, lane: usize, at: usize, elements: usize) -> (usize, usize) {
    if matrix.transposed { (lane % 4 * 2 + at, lane / 4) } else { (lane / 4, lane % 4 * elements + at) }
}

fn store_matrices(
    plan: &SharedPlan,
    matrix: &conversion::MatrixAccess,
    round: usize,
    src: &Registers,
    memory: &mut [Option<u64>],
) {
    let elements = (4 / plan.element_bytes) as usize;
    for (warp, lanes) in src.iter().enumerate() {
        for transfer in &matrix.rounds[round] {
            assert_eq!(transfer.registers.len(), elements * matrix.count as usize);
            for (number, word) in transfer.registers.chunks(elements).enumerate() {
                for (lane, registers) in lanes.iter().enumerate() {
                    for (at, register) in word.iter().enumerate() {
                        let (row, column) = word_of(matrix, lane, at, elements);
                        let start = row_address(plan, &plan.store, matrix, transfer, warp, 8 * number + row);
                        memory[start + column] = registers[*register as usize];
                    }
                }
            }
        }
    }
}

fn load_matrices(
    plan: &SharedPlan,
    matrix: &conversion::MatrixAccess,
    round: usize,
    memory: &[Option<u64>],
    dst: &mut Registers,
) {
    let elements = (4 / plan.element_bytes) as usize;
    for (warp, lanes) in dst.iter_mut().enumerate() {
        for transfer in &matrix.rounds[round] {
            for (number, word) in transfer.registers.chunks(elements).enumerate() {
                for (lane, registers) in lanes.iter_mut().enumerate() {
                    for (at, register) in word.iter().enumerate() {
                        let (row, column) = word_of(matrix, lane, at, elements);
                        let start = row_address(plan, &plan.load, matrix, transfer, warp, 8 * number + row);
                        registers[*register as usize] = memory[start + column];
                    }
                }
            }
        }
    }
}

/// Stores by one layout and loads by another through a buffer of a third, as a plan of one round.
fn through_buffer(src: &LinearLayout, dst: &LinearLayout, buffer: &LinearLayout, bits: u32) -> SharedPlan {
    let store = conversion::store_to(src, buffer, bits).unwrap();
    let load = conversion::load_from(dst, buffer, bits).unwrap();
    let plan = SharedPlan {
        bytes: (bits / 8) << buffer.total_out_bits(),
        element_bytes: bits / 8,
        store: store.access,
        load: load.access,
        skip_lanes: store.skip_lanes,
        skip_warps: store.skip_warps,
        rounds: vec![conversion::SharedRound { stores: store.transfers, loads: load.transfers }],
        copies: load.copies,
    };
    for by_matrices in [true, false] {
        let expected = held(dst);
        let mut got = expected.iter().map(|lanes| lanes.iter().map(|lane| vec![None; lane.len()]).collect()).collect();
        run_shared(&plan, &held(src), &mut got, by_matrices);
        assert_eq!(got, expected);
    }
    plan
}

fn check(src: &LinearLayout, dst: &LinearLayout, bits: u32, scratch: u32) -> ConversionPlan {
    let plan = conversion::plan(src, dst, bits, scratch).unwrap();
    let (from, expected) = (held(src), held(dst));
    let empty = || {
        expected
            .iter()
            .map(|lanes| lanes.iter().map(|registers| vec![None; registers.len()]).collect())
            .collect::<Registers>()
    };
    let mut got = empty();
    match &plan {
        ConversionPlan::Reorder { registers } => {
            for (lanes, from) in got.iter_mut().zip(&from) {
                for (lane, from) in lanes.iter_mut().zip(from) {
                    *lane = registers.iter().map(|register| from[*register as usize]).collect();
                }
            }
        }
        ConversionPlan::Shuffles(plan) => run_shuffles(plan, &from, &mut got),
        ConversionPlan::Shared(plan) => {
            let mut again = empty();
            run_shared(plan, &from, &mut again, true);
            assert_eq!(again, expected, "by matrices");
            run_shared(plan, &from, &mut got, false);
        }
    }
    assert_eq!(got, expected, "{plan:?}");
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn plans_move_every_element(tensor in random::tensor(10, 2), log_bits in 3u32..7, log_scratch in 6u32..16) {
        let layouts: Vec<_> = tensor.encodings.iter().map(|encoding| encoding.to_linear(&tensor.shape).unwrap()).collect();
        check(&layouts[0], &layouts[1], 1 << log_bits, 1 << log_scratch);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn buffers_give_back_what_was_stored(
        tensor in random::tensor(10, 2),
        log_bits in 3u32..7,
        (vec, per_phase, max_phase) in (0u32..4, 0u32..3, 0u32..4),
        reverse in any::<bool>(),
    ) {
        let mut order: Vec<u32> = (0..tensor.shape.len() as u32).collect();
        if reverse {
            order.reverse();
        }
        let buffer = SwizzledSharedEncoding { vec: 1 << vec, per_phase: 1 << per_phase, max_phase: 1 << max_phase, order };
        let buffer = Encoding::SwizzledShared(buffer).to_linear(&tensor.shape).unwrap();
        let layouts: Vec<_> = tensor.encodings.iter().map(|encoding| encoding.to_linear(&tensor.shape).unwrap()).collect();
        through_buffer(&layouts[0], &layouts[1], &buffer, 1 << log_bits);
    }
}

#[test]
fn operands_are_loaded_from_swizzled_buffers_by_matrix_loads() {
    let buffer = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>";
    let nvmma = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";
    for (operand, transposed) in [(0, false), (1, true)] {
        for buffer in [buffer, nvmma] {
            let operand = format!("#ttg.dot_op<{{opIdx = {operand}, parent = {MMA2}, kWidth = 2}}>");
            let shape = [64, 64];
            let plan =
                through_buffer(&layout(WIDE_ROWS, &shape), &layout(&operand, &shape), &layout(buffer, &shape), 16);
            let matrix = plan.load.matrix.expect("matrix loads");
            assert_eq!((matrix.count, matrix.transposed), (4, transposed));
            assert_eq!((plan.store.vector, plan.store.conflicts), (8, 0));
        }
    }
}

#[test]
fn tensor_float_and_byte_operands_use_matrix_loads_too() {
    for (bits, width) in [(32, 1), (8, 4)] {
        let buffer =
            format!("#ttg.nvmma_shared<{{swizzlingByteWidth = 128, transposed = false, elementBitWidth = {bits}}}>");
        let operand = format!("#ttg.dot_op<{{opIdx = 0, parent = {MMA2}, kWidth = {width}}}>");
        let shape = [64, 128];
        let plan =
            through_buffer(&layout(WIDE_ROWS, &shape), &layout(&operand, &shape), &layout(&buffer, &shape), bits);
        assert_eq!(plan.load.matrix.map(|matrix| matrix.count), Some(4));
        assert_eq!(plan.load.conflicts, 0);
    }
}

fn layout(text: &str, shape: &[i64]) -> LinearLayout {
    Encoding::parse(text).unwrap().to_linear(shape).unwrap()
}

const ROWS: &str =
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>";
const COLUMNS: &str =
    "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>";
const WIDE_ROWS: &str =
    "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>";
const MMA2: &str = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
const MMA3: &str =
    "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>";

fn shared(src: &str, dst: &str, shape: &[i64], bits: u32) -> SharedPlan {
    match check(&layout(src, shape), &layout(dst, shape), bits, conversion::SCRATCH_BYTES) {
        ConversionPlan::Shared(plan) => plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_layout_needs_nothing() {
    for text in [ROWS, MMA2, MMA3] {
        assert!(check(&layout(text, &[64, 128]), &layout(text, &[64, 128]), 32, 0).is_nothing());
    }
}

#[test]
fn transposing_blocked_layouts_has_no_bank_conflicts() {
    for bits in [8, 16, 32, 64] {
        for shape in [[64, 64], [128, 32], [32, 32], [128, 128]] {
            let plan = shared(ROWS, COLUMNS, &shape, bits);
            assert_eq!((plan.store.conflicts, plan.load.conflicts), (0, 0), "{bits} {shape:?} {plan:?}");
        }
    }
}

/// Both use all lanes for rows and columns in other ways, so that only pairs of neighbours are common to the threads.
const SMALL_MMA: &str =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>";
const SMALL_ROWS: &str =
    "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>";

#[test]
fn an_accumulator_leaves_by_matrix_stores_and_wide_loads() {
    let plan = shared(SMALL_MMA, SMALL_ROWS, &[16, 64], 16);
    assert_eq!((plan.store.conflicts, plan.load.conflicts), (0, 0));
    assert_eq!((plan.store.vector, plan.load.vector), (2, 8));
    assert_eq!(plan.store.matrix.map(|matrix| matrix.count), Some(4));
}

#[test]
fn dot_operands_arrive_by_matrix_loads() {
    let operand = format!("#ttg.dot_op<{{opIdx = 0, parent = {}, kWidth = 2}}>", SMALL_MMA.replace("[1, 4]", "[4, 1]"));
    let plan = shared(SMALL_ROWS, &operand, &[64, 64], 16);
    assert_eq!((plan.store.conflicts, plan.load.conflicts), (0, 0));
    assert_eq!(plan.load.matrix.as_ref().map(|matrix| matrix.count), Some(4), "{:?} {:?}", plan.store, plan.load);
}

#[test]
fn what_both_sides_hold_in_a_thread_is_moved_at_once() {
    let plan = shared(MMA2, WIDE_ROWS, &[64, 128], 16);
    assert_eq!((plan.store.conflicts, plan.load.conflicts), (0, 0));
    assert_eq!((plan.store.vector, plan.load.vector), (8, 8));
}

#[test]
fn an_accumulator_becomes_an_operand_without_leaving_the_thread() {
    let mma = MMA2.replace("[2, 2]", "[4, 1]");
    let operand = format!("#ttg.dot_op<{{opIdx = 0, parent = {mma}, kWidth = 2}}>");
    let plan = check(&layout(&mma, &[64, 64]), &layout(&operand, &[64, 64]), 16, 0);
    assert!(matches!(plan, ConversionPlan::Reorder { .. }), "{plan:?}");
}

#[test]
fn narrow_values_travel_together() {
    let wide = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
    let narrow = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
    for (bits, rounds) in [(16, 2), (32, 4)] {
        let ConversionPlan::Shuffles(plan) = check(&layout(wide, &[128]), &layout(narrow, &[128]), bits, 0) else {
            panic!("shuffles")
        };
        assert_eq!(plan.rounds.len(), rounds);
    }
}

#[test]
fn threads_that_get_many_copies_read_them_from_shared_memory() {
    let rows = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>";
    let tiles = "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>";
    let operand = format!("#ttg.dot_op<{{opIdx = 0, parent = {tiles}}}>");
    let plan = |to: &str| check(&layout(rows, &[16, 16]), &layout(to, &[16, 16]), 32, 0);
    let (whole_rows, own_tile) = (plan(&operand), plan(tiles));
    assert!(matches!(whole_rows, ConversionPlan::Shared(_)), "{whole_rows:?}");
    assert!(matches!(own_tile, ConversionPlan::Shuffles(_)), "{own_tile:?}");
}

/// Weights of a convolution, two of which each lane has, and half of which each lane wants. Where a thread gets two words, they stay shuffles.
#[test]
fn one_warp_outside_of_loops_reads_many_copies_from_shared_memory() {
    let loaded = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
    let times = "sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order = [0, 1]";
    let columns = format!("#ttg.slice<{{dim = 0, parent = #ttg.blocked<{{{times}}}>}}>");
    let plan = |place, size| {
        let (from, to) = (layout(loaded, &[size]), layout(&columns, &[size]));
        conversion::plan_at(place, &from, &to, 16, conversion::SCRATCH_BYTES).unwrap()
    };
    assert!(matches!(plan(Place::Anywhere, 64), ConversionPlan::Shuffles(_)));
    assert!(matches!(plan(Place::OutsideOfLoops, 64), ConversionPlan::Shared(_)));
    let pairs = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
    let (from, to) = (layout(pairs, &[64]), layout(loaded, &[64]));
    let plan = conversion::plan_at(Place::OutsideOfLoops, &from, &to, 32, conversion::SCRATCH_BYTES).unwrap();
    assert!(matches!(plan, ConversionPlan::Shuffles(_)), "{plan:?}");
}

#[test]
fn scratch_memory_is_cut_into_rounds() {
    let plan = shared(MMA3, WIDE_ROWS, &[128, 256], 32);
    assert!(plan.bytes <= 2 * conversion::SCRATCH_BYTES, "{}", plan.bytes);
    assert!(plan.rounds.len() > 1);
}

#[test]
fn layouts_that_do_not_belong_together_are_refused() {
    let rows = layout(ROWS, &[64, 64]);
    for (dst, bits) in [
        (layout(ROWS, &[64, 128]), 32),
        (layout(&ROWS.replace("[4, 1]", "[2, 1]"), &[64, 64]), 32),
        (rows.clone(), 1),
        (rows.clone(), 128),
    ] {
        assert!(conversion::plan(&rows, &dst, bits, 0).is_err());
    }
}
