//! Products of blocks that TMA copies by tensor maps of the host, also from a persistent kernel.

use crate::harness::{Kernel, download, upload};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_image::{ParamKind, TensorMapSpec};
use tk_sim::{Arg, Buffer, DeviceMemory, TensorElement, TensorMap, encode_tensor_map};

/// A tensor map with the arguments that follow it: sizes and strides.
pub(crate) fn described(buffer: Buffer, [rows, columns]: [usize; 2], param: &TensorMapSpec) -> Vec<Arg> {
    let map = TensorMap {
        address: buffer.address(),
        element: TensorElement::F16,
        sizes: vec![columns as u32, rows as u32],
        strides: vec![2 * columns as u64],
        block: param.block.iter().rev().copied().collect(),
        element_strides: vec![1, 1],
        swizzle_bytes: param.swizzle_bytes,
        fill_nan: false,
    };
    let bytes = encode_tensor_map(&map).unwrap();
    let numbers = [(rows as i32).into(), (columns as i32).into(), (columns as i64).into(), 1i64.into()];
    std::iter::once(Arg(bytes.to_vec())).chain(numbers).collect()
}

/// The tensor maps that a kernel takes, with the numbers of their parameters.
pub(crate) fn tensor_maps(kernel: &Kernel) -> Vec<(usize, &TensorMapSpec)> {
    let params = kernel.generated.image.params.iter().enumerate();
    params
        .filter_map(|(index, param)| match &param.kind {
            ParamKind::TensorMap(map) => Some((index, map)),
            _ => None,
        })
        .collect()
}

fn multiply(kernel: &Kernel, [m, n, k]: [usize; 3], ctas: usize) {
    let (a, b) = (Kind::F16.numbers(1, m * k, false), Kind::F16.numbers(2, n * k, false));
    let mut memory = DeviceMemory::new();
    let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
    let pc = upload(&mut memory, &vec![f16::NAN; m * n]);
    let maps = tensor_maps(kernel);
    let mut args = described(pa, [m, k], maps[0].1);
    args.extend(described(pb, [n, k], maps[1].1));
    args.extend(described(pc, [m, n], maps[2].1));
    args.extend([m, n, k].map(|size| Arg::from(size as i32)));
    let report = kernel.run(&mut memory, [ctas as u32, 1, 1], args);
    for (index, got) in download::<f16>(&memory, pc).into_iter().enumerate() {
        let (row, column) = (index / n, index % n);
        let exact: f64 = (0..k).map(|i| a[row * k + i] * b[column * k + i]).sum();
        assert_eq!(got, f16::from_f64(exact), "{row}, {column} of {m}x{n}x{k}");
    }
    assert_eq!(report.memory.totals().bank_conflicts(), 0, "{}", report.memory);
}

#[test]
fn blocks_by_tensor_maps() {
    let kernel = Kernel::new(include_str!("kernels/matmul_tma.ttgir"));
    let ptx = &kernel.generated.image.ptx;
    let maps = tensor_maps(&kernel);
    let boxes: Vec<_> = maps.iter().map(|(index, map)| (*index, map.block.as_slice())).collect();
    assert_eq!(boxes, [(0, &[128, 64][..]), (5, &[256, 64]), (10, &[128, 64])]);
    assert_eq!(ptx.matches(".param .align 64 .b8").count(), 3, "tensor maps are passed by value");
    for size @ [m, n, _] in [[128usize, 256, 128], [144, 304, 416]] {
        let ctas = m.div_ceil(128) * n.div_ceil(256);
        multiply(&kernel, size, ctas);
    }
}

#[test]
fn blocks_in_a_persistent_kernel() {
    let kernel = Kernel::new(include_str!("kernels/matmul_tma_persistent.ttgir"));
    for size @ [m, n, _] in [[128usize, 128, 64], [272, 144, 328]] {
        let ctas = m.div_ceil(128) * n.div_ceil(128);
        multiply(&kernel, size, ctas);
    }
}
