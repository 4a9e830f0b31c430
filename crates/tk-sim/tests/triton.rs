//! Kernels that another compiler made, run on random data and compared with plain loops in f64.

mod device;

use device::{Device, Random, f32s, halves};
use half::f16;
use tk_sim::Arg;

#[test]
fn add() {
    let mut device = Device::new();
    let mut random = Random::new(1);
    let n = 5008usize;
    let (x, y) = (random.floats(n), random.floats(n));
    let (a, b) = (device.upload(f32s(&x)), device.upload(f32s(&y)));
    let out = device.poison(n * 4);
    let args = [a.into(), b.into(), out.into(), Arg::from(n as i32)];
    let report = device.run(include_str!("data/add_kernel.ptx"), "add_kernel", [5, 1, 1], 128, 0, &args).unwrap();
    let got = device.floats(out);
    for i in 0..n {
        assert_eq!(got[i], x[i] + y[i], "{i}");
    }
    assert_eq!(report.memory.sector_efficiency(), 1.0);
    assert_eq!(report.memory.totals().bytes, 3 * 4 * n as u64);
    assert!(report.memory.rows.iter().all(|row| row.width == 128));
    let text = report.memory.to_string();
    assert!(text.contains("kernel.py:50") && text.contains("100.0 % sector efficiency"), "{text}");
}

#[test]
fn softmax() {
    let mut device = Device::new();
    let mut random = Random::new(2);
    let (rows, columns) = (16usize, 784usize);
    let x = random.floats(rows * columns);
    let input = device.upload(f32s(&x));
    let out = device.poison(rows * columns * 4);
    let mut args: Vec<Arg> = vec![out.into(), input.into()];
    args.extend([columns, columns, rows, columns].map(|n| Arg::from(n as i32)));
    let ptx = include_str!("data/softmax_kernel.ptx");
    device.run(ptx, "softmax_kernel", [3, 1, 1], 256, 32800, &args).unwrap();
    let got = device.floats(out);
    for row in 0..rows {
        let row = row * columns..(row + 1) * columns;
        let most = x[row.clone()].iter().fold(f32::MIN, |a, b| a.max(*b));
        let sum: f64 = x[row.clone()].iter().map(|v| f64::from(v - most).exp()).sum();
        for i in row {
            let wanted = f64::from(x[i] - most).exp() / sum;
            assert!((f64::from(got[i]) - wanted).abs() <= 1e-5 * wanted + 1e-9, "{i}: {} {wanted}", got[i]);
        }
    }
}

#[test]
fn layer_norm() {
    let mut device = Device::new();
    let mut random = Random::new(3);
    let (rows, columns) = (5usize, 4896usize);
    let mut half = |n: usize| random.floats(n).into_iter().map(f16::from_f32).collect::<Vec<f16>>();
    let (x, w, b) = (half(rows * columns), half(columns), half(columns));
    let [dx, dw, db] = [&x, &w, &b].map(|v| device.upload(halves(v)));
    let y = device.poison(rows * columns * 2);
    let (mean, rstd) = (device.poison(rows * 4), device.poison(rows * 4));
    let mut args: Vec<Arg> = [dx, y, dw, db, mean, rstd].map(Arg::from).to_vec();
    args.extend([Arg::from(columns as i32), Arg::from(columns as i32), Arg::from(1e-5f32)]);
    let ptx = include_str!("data/_layer_norm_fwd_fused.ptx");
    device.run(ptx, "_layer_norm_fwd_fused", [rows as u32, 1, 1], 256, 32, &args).unwrap();
    let (got, means, rstds) = (device.halves(y), device.floats(mean), device.floats(rstd));
    for row in 0..rows {
        let at = row * columns;
        let values: Vec<f64> = x[at..at + columns].iter().map(|v| v.to_f64()).collect();
        let average = values.iter().sum::<f64>() / columns as f64;
        let variance = values.iter().map(|v| (v - average).powi(2)).sum::<f64>() / columns as f64;
        let scale = 1.0 / (variance + 1e-5).sqrt();
        assert!((f64::from(means[row]) - average).abs() < 1e-5, "{row}");
        assert!((f64::from(rstds[row]) - scale).abs() < 1e-5 * scale, "{row}");
        for i in 0..columns {
            let wanted = (values[i] - average) * scale * w[i].to_f64() + b[i].to_f64();
            let found = got[at + i].to_f64();
            assert!((found - wanted).abs() < 2e-3 * wanted.abs().max(1.0), "{row} {i}: {found} {wanted}");
        }
    }
}
