//! The user's PTX on packs of elements.

use crate::harness::*;
use crate::operations::text::Block;
use half::f16;
use tk_sim::DeviceMemory;

/// Runs `asm` on two blocks of `from` and returns one or two blocks of `to`.
fn apply<T: Element, U: Element>(
    asm: &str,
    constraints: &str,
    pack: usize,
    types: (&str, &str),
    results: usize,
    inputs: [&[T]; 2],
    like: U,
) -> Vec<Vec<U>> {
    let (from, to) = types;
    let block = Block { shape: [4, inputs[0].len() / 4], ..Block::row(0, 4, 2) };
    let (source, result) = (block.tensor(from), block.tensor(to));
    let outputs = ["z0", "z1"];
    let list: Vec<&str> = vec![&result; results];
    let stores: String = (0..results)
        .map(|index| {
            let value = if results == 1 { "%r".to_owned() } else { format!("%r#{index}") };
            format!(
                "{} tt.store %p{index}, {value} : {}\n",
                block.pointers(&format!("p{index}"), outputs[index], "o", to),
                block.tensor(&format!("!tt.ptr<{to}>"))
            )
        })
        .collect();
    let body = format!(
        "{}{}
         %r{} = tt.elementwise_inline_asm \"{asm}\" {{constraints = \"{constraints}\", packed_element = {pack} : i32, pure = true}} %u, %v : {source}, {source} -> {}
         {stores}",
        block.load("u", "x", from),
        block.load("v", "y", from),
        if results == 1 { String::new() } else { format!(":{results}") },
        list.join(", "),
    );
    let (from, to) = (format!("!tt.ptr<{from}>"), format!("!tt.ptr<{to}>"));
    let [kernel, _] = block.kernels(&[("x", &from), ("y", &from), ("z0", &to), ("z1", &to)], &body);
    let mut memory = DeviceMemory::new();
    let [x, y] = inputs.map(|input| upload(&mut memory, input));
    let z = [0, 1].map(|_| upload(&mut memory, &vec![like; inputs[0].len()]));
    kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into(), z[0].into(), z[1].into()]);
    z[..results].iter().map(|buffer| download::<U>(&memory, *buffer)).collect()
}

fn bytes(factor: usize) -> Vec<u8> {
    (0..1024).map(|at| (at * factor / 8) as u8).collect()
}

#[test]
fn bytes_four_at_a_time() {
    let (u, v) = (bytes(37), bytes(101));
    let got = apply("xor.b32 $0, $1, $2;", "=r,r,r", 4, ("i8", "i8"), 1, [&u, &v], 0u8);
    assert_eq!(got[0], u.iter().zip(&v).map(|(u, v)| u ^ v).collect::<Vec<_>>());
    // One at a time, in a register that is wider than the element.
    let got = apply("add.u32 $0, $1, $2;", "=r,r,r", 1, ("i8", "i8"), 1, [&u, &v], 0u8);
    assert_eq!(got[0], u.iter().zip(&v).map(|(u, v)| u.wrapping_add(*v)).collect::<Vec<_>>());
}

/// Four bytes in one register make four results of 32 bits.
#[test]
fn narrow_to_wide() {
    let (u, v) = (bytes(37), bytes(101));
    let asm = "and.b32 $0, $4, 255; bfe.u32 $1, $4, 8, 8; bfe.u32 $2, $5, 16, 8; shr.u32 $3, $5, 24;";
    let got = apply(asm, "=&r,=&r,=&r,=&r,r,r", 4, ("i8", "i32"), 1, [&u, &v], 0i32);
    let expected: Vec<i32> = (0..1024).map(|at| if at % 4 < 2 { u[at].into() } else { v[at].into() }).collect();
    assert_eq!(got[0], expected);
}

#[test]
fn several_results() {
    let (u, v) = (random(1, 1024), random(2, 1024));
    let asm = "add.f32 $0, $2, $3; sub.f32 $1, $2, $3;";
    let got = apply(asm, "=&f,=f,f,f", 1, ("f32", "f32"), 2, [&u, &v], 0f32);
    assert_eq!(got[0], u.iter().zip(&v).map(|(u, v)| u + v).collect::<Vec<_>>());
    assert_eq!(got[1], u.iter().zip(&v).map(|(u, v)| u - v).collect::<Vec<_>>());
}

#[test]
fn halves_two_at_a_time() {
    let halves = |seed| random(seed, 1024).into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let (u, v) = (halves(1), halves(2));
    let got = apply("mul.f16x2 $0, $1, $2;", "=r,r,r", 2, ("f16", "f16"), 1, [&u, &v], f16::ZERO);
    assert_eq!(got[0], u.iter().zip(&v).map(|(u, v)| f16::from_f64(u.to_f64() * v.to_f64())).collect::<Vec<_>>());
    // Floats may be asked for in integer registers, and a result may start as an operand.
    let numbers = random(3, 1024);
    let got = apply(
        "or.b32 $0, $0, 0x80000000; xor.b32 $0, $0, $2; xor.b32 $0, $0, $2;",
        "=r,0,r",
        1,
        ("f32", "f32"),
        1,
        [&numbers, &numbers],
        0f32,
    );
    assert_eq!(got[0], numbers.iter().map(|number| -number.abs()).collect::<Vec<_>>());
}
