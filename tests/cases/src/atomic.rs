//! Atomic operations: every operation, element type, memory order and scope, with one thread per element and with all
//! threads of several programs on the same few elements.

use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::tensor::Tensor;

const ORDERS: &[&str] = &["relaxed", "acquire", "release", "acq_rel"];
const SCOPES: &[&str] = &["cta", "gpu", "sys"];

/// Elements that a program updates.
const COUNT: usize = 128;

/// The files: one element per thread, and contention.
pub fn files() -> Vec<File> {
    let types = [Type::I32, Type::U32, Type::I64, Type::U64, Type::F16, Type::BF16, Type::F32, Type::F64];
    let mut alone = Vec::new();
    let mut crowd = Vec::new();
    for ty in types {
        alone.push(separate(ty));
        crowd.push(contended(ty));
    }
    for ty in [Type::I16, Type::U16, Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64] {
        alone.push(compare_and_swap(ty));
    }
    crowd.push(lock());
    let file =
        |name: &str, about: &str, kernels| File { name: name.into(), about: about.into(), kernels, triton: true };
    vec![
        file("atomics", "Atomic operations, one thread per element", alone),
        file("atomics_contended", "Atomic operations of all threads on the same elements", crowd),
    ]
}

/// Whether an operation takes a type: the logical ones integers, 16-bit floats additions only.
fn takes(operation: &str, ty: Type) -> bool {
    match operation {
        "and" | "or" | "xor" => !ty.is_float(),
        "add" => true,
        _ => ty.bits() >= 32,
    }
}

fn applied(operation: &str, ty: Type, old: Number, value: Number) -> Number {
    let (a, b) = (old.int(), value.int());
    match operation {
        "add" if ty.is_float() => Number::Float(old.float() + value.float()),
        "add" => Number::Int(ty.wrap(a + b)),
        "max" | "min" => {
            let greater = old.order(value).is_some_and(std::cmp::Ordering::is_gt);
            if greater == (operation == "max") { old } else { value }
        }
        "and" => Number::Int(a & b),
        "or" => Number::Int(a | b),
        "xor" => Number::Int(a ^ b),
        _ => value,
    }
}

const OPERATIONS: &[&str] = &["add", "max", "min", "and", "or", "xor", "xchg"];

/// Every order and scope, without contention: both the old and the new values are known.
fn separate(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("atomic_{}", ty.name()));
    kernel.warps = if ty.bits() == 16 { 1 } else { 4 };
    let x = Tensor::distinct(ty, &[COUNT], "atomic");
    let y = Tensor::distinct(ty, &[COUNT], "value");
    kernel.arrays.push(Array::input("y_ptr", ty, &y.data));
    kernel.line(format!("i = tl.arange(0, {COUNT})"));
    kernel.line("y = tl.load(y_ptr + i)");
    let mut target = Array::input("target_ptr", ty, &[]);
    let mut turn = 0;
    for operation in OPERATIONS.iter().filter(|operation| takes(operation, ty)) {
        for order in ORDERS {
            for scope in SCOPES {
                turn += 1;
                let masked = turn % 2 == 0;
                let options = format!("sem='{order}', scope='{scope}'");
                let about = format!("atomic_{operation} {order} {scope} of {}", ty.name());
                target.bits.extend(x.data.iter().map(|value| ty.encode(*value)));
                let limit = if masked { 50 } else { COUNT };
                let after = (0..COUNT)
                    .map(|i| if i < limit { applied(operation, ty, x.data[i], y.data[i]) } else { x.data[i] });
                let start = target.expect(format!("memory after {about}"), after.collect(), EXACT);
                let mask = if masked { ", mask=i < 50" } else { "" };
                kernel.line(format!("r = tl.atomic_{operation}(target_ptr + {start} + i, y{mask}, {options})"));
                // A masked-off thread has no old value.
                kernel.line(format!("tl.static_assert(r.dtype == tl.{})", ty.tl()));
                let output = kernel.output(ty);
                let name = output.name.clone();
                let zero = ty.rounded(Number::Int(0));
                let old = (0..COUNT).map(|i| if i < limit { x.data[i] } else { zero }).collect();
                let start = output.expect(format!("old values of {about}"), old, EXACT);
                kernel.line(format!("tl.store({name} + {start} + i, tl.where(i < {limit}, r, 0).to(tl.{}))", ty.tl()));
            }
        }
    }
    let scalar = applied("add", ty, x.data[0], y.data[3]);
    target.bits.push(ty.encode(x.data[0]));
    let start = target.expect(format!("memory after a scalar atomic_add of {}", ty.name()), vec![scalar], EXACT);
    kernel.line(format!("tl.atomic_add(target_ptr + {start}, tl.load(y_ptr + 3))"));
    kernel.arrays.insert(0, target);
    kernel
}

fn compare_and_swap(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("atomic_cas_{}", ty.name()));
    let x = Tensor::distinct(ty, &[COUNT], "cas");
    let y = Tensor::distinct(ty, &[COUNT], "new");
    // Every second one expects what is there.
    let guess = Tensor::of(&[COUNT], |index| if index[0] % 2 == 0 { x.data[index[0]] } else { y.data[index[0]] });
    kernel.arrays.push(Array::input("guess_ptr", ty, &guess.data));
    kernel.arrays.push(Array::input("y_ptr", ty, &y.data));
    kernel.line(format!("i = tl.arange(0, {COUNT})"));
    kernel.line("guess = tl.load(guess_ptr + i)");
    kernel.line("y = tl.load(y_ptr + i)");
    let mut target = Array::input("target_ptr", ty, &[]);
    for order in ORDERS {
        for scope in SCOPES {
            let about = format!("atomic_cas {order} {scope} of {}", ty.name());
            target.bits.extend(x.data.iter().map(|value| ty.encode(*value)));
            let swapped = |i: usize| if guess.data[i] == x.data[i] { y.data[i] } else { x.data[i] };
            let start = target.expect(format!("memory after {about}"), (0..COUNT).map(swapped).collect(), EXACT);
            kernel
                .line(format!("r = tl.atomic_cas(target_ptr + {start} + i, guess, y, sem='{order}', scope='{scope}')"));
            let output = kernel.output(ty);
            let name = output.name.clone();
            let start = output.expect(format!("old values of {about}"), x.data.clone(), EXACT);
            kernel.line(format!("tl.store({name} + {start} + i, r)"));
        }
    }
    kernel.arrays.insert(0, target);
    kernel
}

/// Four programs; sixteen threads of each meet at every element.
fn contended(ty: Type) -> Kernel {
    const PLACES: usize = 8;
    const PROGRAMS: usize = 4;
    let mut kernel = Kernel::new(format!("contended_{}", ty.name()));
    kernel.grid = PROGRAMS as u32;
    // Few and small, so that 16-bit floats hold every partial sum.
    let y = Tensor::whole(ty, &[COUNT * PROGRAMS], "contended");
    kernel.arrays.push(Array::input("y_ptr", ty, &y.data));
    kernel.line(format!("i = tl.arange(0, {COUNT})"));
    kernel.line(format!("y = tl.load(y_ptr + tl.program_id(0) * {COUNT} + i)"));
    let mut target = Array::input("target_ptr", ty, &[]);
    for operation in OPERATIONS.iter().filter(|operation| takes(operation, ty) && **operation != "xchg") {
        for scope in ["gpu", "sys"] {
            let first = ty.rounded(Number::Int(1));
            target.bits.extend([ty.encode(first); PLACES]);
            let total = |place: usize| {
                y.data
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| i % PLACES == place)
                    .fold(first, |total, (_, value)| applied(operation, ty, total, *value))
            };
            let about = format!("contended atomic_{operation} {scope} of {}", ty.name());
            let start = target.expect(about, (0..PLACES).map(total).collect(), EXACT);
            kernel.line(format!("tl.atomic_{operation}(target_ptr + {start} + i % {PLACES}, y, scope='{scope}')"));
        }
    }
    kernel.arrays.insert(0, target);
    kernel
}

/// A lock of `atomic_cas` and `atomic_xchg` around a read and a write that are not atomic.
fn lock() -> Kernel {
    let mut kernel = Kernel::new("spin_lock");
    kernel.grid = 8;
    let zero = [Number::Int(0)];
    let mut counter = Array::input("counter_ptr", Type::I32, &zero);
    counter.expect("a counter under a lock".into(), vec![Number::Int(8)], EXACT);
    kernel.arrays = vec![Array::input("lock_ptr", Type::I32, &zero), counter];
    kernel.line("while tl.atomic_cas(lock_ptr, 0, 1) == 1:");
    kernel.line("    pass");
    kernel.line("tl.store(counter_ptr, tl.load(counter_ptr, volatile=True) + 1)");
    kernel.line("tl.debug_barrier()");
    kernel.line("tl.atomic_xchg(lock_ptr, 0)");
    kernel
}
