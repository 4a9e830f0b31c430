"""Compilations for types instead of arguments: what frameworks ask for that launch kernels themselves."""

import hashlib
import keyword
import os

from .. import _native
from ..backends import make_backend
from ..backends.compiler import GPUTarget
from ..runtime.cache import triton_key
from ..runtime.jit import JITFunction
from . import CompiledKernel

__all__ = ["ASTSource", "CompiledKernel", "GPUTarget", "IRSource", "compile", "make_backend", "triton_key"]


class ASTSource:
    """A jit function with the types of its parameters.

    `signature` has a type (`*fp32`, `i32`, `constexpr`) for each parameter by its name, `constexprs` the constants by name or by the tuple
    of their position, `attrs` what is known of values: `{(0,): [["tt.divisibility", 16]]}`.
    """

    ext = "ttir"

    def __init__(self, fn, signature, constexprs=None, attrs=None):
        self.fn = fn
        self.name = fn.__name__
        self.signature = dict(signature)
        self.constants = {
            (fn.arg_names.index(at),) if isinstance(at, str) else at: value
            for at, value in (constexprs or {}).items()
            if not isinstance(at, str) or at in fn.arg_names
        }
        self.attrs = dict(attrs or {})
        for name in self.signature:
            if not isinstance(name, str):
                raise TypeError("a signature has the types by the names of parameters")

    def hash(self):
        """A digest of what is compiled."""
        parts = (self.fn.cache_key, sorted(self.signature.items()), sorted(map(str, self.constants.items())), str(self.attrs))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def parse_options(self):
        return {}

    def types(self):
        """What the compiler is asked for, for each parameter."""
        found = []
        for at, name in enumerate(self.fn.arg_names):
            if (at,) in self.constants:
                found.append(("constexpr", self.constants[at,]))
            elif name not in self.signature or self.signature[name] == "constexpr":
                raise TypeError(f"`{self.name}` is given neither type nor constant for `{name}`")
            else:
                multiples = [fact[1] for fact in self.attrs.get((at,), ()) if fact[0] == "tt.divisibility"]
                found.append((self.signature[name] + (":16" if any(multiple % 16 == 0 for multiple in multiples) else ""),))
        return found


class IRSource:
    """The kernel in a file of IR or PTX: `.ttir`, `.ttgir`, `.mlir`, `.ll` or `.ptx`, by tk or by Triton."""

    def __init__(self, path, context=None, backend=None):
        self.path = os.fspath(path)
        self.ext = os.path.splitext(self.path)[1].removeprefix(".")
        with open(self.path, encoding="utf-8") as file:
            self.src = file.read()

    def hash(self):
        """A digest of what is compiled."""
        return hashlib.sha256(self.src.encode()).hexdigest()

    def parse_options(self):
        return {}

    def read(self, arch):
        """Finds out the kernel's name and the types of its parameters, and makes a function that stands for it."""
        self.name, types = _native.prototype(self.path, arch)
        self.signature = dict(enumerate(types))
        names = ", ".join(f"argument_{at}" for at in self.signature)
        stem = self.name if self.name.isidentifier() and not keyword.iskeyword(self.name) else "kernel"
        text = f"def {stem}({names}):\n    pass\n"
        scope = {"__name__": "tk.compiler"}
        exec(text, scope)
        scope[stem].__tk_text__ = text
        self.fn = JITFunction(scope[stem])

    def types(self):
        """What the compiler is asked for, for each parameter."""
        return [(text,) for text in self.signature.values()]


def compile(src, target=None, options=None, _env_vars=None):
    """The kernel of a source: loaded on the current device or, where there is a target, only compiled, and loaded by its first launch.

    A source is an `ASTSource`, or the path of a file of IR or PTX.
    """
    if isinstance(src, (str, os.PathLike)):
        src = IRSource(src)
    if not isinstance(src, (ASTSource, IRSource)):
        raise TypeError(f"tk compiles a jit function (an ASTSource) or the path of a file of IR, not a {type(src).__name__}")
    # What frameworks call the CPU is the simulator, where that takes the launches.
    arch = None
    if target is not None and not (target.backend == "cpu" and _native.is_simulator()):
        if target.backend != "cuda":
            raise ValueError(f"tk compiles for cuda, not for {target.backend}")
        arch = int(target.arch)
    options = dict(options or {})
    if isinstance(src, IRSource):
        src.read(arch)
        options["ir_override"] = src.path
    kernel = src.fn.compile_for(src.types(), options, arch)
    kernel.src = src
    # What launchers pass on to `run`, where tk has no use for it.
    kernel.function, kernel.packed_metadata, kernel.launch_metadata = 0, (), _no_metadata
    return kernel


def _no_metadata(grid, stream, *args):
    """Hooks of launches make theirs when they are called."""


def __getattr__(name):
    raise AttributeError(f"tk.compiler.compiler has no `{name}`")
