//! Hand-written PTX for the device tests: small kernels whose results are known without a compiler.

use tk_image::{ImageParam, KernelImage, ResourceUse};
use tk_types::ScalarType;

/// Wraps a kernel body in a module with these entry parameters, `p0`, `p1`, ….
pub fn module(params: &[&str], body: &str) -> String {
    let list: Vec<String> = params.iter().enumerate().map(|(i, ty)| format!("  .param .{ty} p{i}")).collect();
    format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n\
         .extern .shared .align 16 .b8 global_smem[];\n\
         .visible .entry k(\n{}\n)\n.reqntid 128\n{{\n{body}\n  ret;\n}}\n",
        list.join(",\n")
    )
}

/// An image of four warps; `None` is a pointer.
pub fn image(ptx: String, params: &[Option<ScalarType>]) -> KernelImage {
    let param = |(i, scalar): (usize, &Option<ScalarType>)| match scalar {
        Some(scalar) => ImageParam::scalar(format!("p{i}"), *scalar),
        None => ImageParam::pointer(format!("p{i}"), Some(ScalarType::I32)),
    };
    KernelImage {
        entry: "k".into(),
        ptx,
        cubin: None,
        params: params.iter().enumerate().map(param).collect(),
        num_warps: 4,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: "sm_80".into(),
        resources: ResourceUse::default(),
        limits: Default::default(),
    }
}

/// `p2[i] = p0[i] + p1[i]` in f32 for `i < p3`, and two hidden pointers, as the compiler appends them.
pub fn add() -> KernelImage {
    let body = "
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  ld.param.u64 %rd3, [p2];
  ld.param.u32 %r1, [p3];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  shl.b32 %r4, %r2, 7;
  add.s32 %r5, %r4, %r3;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $done;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
$done:";
    image(module(&["u64", "u64", "u64", "u32", "u64", "u64"], body), &[None, None, None, Some(ScalarType::I32)])
}

/// Thread 0 stores the scalars of eight types to `p0`, each in its own 8 bytes.
pub fn scalars() -> (KernelImage, Vec<ScalarType>) {
    use ScalarType::*;
    let types = vec![I8, I16, I32, I64, U32, F16, F32, F64];
    let words: Vec<String> =
        std::iter::once("u64".to_string()).chain(types.iter().map(|ty| format!("b{}", ty.bits()))).collect();
    let mut body = "
  .reg .pred %p<2>;
  .reg .b16 %rs<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra $done;
  ld.param.u64 %rd0, [p0];"
        .to_string();
    for (i, ty) in types.iter().enumerate() {
        let register = match ty.bits() {
            8 | 16 => format!("%rs{}", i + 1),
            32 => format!("%r{}", i + 1),
            _ => format!("%rd{}", i + 1),
        };
        let bits = ty.bits();
        body += &format!(
            "\n  ld.param.b{bits} {register}, [p{}];\n  st.global.b{bits} [%rd0+{}], {register};",
            i + 1,
            i * 8
        );
    }
    body += "\n$done:";
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let params: Vec<Option<ScalarType>> = std::iter::once(None).chain(types.iter().copied().map(Some)).collect();
    (image(module(&words, &body), &params), types)
}

/// Every thread writes its number to the end of dynamic shared memory, reads its mirror's after a barrier, and stores it
/// to `p0`.
pub fn mirror(shared_bytes: u32) -> KernelImage {
    let base = shared_bytes - 128 * 4;
    let body = format!(
        "
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, global_smem;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  st.shared.b32 [%r4+{base}], %r1;
  bar.sync 0;
  sub.s32 %r5, 127, %r1;
  shl.b32 %r6, %r5, 2;
  add.s32 %r6, %r2, %r6;
  ld.shared.b32 %r7, [%r6+{base}];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.b32 [%rd3], %r7;"
    );
    let ptx = module(&["u64"], &body).replace("sm_80", "sm_90");
    KernelImage { shared_bytes, target: "sm_90".into(), ..image(ptx, &[None]) }
}

/// Thread 0 of program (x, y, z) of a 2x3x4 grid stores 100x + 10y + z to `p0[(x * 3 + y) * 4 + z]`.
pub fn program_ids() -> KernelImage {
    let body = "
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra $done;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  mov.u32 %r3, %ctaid.z;
  mad.lo.s32 %r4, %r1, 3, %r2;
  mad.lo.s32 %r5, %r4, 4, %r3;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  mul.lo.s32 %r6, %r1, 100;
  mad.lo.s32 %r7, %r2, 10, %r6;
  add.s32 %r8, %r7, %r3;
  st.global.b32 [%rd3], %r8;
$done:";
    image(module(&["u64"], body), &[None])
}

/// Every thread of every CTA leaves its number in scratch memory and reads that of the thread before it: `p0[i]` gets the number
/// of the thread before thread `i` of the grid inside its CTA.
pub fn scratch() -> KernelImage {
    let body = "
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r1, 7;
  add.s32 %r4, %r3, %r2;
  mul.wide.u32 %rd3, %r1, 512;
  add.s64 %rd4, %rd2, %rd3;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd4, %rd5;
  st.global.u32 [%rd6], %r4;
  bar.sync 0;
  add.s32 %r5, %r2, 127;
  and.b32 %r6, %r5, 127;
  mul.wide.u32 %rd5, %r6, 4;
  add.s64 %rd6, %rd4, %rd5;
  ld.global.u32 %r7, [%rd6];
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd6, %rd1, %rd5;
  st.global.u32 [%rd6], %r7;";
    KernelImage { global_scratch_bytes: 512, ..image(module(&["u64", "u64"], body), &[None]) }
}
