//! The language: what Python prints, printed here. The expected texts are what Python 3 prints, except for the messages of exceptions.

use crate::{Mock, program, run_with, script, value};

#[test]
fn expressions_have_pythons_values() {
    for (expr, expected) in [
        ("7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3", "(3, -4, -4, 1, 2, -2)"),
        ("-7.5 // 2, -7.5 % 2, 2 ** 10, 2 ** -1, 10 / 4", "(-4.0, 0.5, 1024, 0.5, 2.5)"),
        ("1 << 70, 5 & 3, 5 | 3, 5 ^ 3, ~5, -(-8) >> 1", "(1180591620717411303424, 1, 7, 6, -6, 4)"),
        (
            "1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, True == 1, 'a' < 'b', (1, 2) < (1, 3)",
            "(True, False, True, True, True, True)",
        ),
        ("[1, 2] + [3], (1,) * 3, 'ab' * 2, [*range(3), *'ab']", "([1, 2, 3], (1, 1, 1), 'abab', [0, 1, 2, 'a', 'b'])"),
        ("{'a': 1, **{'b': 2}}, {1, 2, 1}, {}", "({'a': 1, 'b': 2}, {1, 2}, {})"),
        (
            "[1, 2, 3, 4][::-1], 'hello'[1:-1], (1, 2, 3)[-2:], list(range(10))[8:2:-2]",
            "([4, 3, 2, 1], 'ell', (2, 3), [8, 6, 4])",
        ),
        (
            "0 or 'x', 1 and 0, not [], None is None, 3 in (1, 3), 'k' not in {'k': 1}",
            "('x', 0, True, True, True, False)",
        ),
        (
            "[x * y for x in range(3) for y in range(x) if y or x == 1], {k: v for k, v in zip('ab', (1, 2))}",
            "([0, 2], {'a': 1, 'b': 2})",
        ),
        ("(lambda a, *b, c=3, **d: (a, b, c, d))(1, 2, 3, e=5)", "(1, (2, 3), 3, {'e': 5})"),
        (
            "f'{3.14159:.2f}|{42:5d}|{\"x\":>3}|{1e6:,.0f}|{255:#x}|{0.5:%}|{7!r:>3}|{(1, 2)}'",
            "3.14|   42|  x|1,000,000|0xff|50.000000%|  7|(1, 2)",
        ),
        (
            "min(3, 1, 2), max([1, 5, 2]), max('ab', 'c', key=len), sum([1, 2, 3], 10), sum([0.5, 1])",
            "(1, 5, 'ab', 16, 1.5)",
        ),
        (
            "sorted([3, 1, 2], reverse=True), sorted('bca'), sorted([(1, 'b'), (0, 'z')], key=lambda p: p[1])",
            "([3, 2, 1], ['a', 'b', 'c'], [(1, 'b'), (0, 'z')])",
        ),
        (
            "any(x > 2 for x in [1, 3]), all([]), list(enumerate('ab', 1)), list(zip([1, 2], 'abc'))",
            "(True, True, [(1, 'a'), (2, 'b')], [(1, 'a'), (2, 'b')])",
        ),
        (
            "round(2.5), round(3.5), round(2.675, 2), abs(-3), int('0x1f', 16) if False else int('31'), int(-2.7), float('1e3')",
            "(2, 4, 2.67, 3, 31, -2, 1000.0)",
        ),
        (
            "isinstance(1, int), isinstance(1.0, (int, float)), isinstance('a', str), isinstance(True, bool)",
            "(True, True, True, True)",
        ),
        (
            "' a b '.strip(), 'a,b'.split(','), '-'.join(['x', 'y']), 'Ab'.upper(), 'abc'.replace('b', ''), '{}-{x:02d}'.format(1, x=2)",
            "('a b', ['a', 'b'], 'x-y', 'AB', 'ac', '1-02')",
        ),
        (
            "'%d %.2f %s' % (3, 2.5, 'x'), divmod(7, 2), pow(2, 5), hex(255), [i for i in reversed(range(3))]",
            "('3 2.50 x', (3, 1), 32, '0xff', [2, 1, 0])",
        ),
        (
            "math.sqrt(16), math.ceil(2.1), math.floor(-2.1), math.log2(8), math.gcd(12, 18), math.inf, math.pi",
            "(4.0, 3, -3, 3.0, 6, inf, 3.141592653589793)",
        ),
        ("1e16, 1e-5, 0.1 + 0.2, 100.0, 1.5e300, -0.0", "(1e+16, 1e-05, 0.30000000000000004, 100.0, 1.5e+300, -0.0)"),
        ("triton.cdiv(10, 3), triton.next_power_of_2(100), triton.cdiv(0, 4)", "(4, 128, 0)"),
        ("(y := 5) + y, [z := 1, z + 1]", "(10, [1, 2])"),
    ] {
        assert_eq!(value(expr).as_str(), expected.trim(), "{expr}");
    }
}

#[test]
fn statements_do_what_python_does() {
    let printed = script(
        r#"
total = 0
for i in range(10):
    if i == 3: continue
    if i == 6: break
    total += i
else:
    print("no")
print(total)
while True:
    total -= 5
    if total < 0: break
print(total)
for i in []:
    pass
else:
    print("else")
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
x = y = [1]
x += [2]
print(y, x is y)
def counter():
    n = 0
    def step(k=1):
        nonlocal n
        n += k
        return n
    return step
s = counter()
s(); s(k=5)
print(s())
def outer(*args, scale=2, **rest):
    return [v * scale for v in args], rest
print(outer(1, 2, scale=3, z=1), outer(*[1], **{'scale': 4}))
d = {'a': 1}
d['b'] = d.get('a') + d.get('x', 10)
for k, v in d.items(): print(k, v)
del d['a']
print(d, len(d), 'a' in d)
from functools import partial
print(partial(outer, 1, scale=5)(2))
g = 1
def set_global():
    global g
    g = 2
set_global()
print(g)
print([f() for f in [lambda i=i: i for i in range(3)]])
"#,
    );
    let expected = "12\n-3\nelse\n1 2 [3, 4] 5\n[1, 2] True\n7\n([3, 6], {'z': 1}) ([4], {})\na 1\nb 11\n{'b': 11} 1 False\n\
        ([5, 10], {})\n2\n[0, 1, 2]\n";
    assert_eq!(printed, expected);
}

#[test]
fn exceptions_and_contexts_do_what_pythons_do() {
    let printed = script(
        r#"
try:
    [][1]
except (KeyError, IndexError) as e:
    print("caught", e)
else:
    print("no")
finally:
    print("finally")
def f():
    try:
        return 1
    finally:
        print("cleanup")
print(f())
try:
    try:
        raise ValueError("inner")
    except ValueError:
        raise
except Exception as e:
    print(type(e), str(e))
with torch.no_grad():
    print("in")
print(1, 2, sep="-", end="!\n")
"#,
    );
    let expected = "caught index 1 is out of range for a list of 0\nfinally\ncleanup\n1\n\
        <class 'ValueError'> inner\nin\n1-2!\n";
    assert_eq!(printed, expected);
}

#[test]
fn overrides_reach_main_and_constants() {
    let text = "N = 4\nM: int = 2\ndef main(n=1, dtype='x', flag=False):\n    print(N, n, dtype, flag)\n";
    let run = |overrides: &[(&str, &str)]| run_with(text, overrides, &mut Mock::idle());
    assert_eq!(run(&[]).unwrap(), "4 1 x False\n");
    assert_eq!(
        run(&[("n", "4096"), ("N", "8"), ("dtype", "float16"), ("flag", "True")]).unwrap(),
        "8 4096 torch.float16 True\n"
    );
    let fault = run(&[("m", "1")]).unwrap_err();
    assert!(fault.message.contains("-D m"), "{fault}");
    let script = "import sys\nif __name__ == '__main__':\n    print('script')\n";
    assert_eq!(run_with(script, &[], &mut Mock::idle()).unwrap(), "script\n");
    assert_eq!(run_with("def f(): pass\n", &[], &mut Mock::idle()).unwrap_err().code, tk_diag::USAGE);
}

#[test]
fn tests_are_found_expanded_and_run() {
    let text = "import pytest\n\
        SIZES = [1, 2]\n\
        @pytest.mark.parametrize('n', SIZES)\n\
        @pytest.mark.parametrize('a, b', [(1, 'x'), (2, 'y')])\n\
        def test_many(n, a, b): print(n, a, b)\n\
        def test_plain(k=3): assert k == 3\n\
        def test_needs(x): pass\n\
        def test_fails(): assert 1 == 2, 'no'\n\
        def test_skips(): pytest.skip('why')\n\
        def helper(): pass\n";
    let program = program(text);
    let names = program.tests();
    let expected = [
        "test_many[1-x-1]",
        "test_many[1-x-2]",
        "test_many[2-y-1]",
        "test_many[2-y-2]",
        "test_plain",
        "test_fails",
        "test_skips",
    ];
    assert_eq!(names, expected);
    let mut output = Vec::new();
    let mut run = |name: &str| program.run_test(name, &mut Mock::idle(), &mut output);
    assert_eq!(run("test_many[2-y-1]").unwrap(), tk_host::TestOutcome::Passed);
    assert_eq!(run("test_plain").unwrap(), tk_host::TestOutcome::Passed);
    assert_eq!(run("test_skips").unwrap(), tk_host::TestOutcome::Skipped);
    let fault = run("test_fails").unwrap_err();
    assert_eq!((fault.code, fault.message.as_str()), (tk_diag::ASSERTION_FAILED, "no"));
    assert_eq!(fault.notes, ["the left side is 1, the right side is 2"]);
    assert!(run("test_nothing").is_err());
    assert_eq!(String::from_utf8(output).unwrap(), "1 2 y\n");
}
