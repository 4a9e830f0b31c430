//! Random tensors against naive loops.

use crate::{Mock, program};
use proptest::prelude::*;

/// Runs a script and returns the numbers it printed, one list per line.
fn numbers(body: &str) -> Vec<Vec<f64>> {
    let text =
        format!("import torch\ndef main():\n{}", body.lines().map(|line| format!("    {line}\n")).collect::<String>());
    let mut output = Vec::new();
    program(&text).run_main(&[], &mut Mock::idle(), &mut output).unwrap_or_else(|d| panic!("{d}\n{text}"));
    let text = String::from_utf8(output).unwrap();
    let numbers =
        |line: &str| line.split(|c: char| "[](), ".contains(c)).filter_map(|word| word.parse().ok()).collect();
    text.lines().map(numbers).collect()
}

/// One step of a chain of views, applied to a tensor in the program and to a list of coordinates here.
#[derive(Clone, Debug)]
enum Step {
    Transpose(usize, usize),
    Slice(usize, usize, usize),
    Select(usize, usize),
    Unsqueeze(usize),
    Reshape,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0usize..4, 0usize..4).prop_map(|(a, b)| Step::Transpose(a, b)),
        (0usize..4, 0usize..3, 1usize..3).prop_map(|(axis, start, step)| Step::Slice(axis, start, step)),
        (0usize..4, 0usize..4).prop_map(|(axis, at)| Step::Select(axis, at)),
        (0usize..4).prop_map(Step::Unsqueeze),
        Just(Step::Reshape),
    ]
}

/// A naive tensor: its shape and its elements in row-major order.
#[derive(Clone, Debug)]
struct Naive {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl Naive {
    fn at(&self, index: &[usize]) -> f64 {
        self.values[index.iter().zip(&self.shape).fold(0, |flat, (i, size)| flat * size + i)]
    }

    fn build(shape: Vec<usize>, f: impl Fn(&[usize]) -> f64) -> Self {
        let count: usize = shape.iter().product();
        let index = |flat: usize| {
            let mut rest = flat;
            let mut index: Vec<usize> = shape
                .iter()
                .rev()
                .map(|size| {
                    let i = rest % size;
                    rest /= size;
                    i
                })
                .collect();
            index.reverse();
            index
        };
        let values = (0..count).map(|flat| f(&index(flat))).collect();
        Self { shape, values }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn chains_of_views_name_the_same_elements(shape in prop::collection::vec(1usize..5, 1..4), steps in prop::collection::vec(step(), 0..6)) {
        let count: usize = shape.iter().product();
        let mut naive = Naive { shape: shape.clone(), values: (0..count).map(|v| v as f64).collect() };
        let mut code = format!("x = torch.arange({count}).reshape({shape:?})\n");
        for step in steps {
            let rank = naive.shape.len();
            if rank == 0 { break; }
            let old = naive.clone();
            match step {
                Step::Transpose(a, b) => {
                    let (a, b) = (a % rank, b % rank);
                    let mut shape = old.shape.clone();
                    shape.swap(a, b);
                    naive = Naive::build(shape, |index| { let mut index = index.to_vec(); index.swap(a, b); old.at(&index) });
                    code += &format!("x = x.transpose({a}, {b})\n");
                }
                Step::Slice(axis, start, by) => {
                    let axis = axis % rank;
                    let start = start.min(old.shape[axis] - 1);
                    let mut shape = old.shape.clone();
                    shape[axis] = (shape[axis] - start).div_ceil(by);
                    naive = Naive::build(shape, |index| { let mut index = index.to_vec(); index[axis] = start + index[axis] * by; old.at(&index) });
                    code += &format!("x = x[{}{start}::{by}]\n", ":, ".repeat(axis));
                }
                Step::Select(axis, at) => {
                    let axis = axis % rank;
                    let at = at % old.shape[axis];
                    let mut shape = old.shape.clone();
                    shape.remove(axis);
                    naive = Naive::build(shape, |index| { let mut index = index.to_vec(); index.insert(axis, at); old.at(&index) });
                    code += &format!("x = x[{}{at}]\n", ":, ".repeat(axis));
                }
                Step::Unsqueeze(axis) => {
                    let axis = axis % (rank + 1);
                    naive.shape.insert(axis, 1);
                    code += &format!("x = x.unsqueeze({axis})\n");
                }
                Step::Reshape => {
                    let count: usize = old.shape.iter().product();
                    let divisor = (1..=count).rev().find(|d| count.is_multiple_of(*d) && d * d <= count).unwrap_or(1);
                    naive.shape = vec![divisor, count / divisor];
                    code += &format!("x = x.reshape({divisor}, -1)\n");
                }
            }
        }
        // The elements once through the strides, once through a copy; and the strides must be true for a kernel that uses them.
        code += "print(x.shape)\nprint(x.reshape(-1).tolist())\nprint(x.contiguous().view(-1).tolist())\nprint(x.stride())\nprint([x.storage_offset()])";
        let lines = numbers(&code);
        prop_assert_eq!(&lines[0], &naive.shape.iter().map(|size| *size as f64).collect::<Vec<_>>());
        prop_assert_eq!(&lines[1], &naive.values);
        prop_assert_eq!(&lines[2], &naive.values);
    }

    #[test]
    fn broadcast_arithmetic_matches_loops(
        rows in 1usize..5, columns in 1usize..5, left_row in any::<bool>(), right_column in any::<bool>(),
        op in 0usize..9, seed in 0u64..1000,
    ) {
        let op = ["+", "-", "*", "/", "//", "%", "<", "==", ">="][op];
        let left = if left_row { vec![1, columns] } else { vec![rows, columns] };
        let right = if right_column { vec![rows, 1] } else { vec![columns] };
        let code = format!(
            "torch.manual_seed({seed})\na = torch.randint(-4, 5, {left:?}).double()\nb = torch.randint(1, 5, {right:?}).double()\n\
             print(a.flatten().tolist())\nprint(b.flatten().tolist())\nprint(((a {op} b) * 1.0).flatten().tolist())\nprint((a.long() {op} b.long()).double().flatten().tolist())"
        );
        let lines = numbers(&code);
        let rows = if left_row && !right_column { 1 } else { rows };
        for row in 0..rows {
            for column in 0..columns {
                let a = lines[0][if left_row { column } else { row * columns + column }];
                let b = lines[1][if right_column { row } else { column }];
                let truth = |value: bool| if value { 1.0 } else { 0.0 };
                let expected = match op {
                    "+" => a + b, "-" => a - b, "*" => a * b, "/" => a / b, "//" => (a / b).floor(),
                    "%" => a - (a / b).floor() * b, "<" => truth(a < b), "==" => truth(a == b), _ => truth(a >= b),
                };
                let at = row * columns + column;
                prop_assert_eq!(lines[2][at], expected);
                let int = if op == "/" { f64::from(expected as f32) } else { expected };
                prop_assert_eq!(lines[3][at], int);
            }
        }
    }

    #[test]
    fn softmax_and_matmul_match_loops(m in 1usize..6, k in 1usize..6, n in 1usize..6, seed in 0u64..1000, half in any::<bool>()) {
        let dtype = if half { "float16" } else { "float32" };
        let code = format!(
            "torch.manual_seed({seed})\na = torch.randn({m}, {k}, dtype=torch.{dtype})\nb = torch.randn({n}, {k}, dtype=torch.{dtype}).t()\n\
             print(a.flatten().tolist())\nprint(b.flatten().tolist())\nprint((a @ b).flatten().tolist())\n\
             print(torch.softmax(a, dim=0).flatten().tolist())\nprint(a.sum(1).tolist())\nprint(torch.logsumexp(a, -1).tolist())"
        );
        let lines = numbers(&code);
        // One unit in the last place of the type; the reference rounds once.
        let unit = if half { 2f64.powi(-11) } else { 2f64.powi(-24) };
        let close = |actual: f64, expected: f64, scale: f64| (actual - expected).abs() <= unit * 1.01 * expected.abs() + 1e-6 * scale * unit + 6e-8;
        let (a, b) = (|i: usize, j: usize| lines[0][i * k + j], |i: usize, j: usize| lines[1][i * n + j]);
        for i in 0..m {
            for j in 0..n {
                let expected: f64 = (0..k).map(|l| a(i, l) * b(l, j)).sum();
                let size: f64 = (0..k).map(|l| (a(i, l) * b(l, j)).abs()).sum();
                // Halves accumulate in f32.
                prop_assert!((lines[2][i * n + j] - expected).abs() <= unit * 1.01 * expected.abs() + size * 1e-6 + 6e-8);
            }
            let sum: f64 = (0..k).map(|j| a(i, j)).sum();
            prop_assert!(close(lines[4][i], sum, 1.0), "{} {}", lines[4][i], sum);
            let log: f64 = (0..k).map(|j| a(i, j).exp()).sum::<f64>().ln();
            prop_assert!(close(lines[5][i], log, 1.0));
        }
        for j in 0..k {
            let total: f64 = (0..m).map(|i| a(i, j).exp()).sum();
            for i in 0..m {
                prop_assert!(close(lines[3][i * k + j], a(i, j).exp() / total, 1.0));
            }
        }
    }
}
