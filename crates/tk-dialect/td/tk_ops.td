// Dialect tk: the operations of tk's IR that Triton does not have. What Triton has keeps Triton's name.
#ifndef TK_TK_OPS
#define TK_TK_OPS

include "tt_base.td"

def TK_Dialect : Dialect {
  let name = "tk";
  let summary = "What Triton's dialects do not have";
  let cppNamespace = "::tk::own";
  let dependentDialects = ["::tk::tt::TTDialect"];
}

class TK_Op<string mnemonic, list<Trait> traits = []> : Op<TK_Dialect, mnemonic, traits>;

def TK_GuardOp : TK_Op<"guard", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Records a failed check for each element that is not the least i64";
  let arguments = (ins Arg<TT_Ptr, "Where failed checks are recorded">:$record,
    Arg<TT_IntLike, "A scalar or a tensor of i64; the least one where the check holds">:$value,
    Arg<I32Attr, "The number of the check">:$site);
  let assemblyFormat = "$record `,` $value attr-dict `:` type($record) `,` type($value)";
}

def TK_HintOp : TK_Op<"hint", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "Its operand, of which more is known where the result is used: what its attributes for axis info say";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
}

// Two warp groups take turns at the tensor cores: one waits until the other hands over.
def TK_WaitHandOverOp : TK_Op<"wait_hand_over"> {
  let summary = "Waits until the other warp group hands over";
  let assemblyFormat = "attr-dict";
}
def TK_HandOverOp : TK_Op<"hand_over"> {
  let summary = "Hands over to the other warp group";
  let arguments = (ins Arg<Optional<I1>, "The last warp group hands over only where this holds">:$more,
    Arg<OptionalAttr<I32Attr>, "The only warp group that hands over; each of them when there is none">:$group);
  let assemblyFormat = "(`if` $more^)? attr-dict";
}

// The CTAs of a cluster of two share what both read.
def TK_PairBarrierOp : TK_Op<"pair_barrier"> {
  let summary = "Waits for all threads of the cluster where the operand holds, and of the CTA otherwise";
  let arguments = (ins Arg<I1, "The same for all threads of the cluster">:$together);
  let assemblyFormat = "`if` $together attr-dict";
}

#endif
