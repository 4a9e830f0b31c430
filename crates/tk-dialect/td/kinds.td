// The operations that tk-ir names, as `build.rs` of tk-ir reads them: those of tk's dialects, and those of MLIR's that tk's IR may have.
include "tt_ops.td"
include "ttg_ops.td"
include "ttng_ops.td"
include "tk_ops.td"
include "mlir/IR/BuiltinOps.td"
include "mlir/Dialect/Arith/IR/ArithOps.td"
include "mlir/Dialect/Math/IR/MathOps.td"
include "mlir/Dialect/SCF/IR/SCFOps.td"
include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"
include "mlir/Dialect/UB/IR/UBOps.td"
include "mlir/Dialect/GPU/IR/GPUOps.td"
include "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td"

def Kinds {
  // Dialects with all their operations, but for these.
  list<Dialect> dialects = [
    Arith_Dialect, Math_Dialect, SCF_Dialect, ControlFlow_Dialect, UB_Dialect, TT_Dialect, TTG_Dialect, TTNG_Dialect, TK_Dialect];
  list<Op> without = [
    Arith_ScalingExtFOp, Arith_ScalingTruncFOp, Math_AcoshOp, Math_AsinhOp, Math_AtanhOp, Math_ClampFOp, Math_SincosOp,
    ForallOp, InParallelOp, ParallelOp, ReduceOp, ReduceReturnOp];
  // Operations of other dialects.
  list<Op> others = [ModuleOp, UnrealizedConversionCastOp, GPU_BarrierOp, GPU_ThreadIdOp, GPU_BlockIdOp, LLVM_AssumeOp];
  // Operations of MLIR's dialects that have views.
  list<Op> views = [
    Arith_ConstantOp, Arith_CmpIOp, Arith_CmpFOp, ConditionOp, ForOp, IfOp, WhileOp];
}
