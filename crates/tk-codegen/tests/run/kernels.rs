//! Whole kernels of the reference compiler's ttg IR, through our code generation, on the simulator.

use crate::harness::*;
use half::f16;
use tk_sim::DeviceMemory;

#[test]
fn vector_add_with_a_tail() {
    let kernel = Kernel::new(include_str!("kernels/add.ttgir"));
    assert_eq!((kernel.count("ld.global.v4.b32"), kernel.count("st.global.v4.b32")), (4, 2));
    // The text promises that n is a multiple of 16.
    for n in [16usize, 1008, 1024, 1040, 5008] {
        let (x, y) = (random(1, n), random(2, n));
        let mut memory = DeviceMemory::new();
        let (a, b) = (upload(&mut memory, &x), upload(&mut memory, &y));
        let out = upload(&mut memory, &vec![f32::NAN; n]);
        kernel.run(
            &mut memory,
            [n.div_ceil(1024) as u32, 1, 1],
            vec![a.into(), b.into(), out.into(), (n as i32).into()],
        );
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        assert_eq!(download::<f32>(&memory, out), expected, "n = {n}");
    }
}

#[test]
fn layer_norm() {
    let kernel = Kernel::new(include_str!("kernels/layer_norm.ttgir"));
    assert_eq!(kernel.count("ld.global.v4.b32"), 10);
    for n in [16usize, 4096, 4112, 10000] {
        let rows = 3;
        let halves = |seed, count| random(seed, count).into_iter().map(f16::from_f32).collect::<Vec<_>>();
        let (x, w, b) = (halves(1, rows * n), halves(2, n), halves(3, n));
        let mut memory = DeviceMemory::new();
        let (px, pw, pb) = (upload(&mut memory, &x), upload(&mut memory, &w), upload(&mut memory, &b));
        let py = upload(&mut memory, &vec![f16::NAN; rows * n]);
        let (mean, rstd) = (upload(&mut memory, &vec![f32::NAN; rows]), upload(&mut memory, &vec![f32::NAN; rows]));
        let args = vec![
            px.into(),
            py.into(),
            pw.into(),
            pb.into(),
            mean.into(),
            rstd.into(),
            (n as i32).into(),
            (n as i32).into(),
            1e-5f32.into(),
        ];
        kernel.run(&mut memory, [rows as u32, 1, 1], args);
        let y = download::<f16>(&memory, py);
        for row in 0..rows {
            let values: Vec<f64> = x[row * n..][..n].iter().map(|value| value.to_f64()).collect();
            let mean = values.iter().sum::<f64>() / n as f64;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n as f64;
            for column in 0..n {
                let normal = (values[column] - mean) / (variance + 1e-5).sqrt();
                let expected = normal * w[column].to_f64() + b[column].to_f64();
                let got = y[row * n + column].to_f64();
                assert!(
                    (got - expected).abs() <= 2e-3 * expected.abs().max(0.5),
                    "row {row} column {column} of {n}: {got} is not {expected}"
                );
            }
        }
    }
}
