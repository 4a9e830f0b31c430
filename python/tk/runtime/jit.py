"""Jit functions: what a decorator makes of a Python function, and how it is launched."""

import ast
import inspect
import json
import re
import sys
import textwrap
import types
from collections.abc import Mapping
from functools import cached_property

from .. import _native, _unwritten, knobs
from ..language.core import constexpr, dtype


# A name of this build of tk, so that a rebuilt tk never reads what an older one cached, and machines with equal builds share it.
_BUILD = f"python-{_native.build_name()}"


def _copy(fn):
    if not isinstance(fn, types.FunctionType):
        return fn
    own = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    own.__dict__.update(fn.__dict__)
    own.__qualname__, own.__module__, own.__kwdefaults__ = fn.__qualname__, fn.__module__, fn.__kwdefaults__
    return own


def _text_of(fn, own):
    text = getattr(own, "__tk_text__", None)
    if text is None:
        text = textwrap.dedent(inspect.getsource(fn))
        text = text[re.search(r"^(async\s+)?def\s", text, re.MULTILINE).start():]
    return text


def _set_text(fn, own, text):
    """Gives a function another text, or its own again; what was linked with it is linked anew."""
    vars(own).pop("__tk_text__", None)
    if text != _text_of(fn, own):
        own.__tk_text__ = text
    _native.text_changed()


def _type_of_annotation(param):
    """How signatures write the type that an annotation names; empty where it names none."""
    annotation = param.annotation
    if isinstance(annotation, str):
        name = annotation.strip().strip("'\"").removeprefix("tl.")
    elif isinstance(annotation, dtype):
        name = annotation.name
    elif annotation in (float, bool):
        name = annotation.__name__
    else:
        return ""
    short = type_canonicalisation_dict.get(name, "")
    return "" if short == "void" else short


class KernelInterface:
    """What has `run`, and launches by `kernel[grid](…)`."""

    def warmup(self, *args, grid=None, **kwargs):
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def run(self, *args, grid, warmup, **kwargs):
        raise NotImplementedError("run is not implemented")

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


class KernelParam:
    """A parameter of a jit function."""

    def __init__(self, function, num, param):
        self._function = function
        self.num = num
        self._param = param

    @property
    def name(self):
        return self._param.name

    @property
    def default(self):
        return self._param.default

    @property
    def has_default(self):
        return self._param.default is not inspect.Parameter.empty

    @property
    def annotation(self):
        annotation = self._param.annotation
        return "" if annotation is inspect.Parameter.empty else annotation

    @property
    def is_constexpr(self):
        return self.name in self._function._constexprs

    @property
    def do_not_specialize(self):
        return _is_listed(self._function.do_not_specialize, self)

    @property
    def do_not_specialize_on_alignment(self):
        return _is_listed(self._function.do_not_specialize_on_alignment, self)


def _is_listed(names, param):
    return param.num in names or param.name in names


class JITCallable:
    """What kernels can call: a jit function, or one that runs at compile time."""


class JITFunction(_native.Function, JITCallable):
    """A function that runs on the GPU or the simulator."""

    def __new__(
        cls,
        fn,
        version=None,
        do_not_specialize=None,
        do_not_specialize_on_alignment=None,
        debug=None,
        noinline=None,
        repr=None,
        launch_metadata=None,
    ):
        signature = inspect.signature(fn)
        empty = inspect.Parameter.empty
        params = [
            (name,) if param.default is empty else (name, param.default) for name, param in signature.parameters.items()
        ]
        is_debug = bool(debug) or knobs.runtime.debug
        # A function of its own, which may get another text.
        own = _copy(fn)
        self = super().__new__(
            cls,
            own,
            params,
            list(do_not_specialize or ()),
            list(do_not_specialize_on_alignment or ()),
            [_type_of_annotation(param) for param in signature.parameters.values()],
            is_debug,
            _BUILD,
        )
        self.fn = fn
        self._own = own
        self.signature = signature
        self.version = version
        self.do_not_specialize = list(do_not_specialize or ())
        self.do_not_specialize_on_alignment = list(do_not_specialize_on_alignment or ())
        self.debug = debug
        self.noinline = bool(noinline)
        self.launch_metadata = launch_metadata
        self.arg_names = list(signature.parameters)
        self.params = [KernelParam(self, at, param) for at, param in enumerate(signature.parameters.values())]
        self.__name__ = fn.__name__
        self.__qualname__ = fn.__qualname__
        self.__doc__ = fn.__doc__
        self.__module__ = fn.__module__
        self.__wrapped__ = fn
        self.module = fn.__module__
        self._repr = repr
        return self

    @cached_property
    def _constexprs(self):
        return frozenset(self.constexprs())

    @property
    def src(self):
        """The text of the function, from `def` on."""
        return _text_of(self.fn, self._own)

    def _unsafe_update_src(self, text):
        """Gives the kernel another text. What was compiled of it is forgotten; kernels that call it keep what they have."""
        _set_text(self.fn, self._own, text)
        self.forget()

    @property
    def cache_key(self):
        """A digest of the text of the function and of everything that it calls."""
        return self.source_digest()

    @property
    def __globals__(self):
        return self.fn.__globals__

    def run(self, *args, grid, warmup, **kwargs):
        """Compiles for these arguments, and launches unless `warmup` is set."""
        if warmup:
            return self.start_(None, *args, **kwargs)
        return self.start_(grid, *args, **kwargs)

    def warmup(self, *args, grid=None, **kwargs):
        """Compiles for these arguments without a launch. A type stands for a tensor of that type, and `arch` says another GPU: `sm80`."""
        # Programs warm a kernel up before every launch, to ask it for its registers.
        torch = sys.modules.get("torch")
        if torch is not None and (torch.dtype in map(type, args) or torch.dtype in map(type, kwargs.values())):
            args, kwargs = [_mock(arg) for arg in args], {name: _mock(arg) for name, arg in kwargs.items()}
        arch = None if "arch" in self.arg_names else kwargs.pop("arch", None) or knobs.runtime.override_arch
        if arch is None:
            return self.start_(None, *args, **kwargs)
        number = compute_capability(arch)
        if kwargs.get("num_ctas", 1) > 1 and number < 90:
            raise ValueError(f"num_ctas > 1 requires NVIDIA SM90+ (Hopper), and {arch} is older")
        return self.warm_for(number, *args, **kwargs)

    @property
    def device_caches(self):
        """By device: the kernels that are kept and, for programs that read more of it, the target and its compiler."""
        return _DeviceCaches(self)

    @property
    def used_global_vals(self):
        """The global numbers and types that the kernel was compiled with, by name and globals."""
        return {(name, id(holder)): (value, holder) for name, value, holder in self.constants_used()}

    def specialization_data(self, types, options):
        """A text by which [`preload`] compiles the same kernel in another process; None where arguments are tuples or functions."""
        if len(types) != len(self.params):
            return None
        options = {name: options[name] for name in _OPTIONS if options[name] is not None}
        try:
            return json.dumps({"tk": 1, "name": self._full_name(), "types": [_in_json(one) for one in types], "options": options})
        except TypeError:
            return None

    def preload(self, specialization_data):
        """Compiles the kernel that a compilation hook was told of as `compile["specialization_data"]`, without a launch."""
        stored = json.loads(specialization_data)
        if not isinstance(stored, dict) or stored.get("tk") != 1:
            raise RuntimeError("this is no specialization data of tk")
        if stored["name"] != self._full_name():
            raise RuntimeError(f"Specialization data is for `{stored['name']}`, and this is `{self._full_name()}`")
        return self.compile_for([_of_json(one) for one in stored["types"]], stored["options"])

    def _full_name(self):
        return f"{self.__module__}.{self.__qualname__}"

    def add_pre_run_hook(self, hook):
        """Calls `hook` with the arguments before each `run`."""
        self.pre_run_hooks.append(hook)

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"`{self.__name__}` is a kernel: launch it by `{self.__name__}[grid](…)`, or call it in another")

    def __repr__(self):
        return f"JITFunction({self.__module__}:{self.__qualname__})"


def compute_capability(arch):
    """The number in `sm80`, `sm_90a` or 80."""
    found = re.fullmatch(r"(?:sm_?)?(\d+)[a-z]?", str(arch))
    if found is None:
        raise ValueError(f"tk compiles for NVIDIA's GPUs, such as sm80 or sm90, not for {arch}")
    return int(found.group(1))


class _KernelCache(Mapping):
    """The kernels that a function keeps, by their names in caches. Launches that are told apart and share a kernel count as several."""

    def __init__(self, function):
        self._function = function

    def _names(self):
        kernels, seen = self._function.kept(), {}
        for kernel in kernels:
            times = seen.get(kernel.hash, 0)
            seen[kernel.hash] = times + 1
            yield (kernel.hash if times == 0 else f"{kernel.hash}-{times}"), kernel

    def __getitem__(self, name):
        return dict(self._names())[name]

    def __iter__(self):
        return (name for name, _ in self._names())

    def __len__(self):
        return len(self._function.kept())

    def clear(self):
        """Forgets them."""
        self._function.forget()


class _DeviceCaches:
    """What [`JITFunction.device_caches`] gives for a device: all devices share it."""

    def __init__(self, function):
        self._function = function

    def __getitem__(self, device):
        from ..backends import make_backend
        from .driver import driver

        target = driver.active.get_current_target()
        return _KernelCache(self._function), {}, target, make_backend(target), None

    def clear(self):
        """Forgets the kernels."""
        self._function.forget()


# The options that a kernel is compiled again with.
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "debug")


def _in_json(one):
    """The type of a parameter, or `constexpr` with the value; tuples and types are said to be such."""
    return [one[0], *map(_value_in_json, one[1:])]


def _value_in_json(value):
    if isinstance(value, tuple):
        return {"tuple": [_value_in_json(item) for item in value]}
    if isinstance(value, dtype):
        return {"dtype": value.name}
    if isinstance(value, float):
        return {"float": value.hex()}
    return value


def _of_json(one):
    return (one[0], *map(_value_of_json, one[1:]))


def _value_of_json(value):
    if not isinstance(value, dict):
        return value
    if "tuple" in value:
        return tuple(_value_of_json(item) for item in value["tuple"])
    return dtype(value["dtype"]) if "dtype" in value else float.fromhex(value["float"])


class MockTensor:
    """A tensor that is only a type, for compilations without data."""

    is_cuda = True

    def __init__(self, dtype, shape=None):
        self.dtype = dtype
        self.shape = shape if shape is not None else [1]

    @staticmethod
    def wrap_dtype(arg):
        return _mock(arg)

    def stride(self):
        strides = [1]
        for size in self.shape[1:]:
            strides.append(strides[-1] * size)
        return tuple(reversed(strides))

    @staticmethod
    def data_ptr():
        return 0

    @staticmethod
    def ptr_range():
        return 0

    def untyped_storage(self):
        return self

    @staticmethod
    def nbytes():
        return 0


def _mock(arg):
    kind = type(arg)
    if kind.__name__ == "dtype" and kind.__module__ == "torch":
        return MockTensor(arg)
    return arg


class ConstexprFunction(JITCallable):
    """A function that runs at compile time when a kernel calls it, and as usual elsewhere."""

    def __init__(self, fn):
        self.fn = fn
        self._own = _copy(fn)
        self.__name__ = fn.__name__
        self.__doc__ = fn.__doc__
        self.__module__ = fn.__module__
        self.__wrapped__ = fn

    @property
    def src(self):
        """The text of the function, from `def` on."""
        return _text_of(self.fn, self._own)

    def _unsafe_update_src(self, text):
        """Gives the function another text inside kernels."""
        _set_text(self.fn, self._own, text)

    @property
    def cache_key(self):
        """A digest of the text of the function and of everything that it calls, which kernels have to be able to call."""
        for called in _called(self.src, self.fn):
            if isinstance(called, types.FunctionType) and called.__module__.partition(".")[0] not in ("tk", "triton"):
                raise RuntimeError(f"Unsupported function referenced: {called} cannot be called from a kernel")
        return _native.Function(self._own, [], [], [], [], False, _BUILD).source_digest()

    def __get__(self, instance, owner):
        return self if instance is None else self.fn.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        args = [_plain(arg) for arg in args]
        return self.fn(*args, **{name: _plain(arg) for name, arg in kwargs.items()})


def _called(text, function):
    """What a text calls by names of globals, and of attributes of modules."""
    for call in ast.walk(ast.parse(textwrap.dedent(text))):
        path, target = [], getattr(call, "func", None)
        while isinstance(target, ast.Attribute):
            path.insert(0, target.attr)
            target = target.value
        if not isinstance(call, ast.Call) or not isinstance(target, ast.Name) or target.id in function.__code__.co_varnames:
            continue
        value = function.__globals__.get(target.id)
        for name in path:
            value = getattr(value, name, None) if isinstance(value, types.ModuleType) else None
        if value is not None:
            yield value


def _plain(value):
    return value.value if isinstance(value, constexpr) else value


def jit(
    fn=None,
    *,
    version=None,
    repr=None,
    launch_metadata=None,
    do_not_specialize=None,
    do_not_specialize_on_alignment=None,
    debug=None,
    noinline=None,
):
    """Makes a kernel, or a function that kernels call, of a Python function."""

    def decorate(fn):
        if not callable(fn):
            raise TypeError("tk.jit decorates functions")
        _unwritten.watch()
        return JITFunction(
            fn,
            version=version,
            do_not_specialize=do_not_specialize,
            do_not_specialize_on_alignment=do_not_specialize_on_alignment,
            debug=debug,
            noinline=noinline,
            repr=repr,
            launch_metadata=launch_metadata,
        )

    return decorate if fn is None else decorate(fn)


def must_use_result(fn, words=True):
    """Makes calls whose result is not used errors, with `words` as the reason: `@must_use_result("It makes a new tensor.")`."""
    if isinstance(fn, str):
        return lambda function: must_use_result(function, fn)
    fn.must_use_result = words
    return fn


def constexpr_function(fn):
    """Makes a function that runs at compile time when a kernel calls it."""
    return ConstexprFunction(fn)


def aggregate(cls):
    """Marks a class whose instances kernels make, with fields that its annotations declare."""
    cls.__aggregate_fields__ = dict(getattr(cls, "__annotations__", {}))
    return cls


# How signatures write the types that programs name.
type_canonicalisation_dict = {
    "bool": "i1",
    "int1": "i1",
    "uint1": "i1",
    "i1": "i1",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"{sign}{bits}": f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"fp{bits}" for bits in (16, 32, 64)},
    **{f"fp{bits}": f"fp{bits}" for bits in (16, 32, 64)},
    "half": "fp16",
    "float": "fp32",
    "double": "fp64",
    "bfloat16": "bf16",
    "bf16": "bf16",
    "void": "void",
    **{name: name for name in ("fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16")},
    "float8_e4m3fn": "fp8e4nv",
    "float8e4nv": "fp8e4nv",
    "float8_e5m2": "fp8e5",
    "float8e5": "fp8e5",
    "float8e4b15": "fp8e4b15",
    "float8_e4m3fnuz": "fp8e4b8",
    "float8e4b8": "fp8e4b8",
    "float8_e5m2fnuz": "fp8e5b16",
    "float8e5b16": "fp8e5b16",
}
type_canonicalisation_dict.update({f"*{name}": f"*{short}" for name, short in list(type_canonicalisation_dict.items())})


def mangle_type(value, specialize=False):
    """How a signature writes the type of an argument: `*fp32`, `i32`; `constexpr` for constants, and for 1 where it is specialised."""
    if value is None or isinstance(value, (str, constexpr, dtype, JITFunction)):
        return "constexpr"
    if isinstance(value, bool):
        return "u1"
    if isinstance(value, int):
        if value == 1 and specialize:
            return "constexpr"
        return "i32" if -(2**31) <= value < 2**31 else "i64" if -(2**63) <= value < 2**63 else "u64"
    if isinstance(value, float):
        return "fp32"
    if isinstance(value, tuple):
        return tuple(mangle_type(item, specialize) for item in value)
    name = str(value.dtype).removeprefix("torch.")
    return f"*{type_canonicalisation_dict.get(name, name)}"


class TensorWrapper:
    """A tensor that is read as another element type."""

    def __init__(self, base, dtype):
        self.dtype = dtype
        self.base = base
        self.shape = getattr(base, "shape", None)
        self.device = getattr(base, "device", None)
        self.data = getattr(base, "data", None)

    def data_ptr(self):
        return self.base.data_ptr()

    def stride(self, *args):
        return self.base.stride(*args)

    def element_size(self):
        return self.base.element_size()

    def cpu(self):
        return TensorWrapper(self.base.cpu(), self.dtype)

    def to(self, device):
        return TensorWrapper(self.base.to(device), self.dtype)

    def clone(self):
        return TensorWrapper(self.base.clone(), self.dtype)

    def copy_(self, other):
        self.base.copy_(other.base)

    def new_empty(self, sizes):
        return TensorWrapper(self.base.new_empty(sizes), self.dtype)

    def __str__(self):
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor, dtype):
    """The same memory with another element type."""
    if isinstance(tensor, TensorWrapper):
        base = tensor.base
        return base if dtype == base.dtype else TensorWrapper(base, dtype)
    if hasattr(tensor, "data_ptr"):
        return TensorWrapper(tensor, dtype)
    raise TypeError(f"Cannot reinterpret a {type(tensor)}.")
