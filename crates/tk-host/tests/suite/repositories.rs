//! What files of public repositories do around their kernels: classes, decorators, packages that are not here, functions of torch.

use crate::{Mock, failure, run_with, script};
use tk_diag::SourceFile;
use tk_grammar::imports::{Imports, Link, Part};
use tk_host::HostProgram;

#[test]
fn functions_of_places_and_limits_have_torchs_values() {
    for (expr, expected) in [
        ("torch.einsum('ik,kj->ij', a, a.t()).tolist()", "[[5.0, 14.0], [14.0, 50.0]]"),
        ("torch.einsum('ij->j', a).tolist(), torch.einsum('ij', a).shape", "([3.0, 5.0, 7.0], (2, 3))"),
        (
            "torch.einsum('bi,bj->bij', a, a).shape, torch.einsum('bi,bi->b', [a, a]).tolist()",
            "((2, 3, 3), [5.0, 50.0])",
        ),
        (
            "torch.einsum('...ij,jk->...ik', torch.ones(5, 4, 2, 3), a.t()).shape, torch.einsum('b...,...->b', a, a[0]).tolist()",
            "((5, 4, 2, 2), [5.0, 14.0])",
        ),
        (
            "torch.einsum('...j,...j', a, a).tolist(), torch.einsum('...i->i...', torch.ones(4, 2, 3)).shape",
            "([5.0, 50.0], (3, 4, 2))",
        ),
        ("torch.einsum('ik,kj,j->i', a, a.t(), torch.tensor([1., 2.])).tolist()", "[33.0, 114.0]"),
        ("torch.repeat_interleave(torch.tensor([1, 2]), 2).tolist()", "[1, 1, 2, 2]"),
        (
            "a.repeat_interleave(torch.tensor([2, 1]), dim=0).shape, a.repeat_interleave(2, dim=-1)[0].tolist()",
            "((3, 3), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0])",
        ),
        (
            "a.new_zeros(2, 2).dtype, a.half().new_empty((3,), dtype=torch.int32).dtype, a.new_full((1,), 7.0).tolist()",
            "(torch.float32, torch.int32, [7.0])",
        ),
        (
            "torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).min, torch.finfo(torch.float8_e4m3fn).max",
            "(65504.0, -3.3895313892515355e+38, 448.0)",
        ),
        (
            "torch.finfo(torch.float32).eps, torch.finfo(torch.float32).tiny, torch.finfo(torch.float8_e5m2).max",
            "(1.1920928955078125e-07, 1.1754943508222875e-38, 57344.0)",
        ),
        (
            "torch.iinfo(torch.int8).min, torch.iinfo(torch.int64).max, torch.iinfo(torch.uint8).max",
            "(-128, 9223372036854775807, 255)",
        ),
        (
            "F.pad(torch.tensor([1, 2]), (1, 2), value=9).tolist(), F.pad(a, (0, 1, 1, 0)).shape, F.pad(a, (-1, 0))[1].tolist()",
            "([9, 1, 2, 9, 9], (3, 4), [4.0, 5.0])",
        ),
        (
            "F.one_hot(torch.tensor([0, 2])).tolist(), F.one_hot(torch.tensor([1]), num_classes=4).tolist()",
            "([[1, 0, 0], [0, 0, 1]], [[0, 1, 0, 0]])",
        ),
        ("torch.zeros(3).index_add_(0, torch.tensor([2, 0, 2]), torch.ones(3)).tolist()", "[1.0, 0.0, 2.0]"),
        (
            "torch.zeros(2, 2).index_add(1, torch.tensor([1]), torch.ones(2, 1), alpha=3).tolist()",
            "[[0.0, 3.0], [0.0, 3.0]]",
        ),
        (
            "[x.tolist() for x in torch.where(a > 3)], torch.nonzero(a > 3).tolist()",
            "([[1, 1], [1, 2]], [[1, 1], [1, 2]])",
        ),
        (
            "a.masked_select(a > 3).tolist(), [x.shape for x in torch.broadcast_tensors(a, torch.zeros(1))]",
            "([4.0, 5.0], [(2, 3), (2, 3)])",
        ),
        (
            "torch.mul(a, 2, out=b).tolist(), b.tolist()",
            "([[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]], [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]])",
        ),
    ] {
        let printed = script(&format!(
            "import torch.nn.functional as F\na = torch.arange(6.).reshape(2, 3)\nb = torch.zeros(2, 3)\nresult = {expr}\nprint(result)"
        ));
        assert_eq!(printed.trim_end(), expected, "{expr}");
    }
}

#[test]
fn wrong_uses_of_them_are_errors() {
    for (body, message) in [
        (
            "torch.einsum('ij,jk->ik', torch.zeros(2, 3), torch.zeros(2, 3))",
            "ValueError: `einsum` of 'ij,jk->ik': `j` is 3 and 2",
        ),
        (
            "torch.einsum('...i,...i->...', torch.zeros(3, 2), torch.zeros(4, 2))",
            "ValueError: `einsum` of '...i,...i->...': `...` is 3 and 4",
        ),
        (
            "torch.einsum('ii->i', torch.zeros(2, 2))",
            "ValueError: `einsum` of 'ii->i': `i` stands twice in one operand, which is not supported",
        ),
        (
            "torch.einsum('..i->i', torch.zeros(2, 2))",
            "ValueError: `einsum` of '..i->i': `.` is no letter; write one for each dimension",
        ),
        ("torch.finfo(torch.int8)", "torch.finfo takes a type of floats, not torch.int8"),
        ("torch.nn.functional.one_hot(torch.tensor([3]), 2)", "ValueError: `one_hot` takes classes from 0 to 1"),
        ("torch.nn.functional.pad(torch.zeros(2), (1, 1), 'reflect')", "`pad` has only the mode 'constant' here"),
        ("torch.zeros(2).flatten(start=1)", "`flatten` has no argument `start` here"),
        ("torch.zeros(2).add_(1, alpha=2)", "`add_` has no argument `alpha` here"),
        ("torch.zeros(2).contiguous(memory=1)", "`contiguous` has no argument `memory` here"),
        ("torch.zeros(2).nonzero(as_tupel=True)", "`nonzero` has no argument `as_tupel` here"),
        ("import numpy as np\nnp.zeros(3)", "`numpy.zeros` is not available in host code"),
    ] {
        assert_eq!(failure(body).message, message, "{body}");
    }
    let help = failure("import numpy as np\nnp.zeros(3)").help.unwrap_or_default();
    assert!(help.contains("docs/host.md") && help.contains("python -m tk"), "{help}");
}

#[test]
fn classes_hold_constants_functions_and_kernels() {
    let text = "\
class Sizes:
    BLOCK = 32
    DOUBLE = BLOCK * 2

    @staticmethod
    def of(n):
        return n + 1

class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        ctx.scale = 2
        return (a + b) * ctx.scale, len(ctx.saved_tensors), ctx.needs_input_grad[0]

    @staticmethod
    def backward(ctx, d):
        return missing

class More(Add):
    pass

print(Sizes.DOUBLE, Sizes.of(1), More.apply(torch.ones(1), torch.ones(1))[1:])
";
    assert_eq!(script(text), "64 2 (2, False)\n");
    assert_eq!(failure("class A:\n    B = 1\nA.C").message, "the class `A` has no `C`");
    let text = "from packaging import version\nprint(version.parse('2.10.1+cu12') >= version.parse('2.9'))";
    assert_eq!(script(text), "True\n");
}

/// A program of two files: the second is imported as `m`.
fn two_files(main: &str, imported: &str) -> HostProgram {
    let file = SourceFile::new("main.py", main).with_part("m.py", imported);
    let bodies: Vec<_> = (0..2).map(|part| tk_grammar::parse_part(&file, part).expect("it parses")).collect();
    let mut imports = Imports::new(bodies.into_iter().map(|body| Part::of(body.into())).collect());
    tk_grammar::bindings::each_binding(&imports.parts[0].body.clone(), &mut |binding| {
        if let tk_grammar::bindings::Bound::Module(alias) = binding.bound
            && alias.name == "m"
        {
            imports.set_link(alias, Link::Module(1));
        }
    });
    HostProgram::new(tk_grammar::ast::Module::linked(file, imports))
}

fn run_two(main: &str, imported: &str) -> Result<(String, Vec<String>), String> {
    let (mut mock, mut output) = (Mock::idle(), Vec::new());
    let result = two_files(main, imported).run_main(&[], &mut mock, &mut output);
    let printed = String::from_utf8(output).expect("it is text");
    result.map(|()| (printed, mock.log)).map_err(|fault| format!("{} {:?}", fault.message, fault.notes))
}

#[test]
fn what_an_import_does_not_need_fails_when_it_is_used() {
    let imported = "\
import numpy as np
import torch
TABLE = np.zeros(3)
np.seterr(all='ignore')
if np.size(TABLE) > 2:
    MODE = 1
@np.vectorize
def host(x):
    return x
def slow():
    print('slow')
    return 5
ANSWER = slow()
FIRST, SECOND = slow(), ANSWER + 1
def good():
    return 3
try:
    import cupy
    HAS = True
except ImportError:
    HAS = False
";
    let fine = "import m\ndef main():\n    print(m.good(), m.HAS)\n    print(m.ANSWER, m.ANSWER, m.SECOND)\n";
    assert_eq!(run_two(fine, imported), Ok(("3 False\nslow\nslow\n5 5 6\n".to_string(), Vec::new())));
    for name in ["TABLE", "MODE", "host"] {
        let fault = run_two(&format!("import m\ndef main():\n    print(m.{name})\n"), imported).expect_err("it fails");
        assert!(
            fault.contains("is not available in host code") && fault.contains(&format!("`{name}` has no value")),
            "{fault}"
        );
    }
    let fault = run_two("import m\ndef main():\n    pass\n", "assert 1 > 2, 'never'\n").expect_err("it fails");
    assert!(fault.starts_with("never"), "{fault}");
}

#[test]
fn kernels_are_launched_past_what_tunes_them() {
    let text = "\
import triton
import triton.language as tl

def own_tuner(configs, key, cache):
    return None

@triton.heuristics({'EVEN': lambda args: args['n'] % 2 == 0})
@own_tuner(configs=[triton.Config({'BLOCK': 64}, num_warps=8)], key=['n'], cache='file')
@triton.jit
def k(p, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    pass

def plain(p, n):
    tl.store(p, n)

made = triton.jit(plain)

def main():
    p = torch.zeros(4)
    k[(1,)](p, 3)
    k.fn[(1,)](p, 3, EVEN=True)
    k.fn.fn[(1,)](p, 3, EVEN=True, BLOCK=16)
    k.fn.fn.fn[(1,)](p, 3, True, 16, num_stages=0)
    made[(2,)](p, 1)
    SCALE = 3
    @triton.jit
    def inner(q):
        tl.store(q, SCALE)
    inner[(1,)](p)
";
    let mut mock = Mock::idle();
    run_with(&format!("import torch\n{text}"), &[], &mut mock).expect("it runs");
    let wanted = [
        "k[1, 1, 1](p=*fp32@0 n=3 EVEN:False BLOCK:64) w8 s3",
        "k[1, 1, 1](p=*fp32@0 n=3 EVEN:True BLOCK:64) w8 s3",
        "k[1, 1, 1](p=*fp32@0 n=3 EVEN:True BLOCK:16) w4 s3",
        "k[1, 1, 1](p=*fp32@0 n=3 EVEN:True BLOCK:16) w4 s0",
        "plain[2, 1, 1](p=*fp32@0 n=1) w4 s3",
        "inner[1, 1, 1](q=*fp32@0) w4 s3",
    ];
    assert_eq!(mock.log, wanted);
}

/// The page of the host language names every function that there is.
#[test]
fn the_page_lists_what_there_is() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/host.md")).expect("it reads");
    let missing: Vec<&str> =
        tk_host::function_names().into_iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/host.md does not name {missing:?}");
}

#[test]
fn classes_have_instances() {
    let text = "\
from dataclasses import dataclass, field

class Shape:
    count = 0

    def __init__(self, *sizes, name='x'):
        self.sizes = sizes
        self.name = name

    @property
    def numel(self):
        out = 1
        for size in self.sizes:
            out *= size
        return out

    @classmethod
    def square(cls, n):
        return cls(n, n)

    @staticmethod
    def twice(n):
        return 2 * n

    def scaled(self, by):
        return Shape(*[size * by for size in self.sizes], name=self.name)

    def __call__(self, by=3):
        return self.scaled(by).sizes

class Named(Shape):
    def title(self):
        return self.name + str(self.numel)

a = Shape(2, 3)
a.extra = [a.numel]
print(a.numel, a.scaled(2).sizes, a(), Shape.square(4).numel, a.twice(4), a.extra, a.count)
b = Named.square(3)
print(b.title(), isinstance(b, Shape), isinstance(a, Named), type(b) is Named, a == a, a == Shape(2, 3))
print(a.__class__.__name__, hasattr(a, 'none'), getattr(a, 'none', 5), {a: 1}[a])

@dataclass
class Config:
    block: int
    warps: int = 4
    names: list = field(default_factory=list)
    scale: float = field(default=0.5)

    def threads(self):
        return 32 * self.warps

@dataclass(frozen=True)
class More(Config):
    stages: int = 2

    def __post_init__(self):
        assert self.stages > 0

c, d = Config(64), Config(64, warps=4)
c.names.append(1)
print(c.threads(), c == d, c.names, d.names, d == Config(block=64), More(1, 2, stages=3).stages, c.scale)
";
    let expected = "6 (4, 6) (6, 9) 16 8 [6] 0\nx9 True False True True False\nShape False 5 1\n\
        128 False [1] [] True 3 0.5\n";
    assert_eq!(script(text), expected);
    for (text, message) in [
        ("class A:\n    pass\nA(1)", "`A` takes no arguments"),
        ("class A:\n    def __init__(self, n):\n        self.n = n\nA(1).m", "`A` has no attribute `m`"),
        ("class A:\n    def __init__(self, n):\n        self.n = n\nA()", "`__init__` is called without `n`"),
        (
            "class A:\n    @property\n    def n(self):\n        return 1\na = A()\na.n = 2",
            "the attribute `n` of a `A` cannot be set",
        ),
        (
            "class A:\n    def __eq__(self, other):\n        return True\nA()",
            "instances of the class `A` are not made here: it has `__eq__`",
        ),
        ("class A(torch.nn.Module):\n    pass\nA()", "instances of the class `A` are not made here: it derives from"),
        (
            "class A(Missing):\n    pass\nA()",
            "instances of the class `A` are not made here: a class that it derives from",
        ),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\nA()", "`A` is made without `n`"),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\nA(1, m=2)", "`A` has no field `m`"),
        (
            "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    n: int\na = A(1)\na.n = 2",
            "the attribute `n` of a `A` cannot be set",
        ),
        (
            "from dataclasses import dataclass\n@dataclass(order=True)\nclass A:\n    n: int\nA(1)",
            "instances of the class `A` are not made here: it has the decorator `dataclass`",
        ),
        ("class A:\n    pass\nA()()", "a `A` cannot be called"),
    ] {
        let found = failure(text).message;
        assert!(found.starts_with(message), "{text}\n{found}");
    }
}
