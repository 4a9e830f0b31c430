//! Shared memory: allocations, views, copies and the products that read it.

use super::view;
use crate::OpKind;

view! {
    /// `ttg.local_alloc`.
    LocalAllocOp = TtgLocalAlloc {
        /// The tensor it starts with; uninitialised when `None`.
        src = optional 0;
        /// The memory descriptor.
        result = result 0;
    }
    /// `ttg.local_load`.
    LocalLoadOp = TtgLocalLoad {
        /// The memory descriptor.
        src = operand 0;
        /// The asynchronous copy it waits for, as a token.
        token = optional 1;
        /// The tensor.
        result = result 0;
    }
    /// `ttg.local_store`.
    LocalStoreOp = TtgLocalStore {
        /// The tensor.
        src = operand 0;
        /// The memory descriptor.
        dst = operand 1;
    }
    /// `ttg.memdesc_index`.
    MemDescIndexOp = TtgMemDescIndex {
        /// A memory descriptor with a leading dimension of buffers.
        src = operand 0;
        /// Which buffer.
        index = operand 1;
    }
    /// `ttg.async_copy_global_to_local`.
    AsyncCopyOp = TtgAsyncCopyGlobalToLocal {
        /// Where from.
        ptr = operand 0;
        /// Where to.
        result = operand 1;
        /// Which elements to copy; all when `None`.
        mask = segment 2;
        /// What masked-out elements are.
        other = segment 3;
    }
    /// `ttg.async_wait`.
    AsyncWaitOp = TtgAsyncWait {}
    /// `ttng.warp_group_dot`.
    WarpGroupDotOp = TtngWarpGroupDot {
        /// Left operand: a memory descriptor, or a tensor in registers.
        a = operand 0;
        /// Right operand: a memory descriptor.
        b = operand 1;
        /// The accumulator.
        c = operand 2;
        /// An `i1`: when false, the accumulator counts as zero.
        use_c = optional 3;
    }
}

impl LocalAllocOp<'_> {
    /// Byte alignment asked for.
    pub fn alignment(self) -> Option<i64> {
        self.op.int_attr("alignment")
    }
}

impl AsyncWaitOp<'_> {
    /// Groups that may still be under way.
    pub fn pending(self) -> i64 {
        self.op.required_int("num")
    }
}

impl WarpGroupDotOp<'_> {
    /// The result is only there after a `ttng.warp_group_dot_wait`.
    pub fn is_async(self) -> bool {
        self.op.kind() == OpKind::TtngWarpGroupDot && self.op.int_attr("isAsync") == Some(1)
    }
}
