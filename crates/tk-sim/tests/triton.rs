//! Kernels that another compiler made, run on random data and compared with plain loops in f64.

use crate::device::{Device, Random, f32s, halves};
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

/// Runs a kernel of the form `(x, o, n)` with block 128 and gives what it wrote to `o`.
fn block(ptx: &str, entry: &str, ctas: u32, input: Vec<u8>, output: Vec<u8>, n: i32) -> (Vec<u8>, tk_sim::Report) {
    let mut device = Device::new();
    let (x, o) = (device.upload(input), device.upload(output));
    let report = device.run(ptx, entry, [ctas, 1, 1], 128, 32 << 10, &[x.into(), o.into(), Arg::from(n)]);
    let report = report.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    (device.memory.read(o).unwrap(), report)
}

fn integers(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn scan_sort_flip_and_reductions() {
    let mut random = Random::new(4);
    let x: Vec<i32> = (0..128).map(|_| random.next() as i32).collect();
    let bytes = x.iter().flat_map(|v| v.to_le_bytes()).collect();
    let got = integers(&block(include_str!("data/scans_i32.ptx"), "scans", 1, bytes, vec![0; 512], 128).0);
    let mut sorted = x.clone();
    sorted.sort_unstable();
    let sum = x.iter().fold(0i32, |a, b| a.wrapping_add(*b));
    let most = x.iter().enumerate().rev().max_by_key(|v| v.1).unwrap().0 as i32;
    let mut running = 0i32;
    for i in 0..128 {
        running = running.wrapping_add(x[i]);
        let wanted = [sorted[i], x[127 - i], sum, most].iter().fold(running, |a, b| a.wrapping_add(*b));
        assert_eq!(got[i], wanted, "{i}");
    }
}

#[test]
fn integer_arithmetic_of_64_bits() {
    let mut random = Random::new(6);
    let mut number = || (random.next() as i64) >> (random.below(40) + 12);
    let x: Vec<i64> = (0..128).map(|_| number()).map(|v| v - i64::from(v == -1)).collect();
    let bytes = x.iter().flat_map(|v| v.to_le_bytes()).collect();
    let got = block(include_str!("data/integers_i64.ptx"), "ints", 1, bytes, vec![0; 1024], 128).0;
    for (i, (v, got)) in x.iter().zip(got.chunks_exact(8)).enumerate() {
        let v = *v;
        let high = ((u64::from(v as u32) * 12345) >> 32) as i64;
        let terms = [v / 3, v % 7, v >> 2, v << 3, v ^ 5, v & 3, v | 8, v / (v + 1), v % (i as i64 + 1)];
        let casts = [
            high,
            i64::from(v < 3),
            i64::from(v as i8),
            i64::from(v as u8),
            v,
            v.abs(),
            v as f32 as i64,
            v as f64 as i64,
        ];
        let wanted = terms.iter().chain(&casts).fold(0i64, |a, b| a.wrapping_add(*b));
        assert_eq!(i64::from_le_bytes(got.try_into().unwrap()), wanted, "{v}");
    }
}

#[test]
fn functions_of_f32() {
    let mut random = Random::new(8);
    let x: Vec<f32> = random.floats(128).iter().map(|v| v.abs() + 0.01).collect();
    let got = block(include_str!("data/functions_f32.ptx"), "maths", 1, f32s(&x), vec![0; 512], 128).0;
    for (v, got) in x.iter().zip(got.chunks_exact(4)) {
        let v = f64::from(*v);
        let got = f64::from(f32::from_le_bytes(got.try_into().unwrap()));
        let erf = {
            // Maclaurin series of the error function.
            let (mut sum, mut term) = (v, v);
            for n in 1..60 {
                term *= -v * v / f64::from(n);
                sum += term / f64::from(2 * n + 1);
            }
            sum * std::f64::consts::FRAC_2_SQRT_PI
        };
        let smooth = v.exp() + v.exp2() + v.ln() + v.log2() + v.sin() + v.cos() + v.sqrt() + 1.0 / v.sqrt() + erf;
        let first = smooth + 1.0 / (1.0 + (-v).exp()) + v.floor() + v.ceil() + v + v.sqrt() + v / 3.0 + v * v + v;
        let wanted = first + v.max(1.0) + v.min(first) + v.clamp(0.0, 1.0);
        assert!((got - wanted).abs() < 1e-5 * wanted.abs().max(1.0), "{v}: {got} {wanted}");
    }
}

#[test]
fn transposed_tiles() {
    let x: Vec<u8> = (0..64 * 64u16).flat_map(u16::to_le_bytes).collect();
    let (got, report) = block(include_str!("data/transpose_f16.ptx"), "trans", 1, x, vec![0; 8192], 64);
    for (i, word) in got.chunks_exact(2).enumerate() {
        assert_eq!(u16::from_le_bytes([word[0], word[1]]) as usize, i % 64 * 64 + i / 64);
    }
    assert_eq!(report.memory.sector_efficiency(), 1.0, "{}", report.memory);
}

#[test]
fn float_atomics() {
    let x: Vec<f32> = (0..256).map(|i| ((i * 37) % 101) as f32 - 50.0).collect();
    let got = block(include_str!("data/atomics_f32.ptx"), "atomics", 2, f32s(&x), vec![0; 2048], 256).0;
    let got: Vec<f32> = got.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    for (i, got) in got.iter().take(16).enumerate() {
        let sum: f32 = x.iter().skip(i).step_by(16).sum();
        assert_eq!(*got, sum, "{i}");
    }
    assert_eq!(got[16], x[0].max(0.0));
    // A maximum with x[i-16] and a minimum with x[i-17] meet at index i, in either order.
    for i in 17..272 {
        let (most, least) = (x[i - 16], x[i - 17]);
        let orders = [0f32.max(most).min(least), 0f32.min(least).max(most)];
        assert!(orders.contains(&got[i]), "{i}: {} {orders:?}", got[i]);
    }
}

#[test]
fn a_lock_around_a_counter() {
    let mut device = Device::new();
    let (lock, counter) = (device.upload(vec![0; 4]), device.upload(vec![0; 4]));
    let args: [Arg; 3] = [lock.into(), counter.into(), Arg::from(16i32)];
    device.run(include_str!("data/lock_i32.ptx"), "lock", [40, 1, 1], 128, 64, &args).unwrap();
    assert_eq!(device.words(counter), [40]);
    assert_eq!(device.words(lock), [0]);
}

#[test]
fn printing() {
    let bytes = (0..128).flat_map(|i: i32| (i % 3).to_le_bytes()).collect();
    let (_, report) = block(include_str!("data/prints_i32.ptx"), "prints", 1, bytes, vec![0; 512], 128);
    assert_eq!(report.printed.len(), 128);
    let line = report.printed.iter().find(|line| line.contains("idx (  5)"));
    assert!(line.is_some_and(|line| line.ends_with("v: 2\n")), "{:?}", report.printed);
}
