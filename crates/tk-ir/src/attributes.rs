//! Names of attributes that no operation defines: each is written here once, with what it says, who writes it and who reads it.
//!
//! Names that begin with `tk.` are tk's own; the others are Triton's, and mean what they mean there.

// ---- Modules ----

/// Warps of a CTA, `i32`. Written by `convert-to-ttg`; read by passes and code generation.
pub const NUM_WARPS: &str = "ttg.num-warps";
/// CTAs of a cluster, `i32`. Written by `convert-to-ttg`.
pub const NUM_CTAS: &str = "ttg.num-ctas";
/// Threads of a warp, `i32`. Written by `convert-to-ttg`; read by passes.
pub const THREADS_PER_WARP: &str = "ttg.threads-per-warp";
/// What the module is compiled for, such as `"cuda:90"`. Written by `convert-to-ttg`.
pub const TARGET: &str = "ttg.target";
/// Bytes of shared memory of a CTA, `i32`. Written by `allocate-shared-memory`; read by code generation.
pub const SHARED: &str = "ttg.shared";
/// How the module came to be, a dictionary: the last step, the target, the options and the signature. Written by `tk-driver` on what it
/// prints; read there when the text is compiled on.
pub const ORIGIN: &str = "tk.origin";

/// Module: CTAs run as clusters of two along x, unit. Written by `share-copies`; read by code generation.
pub const PAIRS: &str = "tk.pairs";

// ---- Parameters of functions ----

/// A number that divides the parameter, `i32`; of pointers the address, in bytes. Written by the lowering; read by axis info.
pub const DIVISIBILITY: &str = "tt.divisibility";
/// Elements along each axis that follow each other, `dense` or `i32`; also on operations. Written by the lowering; read by axis info.
pub const CONTIGUITY_HINT: &str = "tt.contiguity";
/// Elements along each axis that are equal, `dense` or `i32`; also on operations. Written by the lowering; read by axis info.
pub const CONSTANCY_HINT: &str = "tt.constancy";
/// The parameter is a number that is positive, unit. Written by the lowering; read by passes.
pub const POSITIVE: &str = "tk.positive";
/// The parameter is a descriptor: what lies outside its tensor, in the numbers of `tt.make_tensor_descriptor`. Written by the
/// lowering; read by passes and code generation.
pub const PADDING: &str = "tk.padding";
/// The value of [`PADDING`] for NaN; without the attribute there are zeros.
pub const PADDING_NAN: i64 = 2;
/// The parameter is a descriptor whose tensor has a last size that is no multiple of 16 bytes, unit; without it the launch
/// promises that it is one. Written by the lowering; read by passes.
pub const RAGGED: &str = "tk.ragged";
/// The parameter is a pointer that was a descriptor: its rank, `i32`. The next parameters are the sizes (`i32`) and strides (`i64`)
/// of the tensor. Written by `rewrite-descriptors`; read by code generation.
pub const DESCRIPTOR: &str = "tk.descriptor";
/// The parameter is a descriptor of the compiler's making, no argument of the launch: the number of the pointer parameter that its
/// tensor starts at, `i32`. The tensor has two axes, and sizes that nothing reaches unless [`MAP_ROWS`] and those below say otherwise. Written
/// by the pass that copies blocks by TMA; read by code generation.
pub const MAP_BASE: &str = "tk.map_base";
/// Beside [`MAP_BASE`]: the number of the parameter that is the distance of two rows, in elements, `i32`.
pub const MAP_STRIDE: &str = "tk.map_stride";
/// Beside [`MAP_BASE`]: how many rows the tensor has, `i32`.
pub const MAP_ROWS: &str = "tk.map_rows";
/// Beside [`MAP_BASE`]: how many columns the tensor has, `i32`.
pub const MAP_COLUMNS: &str = "tk.map_columns";
/// Beside [`MAP_BASE`]: the number of the parameter that says how many rows the tensor has, `i32`.
pub const MAP_ROWS_PARAMETER: &str = "tk.map_rows_parameter";
/// Beside [`MAP_BASE`]: the number of the parameter that says how many columns the tensor has, `i32`.
pub const MAP_COLUMNS_PARAMETER: &str = "tk.map_columns_parameter";

/// Operation with one result: what axis info knows of it, text. Written by `test-print-axis-info`.
pub const AXIS_INFO: &str = "axis_info";

// ---- Loops and the operations in them ----

/// Loop: how often to copy its body, `i32`. Written by the lowering; read by `loop-unroll`.
pub const LOOP_UNROLL_FACTOR: &str = "tt.loop_unroll_factor";
/// Loop: its author said how often to copy its body, unit. Written and read by `loop-unroll`.
pub const UNROLLED: &str = "tk.unrolled";
/// Loop: copies of its body have more answers of masks than a thread has truth values, unit. Those whose blocks are whole need no masks. Written by
/// `split-ragged-loops`; read by `loop-unroll`.
pub const MANY_MASKS: &str = "tk.many_masks";
/// Loop: its body has many copies, or it does what these leave, and is not to be copied again, unit. Written by `loop-unroll` and
/// `load-steps-ahead`; read by code generation.
pub const WRITTEN_ONCE: &str = "tk.written_once";
/// Function: CTAs of a multiprocessor for which buffers were given up, i32: shared memory, and registers as far as is known, have room for them. Written by
/// `advance-copies`; read by passes that ask what room shared memory leaves.
pub const ROOM_FOR: &str = "tk.room_for";
/// Module: programs run along rows of memory, unit. Written by `programs-along-rows`; read and taken away by `drop-idle-warps`.
pub const PROGRAMS_ALONG_ROWS: &str = "tk.programs_along_rows";
/// Module: warps that are enough, fewer than were asked for, i32. Written by `drop-idle-warps`; read and taken away by `convert-to-ttg`.
pub const WARPS_WITH_WORK: &str = "tk.warps_with_work";
/// Loop: to be made one with the loop inside it, unit. Written by the lowering; read by `fuse-nested-loops`.
pub const FLATTEN: &str = "tt.flatten";
/// Loop: its dots may not get a second accumulator, unit. Written by the lowering for Triton's readers of the IR; nothing here reads it.
pub const DISALLOW_ACC_MULTI_BUFFER: &str = "tt.disallow_acc_multi_buffer";
/// Loop: its groups of warps are to have roles of their own, unit. Written by the lowering for Triton's readers of the IR; nothing here
/// reads it.
pub const WARP_SPECIALIZE: &str = "tt.warp_specialize";
/// Loop: nothing is to be moved out of it, unit. Written by the lowering for Triton's readers of the IR; nothing here reads it.
pub const DISABLE_LICM: &str = "tt.disable_licm";
/// Loop: stages of its software pipeline, `i32`; the option counts without it. Written by the lowering; read by `assign-latencies`.
pub const NUM_STAGES: &str = "tt.num_stages";
/// Operation in a loop: iterations that it should run ahead of its users, `i32`. Written by `assign-latencies` and `load-steps-ahead`; read by
/// `schedule-loops`.
pub const LATENCY: &str = "tt.latency";
/// Load in a loop: its ring has a buffer more than it needs, unit. Written by `assign-latencies`; gone after `pipeline`.
pub const SPARE: &str = "tk.spare_buffer";
/// Load in a loop: it becomes an asynchronous copy, however few bytes it has, and also if its masked-out elements are not zero, unit. Written by
/// `assign-latencies`; gone after `pipeline`.
pub const SMALL_COPY: &str = "tk.small_copy";
/// Load in a loop: it becomes asynchronous copies of single elements, although it could be loaded wide, since its buffer lies the other way round, unit.
/// Written by `assign-latencies`; gone after `pipeline`.
pub const TURNED_COPY: &str = "tk.turned_copy";
/// Product by `wgmma` that is issued one iteration before its result is needed, and loads that wait in registers: of rows that are combined with results of
/// products, and of recurrences, unit. Written by `assign-latencies` and `load-steps-ahead`; products keep it. On their loop it is written by `schedule-loops`, and gone after `pipeline`.
pub const ISSUED_AHEAD: &str = "tk.issued_ahead";
/// Operation in a loop: its stage in the software pipeline, `i32`. Written by `schedule-loops`; gone after `pipeline`.
pub const LOOP_STAGE: &str = "loop.stage";
/// Operation in a loop: its place among the stages of the new body, `i32`. Written by `schedule-loops`; gone after `pipeline`.
pub const LOOP_CLUSTER: &str = "loop.cluster";
/// Loop: its last stage, `i32`. Written by `schedule-loops`; gone after `pipeline`.
pub const MAX_STAGE: &str = "tt.scheduled_max_stage";

// ---- Padded dimensions ----

/// `tt.dot`, `ttng.warp_group_dot`: elements along each axis of the result that the program has, and terms of each sum; writes by descriptors in
/// tt IR: elements along each axis of what is written; `arith.select` of an operand of `tt.dot` that makes terms of padding zero: elements along
/// each axis of the operand. `array<i32>`. The others pad a dimension to a power of two: they hold anything, `wgmma` computes no columns
/// and multiplies no terms of them, and no write may reach memory. Written by the lowering; read by `rewrite-descriptors`,
/// `accelerate-matmul`, `interleave-copies`, `trim-copies` and code generation.
pub const INSIDE: &str = "tk.inside";

/// The parameter is a descriptor whose copies leave out the last rows of a block, which pad it: the rows of a box, `i32`. Written by
/// `trim-copies`; read by code generation.
pub const BOX_ROWS: &str = "tk.box_rows";

// ---- Plans: what code generation reads ----

/// Operation: byte offset of its shared memory, `i32`. Written by `allocate-shared-memory`.
pub const ALLOCATION_OFFSET: &str = "allocation.offset";
/// Operation: bytes of its shared memory, `i32`. Written by `allocate-shared-memory`.
pub const ALLOCATION_SIZE: &str = "tk.allocation_size";
/// `tt.load`, `tt.store`: it is a neighbour of the accesses beside it with the same first number, `array<i32>`; then elements of a run along the
/// fastest axis, and bytes to which each run is aligned. Written by `join-accesses`; read by code generation.
pub const JOINED: &str = "tk.joined";
/// Tensor `tt.load`, `tt.store`, `tt.atomic_*`: elements that one access may move, `i32`. Written by `vectorize-memory`.
pub const VECTOR: &str = "tk.vector";
/// `arith.cmpi` on tensors: elements along each axis that share their result, in aligned runs, `array<i32>`. Written by `vectorize-memory`.
pub const CONSTANCY: &str = "tk.constancy";
/// `tt.reduce`: of the butterfly steps between lanes, those of which each lane keeps half of the results, `i32`. Written by
/// `halve-reductions`; read by `allocate-shared-memory` and code generation.
pub const HALVINGS: &str = "tk.halvings";
/// `tt.reduce` with `tk.halvings`: threads load all parts of the results that they want where warps meet, and lanes tell each other nothing, unit.
/// Written by `halve-reductions`; read by `allocate-shared-memory` and code generation.
pub const TOLD_BY_SCRATCH: &str = "tk.told_by_scratch";
/// `tt.reduce` of a block in which all but one position along the axis are 0: the threads that have it store it where warps meet, unit. Written by
/// `halve-reductions`; read by `allocate-shared-memory` and code generation.
pub const TOLD_BY_OWNER: &str = "tk.told_by_owner";
/// `tt.reduce`: where warps meet, a lane loads few parts of a result, and lanes that want the same one combine the others, unit. Written by
/// `halve-reductions`; read by `allocate-shared-memory` and code generation.
pub const FEW_PARTS: &str = "tk.few_parts";
/// `tk.wait_hand_over`, `ttg.async_wait`: the wait stands behind the words that its next product has in registers, unit. Written by `split-barriers`
/// and `copy-operands`; read by code generation.
pub const BEHIND_WORDS: &str = "tk.behind_words";
/// `ttg.local_load` of a left operand of products that stays in registers over loops, unit. Written by `hold-operands`; read by `sink-waits`,
/// `store-operands` and `reorder-instructions`.
pub const HELD: &str = "tk.held";
/// `ttng.warp_group_dot` that fills the registers of a part of a product before it: the sums that this part goes to are computed before it starts, unit.
/// Written by `split-products`.
pub const SUMS_FIRST: &str = "tk.sums_first";
/// `ttng.warp_group_dot` with its left operand in registers: each instruction starts as soon as its own words are there, unit. Written
/// by `advance-waits`.
pub const BY_STEP: &str = "tk.by_step";
/// `scf.if`: the first side is nearly always taken, so the other one shall stand where it does not lie in its way, unit. Written by
/// `fuse-sibling-loops`.
pub const LIKELY: &str = "tk.likely";
/// `ttng.arrive_barrier`: one thread of each warp arrives for it, and not one for all warps, unit. Written by `split-barriers`.
pub const EACH_WARP: &str = "tk.each_warp";
/// `ttng.fence_async_shared`: it orders accesses to global memory, too, unit. Written by `insert-barriers`; read by code generation.
pub const ALL_MEMORY: &str = "tk.all_memory";
/// `ttng.inval_barrier`: the kernel ends with it, so that nothing need be done, unit. Written by `gather-mbarriers`; read by `insert-barriers`
/// and code generation.
pub const WITH_KERNEL: &str = "tk.with_kernel";
/// Copy to shared memory, and what announces it: an `mbarrier`, or a barrier that stands farther before it, says that the buffer is no longer needed, so the copy
/// needs no barrier before it, unit. Written by `split-barriers` and `advance-copies`; read by `insert-barriers`.
pub const ORDERED: &str = "tk.ordered";
/// Atomic operation: no thread has accessed global memory since all met, so no barrier stands before it, unit. Written by `insert-barriers`; read by
/// code generation.
pub const MET_BEFORE: &str = "tk.met_before";
/// Atomic operation: threads meet before they access global memory again, so no barrier stands behind it, unit. Written by `insert-barriers`; read
/// by code generation.
pub const MEETS_LATER: &str = "tk.meets_later";
/// Atomic operation: nobody asks what was there before it, and its program accesses no global memory behind it, so that it has nothing to acquire, unit.
/// Written by `insert-barriers`; read by code generation.
pub const UNOBSERVED: &str = "tk.unobserved";
/// Atomic operation that acquires: an iteration of the loop around it ends with it, threads do not meet between it and that end, and its program accesses
/// global memory behind it in other iterations only, so that what it acquires may be acquired on the way to them, unit. Written by `insert-barriers`; read by
/// code generation.
pub const ENDS_ITERATION: &str = "tk.ends_iteration";
/// Atomic operation: what lanes have loaded says where their elements are, so neighbouring lanes may update the same one, and then one does it for all, unit.
/// Written by `combine-updates`; read by code generation.
pub const COMBINES: &str = "tk.combines";
/// `tt.load` of a single element: only the first thread loads it, since only what it stores comes from it, unit. Written by `insert-barriers`; read
/// by code generation.
pub const FIRST_THREAD: &str = "tk.first_thread";
/// `tt.load`, `tt.store` of tensors: the kernel does not read the elements again, and caches shall keep others, unit. Written by `mark-last-uses`, taken
/// back by `loop-unroll` in straight code; read by `last-blocks-first` and code generation.
pub const LAST_USE: &str = "tk.last_use";
/// Write to shared memory, `tt.load`: loads that stand before it are issued before it, unit. Written by `keep-loads-together`.
pub const BEHIND_LOADS: &str = "tk.behind_loads";
/// `arith.cmpi` in a loop: it is computed there in every iteration, although it does not change, unit. Written by `repeat-comparisons`;
/// read by code generation.
pub const EVERY_ITERATION: &str = "tk.every_iteration";
/// `arith.cmpi`: it is computed there, although it was computed before, unit; or `i32`, and not even ptxas sees that it is the
/// same as those with another number. Written by `sink-loads`, and with a number by `reload-rows`; read by code generation.
pub const AGAIN: &str = "tk.again";
/// `arith.cmpi` of a place with a limit: it is computed by their distance, so that nobody sees that it is an earlier one, nor one with another number,
/// `i32`. Written by `repeat-comparisons`; read by code generation.
pub const DISTANCE: &str = "tk.distance";
/// `arith.cmpi` on tensors, at the start of a kernel: a thread in which it holds for no element has no work and returns behind it, unit. Written by
/// `leave-early`; read by code generation.
pub const LEAVE: &str = "tk.leave";
/// `tt.load` of a tensor: one operation of its block needs what is computed on it, and each access may stand where that needs its elements, unit. Written
/// by `reload-rows`; read by code generation.
pub const LATE: &str = "tk.late";
/// Copy to shared memory in a pipelined loop: where the scalar of its mask is false there is no such iteration, and nothing reads what
/// it would write, unit. Written by `pipeline`, and left by `gather-copies` where a branch is to pass by the copy. On copies by TMA and what
/// announces them it is written by `split-barriers`, where warp groups take turns.
pub const SKIPPABLE: &str = "tk.skippable";
/// `ttng.tensormap_create` and `ttng.tensormap_fenceproxy_acquire`: the warp that makes the tensor map, `i32`.
pub const WARP: &str = "tk.warp";
