//! Loops, branches and several blocks.

use crate::harness::*;
use tk_sim::DeviceMemory;
use tk_types::{CompileOptions, Lines};

const LAYOUT: &str = "#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>";

/// A kernel over 256 elements with `%p` pointing to `%x` and `%q` to `%y`, in two runs of registers per thread.
fn kernel(parameters: &str, body: &str) -> Kernel {
    let text = format!(
        "tt.func public @k(%x: !tt.ptr<i32> {{tt.divisibility = 16 : i32}}, %y: !tt.ptr<i32> {{tt.divisibility = 16 : i32}}{parameters}) {{
         %i = tt.make_range {{end = 512 : i32, start = 0 : i32}} : tensor<512xi32, #a>
         %xb = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #a>
         %p = tt.addptr %xb, %i : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
         %yb = tt.splat %y : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #a>
         %q = tt.addptr %yb, %i : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
         %c0 = arith.constant 0 : i32
         %c1 = arith.constant 1 : i32
         %zero = arith.constant dense<0> : tensor<512xi32, #a>
         {body}
         }}"
    );
    Kernel::new(&module(LAYOUT, 2, &text))
}

fn run(kernel: &Kernel, x: &[i32], scalars: &[i32]) -> Vec<i32> {
    let mut memory = DeviceMemory::new();
    let (x, y) = (upload(&mut memory, x), upload(&mut memory, &[i32::MIN; 512]));
    let mut args = vec![x.into(), y.into()];
    args.extend(scalars.iter().map(|scalar| (*scalar).into()));
    kernel.run(&mut memory, [1, 1, 1], args);
    download(&memory, y)
}

#[test]
fn a_loop_advances_pointers_together() {
    let kernel = kernel(
        ", %n: i32, %stride: i32 {tt.divisibility = 16 : i32}",
        "%step = tt.splat %stride : i32 -> tensor<512xi32, #a>
         %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%ptr = %p, %sum = %zero) -> (tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>) : i32 {
           %v = tt.load %ptr : tensor<512x!tt.ptr<i32>, #a>
           %s = arith.addi %sum, %v : tensor<512xi32, #a>
           %next = tt.addptr %ptr, %step : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
           scf.yield %next, %s : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
         }
         tt.store %q, %r#1 : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    assert_eq!(kernel.count("ld.global.v4.b32"), 2);
    let x: Vec<i32> = (0..512 * 6).map(|at| at * at % 1013).collect();
    for n in [-1, 0, 1, 5] {
        let expected: Vec<i32> = (0..512).map(|at| (0..n.max(0)).map(|k| x[at + 512 * k as usize]).sum()).collect();
        assert_eq!(run(&kernel, &x, &[n, 512]), expected, "n = {n}");
    }
}

/// Rows of three elements each that a loop computes anew, whose sums with what a thread adds to them cannot wrap around where the loop has an end.
#[test]
fn addresses_that_differ_by_constants_are_one() {
    let of_loop_to = |last: &str| {
        kernel(
            ", %n: i32",
            &format!(
                "%c64 = arith.constant 64 : i32
         %few = arith.minsi %n, %c64 : i32
         %rows = arith.constant 512 : i32
         %three = arith.constant dense<3> : tensor<512xi32, #a>
         %sum = scf.for %k = %c0 to {last} step %c1 iter_args(%acc = %zero) -> (tensor<512xi32, #a>) : i32 {{
           %first = arith.muli %k, %rows : i32
           %f = tt.splat %first : i32 -> tensor<512xi32, #a>
           %row = arith.addi %f, %i : tensor<512xi32, #a>
           %at = arith.muli %row, %three : tensor<512xi32, #a>
           %ptr = tt.addptr %xb, %at : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
           %v = tt.load %ptr : tensor<512x!tt.ptr<i32>, #a>
           %s = arith.addi %acc, %v : tensor<512xi32, #a>
           scf.yield %s : tensor<512xi32, #a>
         }}
         tt.store %q, %sum : tensor<512x!tt.ptr<i32>, #a>
         tt.return"
            ),
        )
    };
    let wide = |kernel: &Kernel| kernel.count("mul.wide") + kernel.count("mad.wide");
    let (few, any) = (of_loop_to("%few"), of_loop_to("%n"));
    assert_eq!(wide(&few), 2, "one for the loads and one for the store: {}", few.generated.image.ptx);
    assert!(wide(&any) > 2, "these may wrap around: {}", any.generated.image.ptx);
    let x: Vec<i32> = (0..3 * 512 * 5).map(|at| at * at % 1013).collect();
    for n in [-1, 0, 1, 5] {
        let at_row = |row: usize| x[3 * row];
        let expected: Vec<i32> =
            (0..512).map(|at| (0..n.max(0)).map(|k| at_row(512 * k as usize + at)).sum()).collect();
        assert_eq!([run(&few, &x, &[n]), run(&any, &x, &[n])], [expected.clone(), expected], "n = {n}");
    }
}

#[test]
fn a_loop_swaps_its_values() {
    let kernel = kernel(
        ", %n: i32",
        "%r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i, %b = %zero, %last = %c1) -> (tensor<512xi32, #a>, tensor<512xi32, #a>, i32) : i32 {
           %one = arith.constant dense<1> : tensor<512xi32, #a>
           %b1 = arith.addi %b, %one : tensor<512xi32, #a>
           %l = arith.addi %last, %k : i32
           scf.yield %b1, %a, %l : tensor<512xi32, #a>, tensor<512xi32, #a>, i32
         }
         %t = tt.splat %r#2 : i32 -> tensor<512xi32, #a>
         %u = arith.addi %r#0, %t : tensor<512xi32, #a>
         tt.store %q, %u : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    for n in [0, 1, 2, 7] {
        let expected: Vec<i32> = (0..512)
            .map(|at| {
                let (mut a, mut b, mut last) = (at, 0, 1);
                for k in 0..n {
                    (a, b, last) = (b + 1, a, last + k);
                }
                a + last
            })
            .collect();
        assert_eq!(run(&kernel, &[0; 512], &[n]), expected, "n = {n}");
    }
}

#[test]
fn branches_merge_pointers_with_different_constants() {
    let kernel = kernel(
        ", %n: i32",
        "%five = arith.constant dense<5> : tensor<512xi32, #a>
         %c = arith.cmpi sgt, %n, %c0 : i32
         %r:3 = scf.if %c -> (tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>, i32) {
           %ahead = tt.addptr %p, %five : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>
           scf.yield %ahead, %zero, %n : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>, i32
         } else {
           %j = arith.addi %i, %five : tensor<512xi32, #a>
           scf.yield %p, %j, %c1 : tensor<512x!tt.ptr<i32>, #a>, tensor<512xi32, #a>, i32
         }
         %v = tt.load %r#0 : tensor<512x!tt.ptr<i32>, #a>
         %w = arith.addi %v, %r#1 : tensor<512xi32, #a>
         %t = tt.splat %r#2 : i32 -> tensor<512xi32, #a>
         %u = arith.muli %w, %t : tensor<512xi32, #a>
         tt.store %q, %u : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    let x: Vec<i32> = (0..600).map(|at| at * 3).collect();
    let taken: Vec<i32> = (0..512).map(|at| x[at + 5] * 7).collect();
    let not_taken: Vec<i32> = (0..512).map(|at| x[at] + at as i32 + 5).collect();
    assert_eq!(run(&kernel, &x, &[7]), taken);
    assert_eq!(run(&kernel, &x, &[0]), not_taken);
}

#[test]
fn while_loops_run_until_their_condition_fails() {
    let kernel = kernel(
        ", %n: i32",
        "%r:2 = scf.while (%k = %n, %v = %i) : (i32, tensor<512xi32, #a>) -> (i32, tensor<512xi32, #a>) {
           %go = arith.cmpi sgt, %k, %c0 : i32
           scf.condition(%go) %k, %v : i32, tensor<512xi32, #a>
         } do {
         ^bb0(%k: i32, %v: tensor<512xi32, #a>):
           %k1 = arith.subi %k, %c1 : i32
           %v2 = arith.addi %v, %v : tensor<512xi32, #a>
           scf.yield %k1, %v2 : i32, tensor<512xi32, #a>
         }
         tt.store %q, %r#1 : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    for n in [-3, 0, 1, 4] {
        let expected: Vec<i32> = (0..512).map(|at| at << n.max(0)).collect();
        assert_eq!(run(&kernel, &[0; 512], &[n]), expected, "n = {n}");
    }
}

#[test]
fn early_returns_are_blocks() {
    let kernel = kernel(
        ", %n: i32",
        "%shared = arith.muli %i, %i : tensor<512xi32, #a>
         %c = arith.cmpi sgt, %n, %c0 : i32
         cf.cond_br %c, ^go(%n : i32), ^stop
         ^stop:
         tt.return
         ^go(%m: i32):
         %t = tt.splat %m : i32 -> tensor<512xi32, #a>
         %u = arith.addi %shared, %t : tensor<512xi32, #a>
         tt.store %q, %u : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    assert_eq!(run(&kernel, &[0; 512], &[0]), vec![i32::MIN; 512]);
    assert_eq!(run(&kernel, &[0; 512], &[3]), (0..512).map(|at| at * at + 3).collect::<Vec<i32>>());
}

#[test]
fn nested_loops_and_masks() {
    let kernel = kernel(
        ", %n: i32, %limit: i32",
        "%b = tt.splat %limit : i32 -> tensor<512xi32, #a>
         %m = arith.cmpi slt, %i, %b : tensor<512xi32, #a>
         %other = arith.constant dense<-7> : tensor<512xi32, #a>
         %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<512xi32, #a>) : i32 {
           %s = scf.for %l = %c0 to %k step %c1 iter_args(%inner = %sum) -> (tensor<512xi32, #a>) : i32 {
             %v = tt.load %p, %m, %other : tensor<512x!tt.ptr<i32>, #a>
             %w = arith.addi %inner, %v : tensor<512xi32, #a>
             scf.yield %w : tensor<512xi32, #a>
           }
           scf.yield %s : tensor<512xi32, #a>
         }
         tt.store %q, %r : tensor<512x!tt.ptr<i32>, #a>
         tt.return",
    );
    let x: Vec<i32> = (0..512).map(|at| at * 5 - 100).collect();
    let expected: Vec<i32> = (0..512).map(|at| 6 * if at < 301 { x[at] } else { -7 }).collect();
    assert_eq!(run(&kernel, &x, &[4, 301]), expected);
}

#[test]
fn loops_that_keep_their_code_compute_the_same() {
    for [of_while, of_for] in [["", ""], ["attributes {tt.disable_licm}", "{tt.disable_licm}"]] {
        let kernel = kernel(
            ", %n: i32, %m: i32",
            &format!(
                "%r:2 = scf.while (%k = %c0, %sum = %c0) : (i32, i32) -> (i32, i32) {{
                   %more = arith.cmpi slt, %k, %n : i32
                   scf.condition(%more) %k, %sum : i32, i32
                 }} do {{
                 ^bb0(%k: i32, %sum: i32):
                   %inner = scf.for %j = %c0 to %m step %c1 iter_args(%s = %sum) -> (i32) : i32 {{
                     %square = arith.muli %n, %m : i32
                     %t = arith.addi %s, %square : i32
                     scf.yield %t : i32
                   }} {of_for}
                   %next = arith.addi %k, %c1 : i32
                   scf.yield %next, %inner : i32, i32
                 }} {of_while}
                 %v = tt.splat %r#1 : i32 -> tensor<512xi32, #a>
                 tt.store %q, %v : tensor<512x!tt.ptr<i32>, #a>
                 tt.return"
            ),
        );
        for [n, m] in [[0, 3], [2, 0], [1, 1], [4, 7]] {
            assert_eq!(run(&kernel, &[0; 512], &[n, m]), vec![n * m * n * m; 512], "{n} times {m}");
        }
    }
}

#[test]
fn lines_are_left_out_where_nobody_wants_them() {
    let text = "tt.func public @k(%x: !tt.ptr<i32>) {
        %one = arith.constant 1 : i32 loc(\"kernel.py\":7:4)
        tt.store %x, %one : !tt.ptr<i32> loc(\"kernel.py\":8:4)
        tt.return loc(\"kernel.py\":8:4)
      } loc(\"kernel.py\":6:0)";
    let text = format!("module {{ {text} }}");
    for (lines, count) in [(Lines::Kept, 1), (Lines::Dropped, 0)] {
        let kernel = Kernel::from_tt(&text, "sm_90a", CompileOptions { lines, ..CompileOptions::default() });
        let ptx = &kernel.generated.image.ptx;
        assert_eq!(ptx.matches("kernel.py\"").count(), count, "{ptx}");
        assert_eq!(ptx.contains(".loc"), lines == Lines::Kept, "{ptx}");
    }
}
