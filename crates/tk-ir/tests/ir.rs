//! Making, looking at and changing IR.

use tk_diag::SourceFile;
use tk_ir::ops::{AsyncTmaReduceOp, CmpI, ConstantOp, DescriptorReduceKind, ForOp, FuncOp, LoadOp, MakeRangeOp};
use tk_ir::ops::{MakeTensorDescriptorOp, PaddingOption, ReduceOp, StoreOp, WaitBarrierOp};
use tk_ir::{AccessHints, Builder, Context, Module, Op, OpKind, PrintOptions, TypeKind, Value, WalkResult};

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    Module::parse(context, &SourceFile::new("test.mlir", text)).unwrap_or_else(|error| panic!("{error:?}"))
}

fn find<'c>(module: &Module<'c>, kind: OpKind) -> Op<'c> {
    module.op().descendants().into_iter().find(|op| op.kind() == kind).unwrap()
}

fn count(module: &Module<'_>, kind: OpKind) -> usize {
    module.op().descendants().into_iter().filter(|op| op.kind() == kind).count()
}

/// `y[i] = x[i] * 2` over a loop of blocks.
fn scale_kernel<'c>(context: &'c Context) -> Module<'c> {
    let loc = context.name_loc("k", context.file_loc("k.tk", 3, 5));
    let module = Module::new(context, loc);
    let (i32, pointer) = (context.i(32), context.ptr(context.f32()));
    let ty = context.function_type(&[pointer, pointer, i32], &[]);
    let func = Builder::at_end(module.body(), loc).func("scale", ty, true);
    func.set_arg_attr(0, "tt.divisibility", context.i32_attr(16));
    let [x, y, n] = func.args()[..] else { panic!() };
    let mut b = Builder::at_end(func.body().unwrap(), loc);
    let (zero, step) = (b.i32(0), b.i32(128));
    let init = b.i32(7);
    let ForOp { op } = b.for_loop(zero, n, step, &[init]);
    let each = ForOp::cast(op).unwrap();
    let offsets = context.tensor(&[128], i32, None);
    let pointers = context.tensor(&[128], pointer, None);
    let mut body = Builder::at_end(each.body(), loc);
    let range = body.make_range(0, 128, offsets);
    let start = body.splat(each.induction_var(), offsets);
    let index = body.binary(OpKind::ArithAddI, start, range);
    let end = body.splat(n, offsets);
    let mask = body.cmpi(CmpI::Slt, index, end);
    let from = body.splat(x, pointers);
    let from = body.addptr(from, index);
    let other = body.float(context.tensor(&[128], context.f32(), None), 0.0);
    let loaded = body.load(from, Some(mask), Some(other), AccessHints::default()).result();
    let two = body.float(loaded.ty(), 2.0);
    let scaled = body.binary(OpKind::ArithMulF, loaded, two);
    let to = body.splat(y, pointers);
    let to = body.addptr(to, index);
    body.store(to, scaled, Some(mask), AccessHints::default());
    body.yield_(&each.iter_args());
    b.return_(&[]);
    module
}

#[test]
fn fingerprints_tell_what_a_verifier_may_find() {
    let context = Context::new();
    let module = scale_kernel(&context);
    let before = module.fingerprint();
    assert_eq!(module.fingerprint(), before, "nothing happened");
    let all = module.functions()[0].descendants();
    let of_kind = |kind| *all.iter().find(|op| op.kind() == kind).unwrap();
    let (load, sum, product) = (of_kind(OpKind::TtLoad), of_kind(OpKind::ArithAddI), of_kind(OpKind::ArithMulF));

    load.set_loc(context.file_loc("k.tk", 1, 1));
    assert_eq!(module.fingerprint(), before, "no verifier asks where an operation comes from");
    load.set_attr("of_a_pass", context.i32_attr(1));
    assert_ne!(module.fingerprint(), before);
    load.remove_attr("of_a_pass");
    assert_eq!(module.fingerprint(), before);
    let [left, right] = [product.operand(0), product.operand(1)];
    product.set_operands(&[right, left]);
    assert_ne!(module.fingerprint(), before);
    product.set_operands(&[left, right]);
    assert_eq!(module.fingerprint(), before);
    sum.move_after(sum.next().unwrap());
    assert_ne!(module.fingerprint(), before, "another order");
    Builder::at_end(module.body(), context.unknown_loc()).func("other", context.function_type(&[], &[]), true);
    assert_ne!(module.fingerprint(), before);
}

#[test]
fn what_the_builder_makes_verifies_and_reads_back() {
    let context = Context::new();
    let module = scale_kernel(&context);
    module.verify().unwrap();
    let everything = PrintOptions { locations: true, generic: true, is_anonymous: false };
    let text = module.print(everything);
    assert_eq!(parse(&context, &text).print(everything), text);
    let text = module.print(PrintOptions { locations: true, generic: false, is_anonymous: false });
    assert!(text.contains("%k: !tt.ptr<f32> {tt.divisibility = 16 : i32}"), "{text}");
    assert!(text.contains(r#"loc("k"("#), "{text}");
    let load = LoadOp::cast(find(&module, OpKind::TtLoad)).unwrap();
    assert_eq!(load.op.loc().file_line_col(), Some(("k.tk", 3, 5)));
    assert_eq!(load.op.loc().name(), Some("k"));
    assert!(load.mask().is_some() && load.other().is_some() && !load.is_volatile());
    let store = StoreOp::cast(find(&module, OpKind::TtStore)).unwrap();
    assert_eq!(store.mask(), load.mask());
    let range = MakeRangeOp::cast(find(&module, OpKind::TtMakeRange)).unwrap();
    assert_eq!((range.start(), range.end()), (0, 128));
    let func = FuncOp::cast(module.functions()[0]).unwrap();
    assert_eq!((func.name(), func.is_public()), ("scale", true));
    assert_eq!(func.arg_attr(0, "tt.divisibility").and_then(|a| a.as_int()), Some(16));
    assert_eq!(func.arg_attr(1, "tt.divisibility"), None);
}

#[test]
fn upstream_passes_run_on_our_operations() {
    let context = Context::new();
    let module = scale_kernel(&context);
    let copy = module.clone_module();
    module.run_mlir_passes("canonicalize,cse,loop-invariant-code-motion,sccp,symbol-dce").unwrap();
    module.verify().unwrap();
    let each = ForOp::cast(find(&module, OpKind::ScfFor)).unwrap();
    assert!(each.iter_args().is_empty(), "the loop-carried constant goes");
    let range = find(&module, OpKind::TtMakeRange);
    assert_eq!(range.block(), each.op.block(), "the range is hoisted");
    assert_eq!(ForOp::cast(find(&copy, OpKind::ScfFor)).unwrap().iter_args().len(), 1, "the copy is its own");
    assert!(module.run_mlir_passes("no-such-pass").unwrap_err().message.contains("no-such-pass"));
}

#[test]
fn calls_are_inlined() {
    let context = Context::new();
    let module = parse(
        &context,
        "tt.func public @k(%p: !tt.ptr<f32>, %x: f32) {
           %y = tt.call @twice(%x) : (f32) -> f32
           tt.store %p, %y : !tt.ptr<f32>
           tt.return
         }
         tt.func private @twice(%x: f32) -> f32 {
           %y = arith.addf %x, %x : f32
           tt.return %y : f32
         }",
    );
    module.run_mlir_passes("inline,symbol-dce").unwrap();
    module.verify().unwrap();
    assert_eq!((count(&module, OpKind::TtCall), count(&module, OpKind::TtFunc)), (0, 1));
    let add = find(&module, OpKind::ArithAddF);
    assert!(add.loc().is_callsite());
    assert_eq!(add.loc().file_line_col(), Some(("test.mlir", 7, 17)), "the innermost place");
}

#[test]
fn effects_decide_what_is_common_and_what_is_dead() {
    let context = Context::new();
    let module = parse(
        &context,
        "tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
           %0 = tt.load %p : !tt.ptr<f32>
           %1 = tt.load %p : !tt.ptr<f32>
           %2 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
           %3 = arith.addf %0, %1 : f32
           tt.store %q, %3 : !tt.ptr<f32>
           %4 = tt.load %p : !tt.ptr<f32>
           tt.store %q, %4 : !tt.ptr<f32>
           tt.return
         }",
    );
    module.run_mlir_passes("cse,canonicalize").unwrap();
    assert_eq!(count(&module, OpKind::TtLoad), 3, "one of two equal loads, the volatile one, the one after the store");
    let [load, ..] =
        module.op().descendants().into_iter().filter(|op| op.kind() == OpKind::TtLoad).collect::<Vec<_>>()[..]
    else {
        panic!()
    };
    assert!(!load.is_pure() && !load.is_memory_effect_free());
    assert!(find(&module, OpKind::ArithAddF).is_pure());
    assert!(find(&module, OpKind::TtReturn).is_terminator());
}

#[test]
fn ir_can_be_changed_in_place() {
    let context = Context::new();
    let module = parse(
        &context,
        "tt.func public @k(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
           %0 = arith.addi %a, %b : i32
           %1 = arith.muli %0, %0 : i32
           %2 = arith.subi %1, %0 : i32
           tt.store %p, %2 : !tt.ptr<i32>
           tt.return
         }",
    );
    let [add, mul, sub, store] =
        [OpKind::ArithAddI, OpKind::ArithMulI, OpKind::ArithSubI, OpKind::TtStore].map(|kind| find(&module, kind));
    let sum = add.result(0);
    assert_eq!(sum.users().len(), 3);
    assert!(!sum.has_one_use() && sub.result(0).has_one_use() && sum.defining_op() == Some(add));
    assert!(add.is_before_in_block(sub) && !sub.is_before_in_block(add));
    assert_eq!((add.next(), mul.prev(), add.prev()), (Some(mul), Some(add), None));
    assert!(sum.dominates(sub) && !sub.result(0).dominates(mul) && !sum.dominates(add));

    let mut b = Builder::before(mul);
    let first = b.i32(1);
    let second = b.i32(2);
    assert_eq!(mul.prev(), second.defining_op());
    assert_eq!(second.constant_int(), Some(2));
    sum.replace_uses_if(first, |user, operand| user == mul && operand == 1);
    assert_eq!(mul.operands(), [sum, first]);
    sum.replace_all_uses_with(second);
    assert_eq!((mul.operand(0), sub.operand(1), sum.has_uses()), (second, second, false));
    add.erase();
    let copy = mul.clone_op();
    Builder::after(mul).place(copy);
    sub.set_operand(0, copy.result(0));
    mul.erase();
    copy.set_attr("tag", context.string_attr("here"));
    assert_eq!(copy.str_attr("tag"), Some("here"));
    assert!(copy.remove_attr("tag") && !copy.remove_attr("tag"));
    module.verify().unwrap();
    store.move_before(sub);
    assert!(module.verify().is_err(), "a use before its definition");
    store.move_after(sub);
    module.verify().unwrap();
}

#[test]
fn walks_go_in_order_and_may_stop() {
    let context = Context::new();
    let module = scale_kernel(&context);
    let mut pre = Vec::new();
    module.op().walk(&mut |op| {
        pre.push(op.kind());
        if op.kind() == OpKind::ScfFor { WalkResult::Skip } else { WalkResult::Advance }
    });
    assert_eq!(pre[..2], [OpKind::BuiltinModule, OpKind::TtFunc]);
    assert!(pre.contains(&OpKind::ScfFor) && !pre.contains(&OpKind::TtLoad) && pre.contains(&OpKind::TtReturn));
    let mut post = Vec::new();
    module.op().walk_post(&mut |op| {
        post.push(op.kind());
        WalkResult::Advance
    });
    assert_eq!(post.last(), Some(&OpKind::BuiltinModule));
    assert!(post.iter().position(|k| *k == OpKind::TtLoad) < post.iter().position(|k| *k == OpKind::ScfFor));
    assert!(!module.op().walk(&mut |op| if op.kind() == OpKind::TtLoad {
        WalkResult::Stop
    } else {
        WalkResult::Advance
    }));
    module.op().walk_post(&mut |op| {
        if ConstantOp::cast(op).is_some() && op.results().iter().all(|value| !value.has_uses()) {
            op.erase();
        }
        WalkResult::Advance
    });
    module.verify().unwrap();
}

#[test]
fn types_come_apart_and_go_together() {
    let context = Context::new();
    let layout =
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
    let text = format!("tensor<16x32x!tt.ptr<f16>, {layout}>");
    let ty = context.parse_type(&text).unwrap();
    let TypeKind::Tensor { shape, element, encoding } = ty.kind() else { panic!("{ty}") };
    assert_eq!((shape, ty.rank(), ty.num_elements(), ty.element_bits()), (vec![16, 32], 2, 512, 64));
    assert_eq!(element, context.ptr(context.f16()));
    assert_eq!((element.pointee(), ty.is_ptr_like(), element.is_ptr()), (Some(context.f16()), true, true));
    assert_eq!(ty.with_encoding(None), context.tensor(&[16, 32], element, None));
    assert_eq!(ty.with_encoding(None).with_encoding(encoding), ty);
    assert_eq!(ty.with_element(context.i(1)).to_string(), format!("tensor<16x32xi1, {layout}>"));
    let data = ty.layout().unwrap();
    assert_eq!(data.to_string(), layout);
    assert_eq!(Some(context.encoding_attr(&data)), encoding);
    assert_eq!(
        ty.with_layout(&data.slice(0)).encoding().unwrap().encoding().unwrap().to_string(),
        format!("#ttg.slice<{{dim = 0, parent = {layout}}}>")
    );
    let memdesc = "!ttg.memdesc<2x16x32xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable, 4x16x32>";
    let ty = context.parse_type(memdesc).unwrap();
    let TypeKind::MemDesc(parts) = ty.kind() else { panic!("{ty}") };
    assert_eq!((&parts.shape[..], &parts.alloc_shape[..], parts.mutable), (&[2, 16, 32][..], &[4, 16, 32][..], true));
    assert_eq!(context.memdesc(&parts), ty);
    let old = context.parse_type("!tt.tensordesc<tensor<8x8xf16>>").unwrap();
    assert_eq!(context.parse_type("!tt.tensordesc<8x8xf16>"), Some(old));
    assert_eq!(old.kind(), TypeKind::TensorDesc { block: context.tensor(&[8, 8], context.f16(), None) });
    assert_eq!(context.token().kind(), TypeKind::Token);
    for scalar in tk_types::ScalarType::all() {
        assert_eq!(context.scalar(scalar).element_bits(), scalar.bits());
        assert_eq!(context.scalar(scalar).to_string(), scalar.mlir_name());
    }
    assert_eq!(context.parse_type("tensor<4xnonsense>"), None);
}

#[test]
fn attributes_give_back_what_they_were_made_of() {
    let context = Context::new();
    let i1 = context.i(1);
    assert_eq!(context.i32_attr(-5).as_int(), Some(-5));
    assert_eq!(context.int_attr(context.i(8), 255).as_int(), Some(-1));
    assert_eq!(context.int_attr(i1, 1), context.bool_attr(true));
    assert_eq!((context.bool_attr(true).as_int(), context.bool_attr(true).as_bool()), (Some(1), Some(true)));
    assert_eq!(context.float_attr(context.f16(), 0.1).as_float(), Some(0.0999755859375));
    assert_eq!(context.string_attr("a\"b").as_str(), Some("a\"b"));
    assert_eq!(context.symbol_attr("f").as_str(), Some("f"));
    assert_eq!(context.type_attr(i1).as_type(), Some(i1));
    assert_eq!(context.i32_array(&[1, -2]).as_ints(), Some(vec![1, -2]));
    assert_eq!(context.i64_array(&[]).as_ints(), Some(vec![]));
    let tensor = context.tensor(&[4], context.i(32), None);
    let splat = context.number_attr(tensor, 3);
    assert_eq!((splat.as_splat_int(), splat.as_ints(), splat.ty()), (Some(3), Some(vec![3; 4]), tensor));
    let list = context.parse_attr("dense<[1, 2, 3, 4]> : tensor<4xi32>").unwrap();
    assert_eq!((list.as_splat(), list.as_ints()), (None, Some(vec![1, 2, 3, 4])));
    assert_eq!(list.dense_element(2).as_int(), Some(3));
    let floats = context.tensor(&[2], context.f32(), None);
    assert_eq!(context.real_attr(floats, -0.5).as_splat_float(), Some(-0.5));
    assert_eq!(context.array_attr(&[splat, list]).as_array(), Some(vec![splat, list]));
    assert_eq!(context.dict_attr(&[("k", list)]).as_dict(), Some(vec![("k", list)]));
    assert_eq!(context.parse_attr("#no.such<"), None);
}

#[test]
fn reductions_name_their_combiner() {
    let context = Context::new();
    let module = parse(
        &context,
        "tt.func public @k(%x: tensor<64x32xf32>) -> tensor<64xf32> {
           %0 = \"tt.reduce\"(%x) <{axis = 1 : i32}> ({
           ^bb0(%a: f32, %b: f32):
             %m = arith.maxnumf %a, %b : f32
             tt.reduce.return %m : f32
           }) : (tensor<64x32xf32>) -> tensor<64xf32>
           tt.return %0 : tensor<64xf32>
         }",
    );
    let reduce = ReduceOp::cast(find(&module, OpKind::TtReduce)).unwrap();
    assert_eq!((reduce.axis(), reduce.srcs().len()), (1, 1));
    assert_eq!(reduce.single_combiner().map(Op::kind), Some(OpKind::ArithMaxNumF));
}

#[test]
fn views_find_operands_beside_lists_of_operands() {
    let context = Context::new();
    let module = parse(&context, include_str!("data/ops.mlir"));
    let reduce = AsyncTmaReduceOp::cast(find(&module, OpKind::TtngAsyncTmaReduce)).unwrap();
    assert!(reduce.src().ty().is_memdesc(), "the operand after a list");
    assert_eq!((reduce.coord().len(), reduce.kind()), (2, DescriptorReduceKind::Add));
    let wait = WaitBarrierOp::cast(find(&module, OpKind::TtngWaitBarrier)).unwrap();
    assert!(wait.alloc().ty().is_memdesc() && wait.phase().ty().is_int() && wait.pred().is_some());
    assert_eq!(wait.deps().len(), 1, "a list with a segment of its own");
    let module = parse(
        &context,
        "tt.func public @k(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
           %0 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] : !tt.ptr<f16>, !tt.tensordesc<8x8xf16>
           tt.return
         }",
    );
    let made = MakeTensorDescriptorOp::cast(find(&module, OpKind::TtMakeTensorDescriptor)).unwrap();
    let [_, n, s] = FuncOp::cast(module.functions()[0]).unwrap().args()[..] else { panic!() };
    assert_eq!((made.shape(), made.strides()), (vec![n, n], vec![s, s]), "two lists of one length");
    assert_eq!((made.padding(), made.pads_with_nan()), (PaddingOption::Zero, false), "the default");
}

#[test]
fn every_kind_is_an_operation_that_mlir_knows() {
    let context = Context::new();
    for &kind in OpKind::ALL {
        assert!(context.is_registered(kind.name()), "{kind} is not registered");
        assert_eq!(OpKind::from_name(kind.name()), Some(kind));
    }
}

#[test]
fn a_value_knows_where_it_is() {
    let context = Context::new();
    let module = scale_kernel(&context);
    let each = ForOp::cast(find(&module, OpKind::ScfFor)).unwrap();
    let inner: Value = each.induction_var();
    assert_eq!(inner.block_argument(), Some((each.body(), 0)));
    assert!(inner.dominates(find(&module, OpKind::TtLoad)) && !inner.dominates(find(&module, OpKind::TtReturn)));
    assert!(each.op.contains(find(&module, OpKind::TtLoad)));
}
