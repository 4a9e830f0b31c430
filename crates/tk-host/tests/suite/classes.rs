//! `super()`, imports by name, and generators, which there are none of.

use crate::{failure, script};

#[test]
fn methods_call_those_of_their_bases() {
    let text = "\
class Base:
    made = 0

    def __init__(self, n):
        self.n = n

    def name(self, end='.'):
        return 'base ' + str(self.n) + end

    @property
    def double(self):
        return 2 * self.n

    @classmethod
    def make(cls, n):
        return cls(n)

    @staticmethod
    def half(n):
        return n // 2

class Middle(Base):
    def name(self, end='.'):
        return 'middle ' + super().name(end)

    @property
    def double(self):
        return super().double + 1

class Last(Middle):
    def __init__(self, n):
        super().__init__(n)
        self.m = [super(Last, self).half(part) for part in (n, 10)]

    def name(self):
        return 'last ' + super().name('!')

    @classmethod
    def make(cls, n):
        return super().make(n + 1)

class Old(Middle):
    def __init__(self, n):
        super(Old, self).__init__(n)

class Empty:
    def __init__(self, n):
        super().__init__()
        self.n = n

last = Last(4)
print(last.n, last.m, last.name(), last.double)
made = Last.make(6)
print(type(made) is Last, made.n, Old(3).name(), Empty(5).n)
";
    assert_eq!(script(text), "4 [2, 5] last middle base 4! 9\nTrue 7 middle base 3. 5\n");
    for (text, message) in [
        ("super()", "`super()` stands in no method of a class"),
        ("def f(x):\n    return super()\nf(1)", "`super()` stands in no method of a class"),
        ("class A:\n    def f(self):\n        return super().g()\nA().f()", "the bases of `A` have no `g`"),
        ("class A:\n    def __init__(self):\n        super().__init__(1)\nA()", "the bases of `A` take no arguments"),
        (
            "class A:\n    pass\nclass B:\n    pass\nclass C(A, B):\n    def f(self):\n        return super().g\nC().f()",
            "`super()` of `C`, which has several bases, is not followed here",
        ),
        (
            "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\nclass B(A):\n    def __init__(self):\n        super().__init__(1)\nB()",
            "`super().__init__` of the data class `A` is not there",
        ),
    ] {
        let diagnostic = failure(text);
        assert!(diagnostic.message.contains(message), "{text}: {}", diagnostic.message);
    }
}

#[test]
fn packages_are_imported_by_name() {
    let text = "\
import importlib
print(__import__('math').sqrt(4.0), __import__('torch').ones(2).tolist())
print(__import__('triton.language').cdiv(5, 2), importlib.import_module('math').floor(2.5))
F = __import__('torch.nn.functional', fromlist=['relu'])
print(F.relu(torch.tensor([-1.0, 1.0])).tolist())
";
    assert_eq!(script(text), "2.0 [1.0, 1.0]\n3 2\n[0.0, 1.0]\n");
    let caught = "try:\n    __import__('nowhere')\nexcept ImportError:\n    print('none')";
    assert_eq!(script(caught), "none\n");
    let diagnostic = failure("__import__('nowhere.at_all')");
    assert!(diagnostic.message.contains("finds no file `nowhere.at_all`"), "{}", diagnostic.message);
    assert!(diagnostic.help.as_deref().is_some_and(|help| help.contains("from NAME import")), "{:?}", diagnostic.help);
}

/// What is not here is named, with what to do.
#[test]
fn generators_are_errors_that_name_them() {
    let define = "def sizes(n):\n    for i in range(n):\n        yield i\n";
    assert_eq!(script(&format!("{define}print('defined')")), "defined\n");
    for text in [format!("{define}list(sizes(3))"), "def f():\n    x = yield 1\nf()".to_string()] {
        let diagnostic = failure(&text);
        assert!(diagnostic.message.contains("`yield` is not supported in host code"), "{}", diagnostic.message);
        let help = diagnostic.help.clone().unwrap_or_default();
        assert!(help.contains("put the values into a list") && help.contains("python -m tk"), "{help}");
    }
    let diagnostic = failure("match 1:\n    case 1:\n        pass");
    assert!(
        diagnostic.message.contains("the `match` statement is not supported in host code"),
        "{}",
        diagnostic.message
    );
}

/// Context managers of a program do nothing; as decorators they leave functions as they are.
#[test]
fn context_managers_leave_functions_as_they_are() {
    let text = "\
import contextlib
from contextlib import ContextDecorator

class Timed(ContextDecorator):
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print('never')
        return self

    def __exit__(self, kind, value, trace):
        print('never')

class Region(contextlib.AbstractContextManager):
    def __exit__(self, kind, value, trace):
        print('never')

@Timed('double')
def double(n):
    return 2 * n

with Timed('region') as timed, Region():
    print(double(4), timed.name)
with torch.cuda.device_of(torch.zeros(1)):
    print('inside')
";
    assert_eq!(script(text), "8 region\ninside\n");
    let fault = failure("class A:\n    pass\nA()(1)");
    assert!(fault.message.ends_with("a `A` cannot be called"), "{}", fault.message);
}
