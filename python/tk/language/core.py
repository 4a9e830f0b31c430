"""Types, constants and names of the language, as Python objects."""

from .. import _native

__tk_path__ = "triton.language.core"


class Known:
    """A function or class of the language, which means something inside kernels alone."""

    def __init__(self, path):
        self.__tk_path__ = path
        self.__name__ = path.rpartition(".")[2]
        self.__doc__ = f"`{path}` of the language of kernels."

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"`{self.__name__}` is a function of the language of kernels: call it inside a `@tk.jit` function")

    def __repr__(self):
        return self.__tk_path__


class constexpr:
    """A constant at compile time."""

    __tk_path__ = "triton.language.constexpr"

    def __init__(self, value):
        while isinstance(value, constexpr):
            value = value.value
        self.value = value

    def __class_getitem__(cls, item):
        return cls

    def __repr__(self):
        return f"constexpr[{self.value!r}]"

    def __hash__(self):
        return hash(self.value)

    def __index__(self):
        return self.value

    def __bool__(self):
        return bool(self.value)

    def __call__(self, *args, **kwargs):
        return self.value(*args, **kwargs)

    def __getitem__(self, item):
        return self.value[item]


def _operator(name):
    def operator(self, *others):
        return getattr(self.value, name)(*(other.value if isinstance(other, constexpr) else other for other in others))

    operator.__name__ = name
    return operator


for _name in (
    "eq ne lt le gt ge add sub mul truediv floordiv mod pow and or xor lshift rshift neg pos invert radd rsub rmul rtruediv "
    "rfloordiv rmod rpow rand ror rxor int float abs"
).split():
    setattr(constexpr, f"__{_name}__", _operator(f"__{_name}__"))


class dtype:
    """An element type."""

    def __init__(self, name):
        self.name = name
        self.python_name = _PYTHON_NAMES.get(name, name)
        self.primitive_bitwidth = _BITS[name]
        self.itemsize = (self.primitive_bitwidth + 7) // 8

    def __repr__(self):
        return f"triton.language.{self.python_name}"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, dtype) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    @property
    def scalar(self):
        return self

    def is_fp8(self):
        return self.name.startswith("fp8")

    def is_floating(self):
        return self.name.startswith(("fp", "bf"))

    def is_int(self):
        return self.name.startswith(("int", "uint"))

    def is_int_signed(self):
        return self.name.startswith("int")

    def is_int_unsigned(self):
        return self.name.startswith("uint")

    def is_bool(self):
        return self.name == "int1"

    def is_fp16(self):
        return self.name == "fp16"

    def is_bf16(self):
        return self.name == "bf16"

    def is_fp32(self):
        return self.name == "fp32"

    def is_fp64(self):
        return self.name == "fp64"


_PYTHON_NAMES = {
    "fp8e4nv": "float8e4nv",
    "fp8e5": "float8e5",
    "fp8e4b15": "float8e4b15",
    "fp8e4b8": "float8e4b8",
    "fp8e5b16": "float8e5b16",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
}
_BITS = {
    "int1": 1,
    **{f"{sign}int{bits}": bits for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{name: 8 for name in _PYTHON_NAMES if name.startswith("fp8")},
    "fp16": 16,
    "bf16": 16,
    "fp32": 32,
    "fp64": 64,
}
dtypes = [dtype(name) for name in _BITS]
for _type in dtypes:
    globals()[_type.python_name] = _type
str_to_ty = {_type.name: _type for _type in dtypes}
dtype.__tk_path__ = "triton.language.dtype"


class pointer_type:
    """The type of a pointer to elements."""

    __tk_path__ = "triton.language.pointer_type"

    def __init__(self, element_ty, address_space=1, const=False):
        self.element_ty = element_ty
        self.name = f"pointer<{element_ty}>"

    def __repr__(self):
        return self.name


class _Class(type):
    """A class of the language that is only named."""


def _named(name):
    return _Class(name, (), {"__tk_path__": f"triton.language.{name}", "__module__": "tk.language"})


tensor = _named("tensor")
block_type = _named("block_type")
const = _named("const")
tensor_descriptor = _named("tensor_descriptor")
tensor_descriptor_base = _named("tensor_descriptor_base")


class PropagateNan:
    """What minima and maxima do with NaN."""

    __tk_path__ = "triton.language.PropagateNan"
    NONE = Known("triton.language.PropagateNan.NONE")
    ALL = Known("triton.language.PropagateNan.ALL")


def _aggregate(cls):
    from ..runtime.jit import aggregate

    return aggregate(cls)


# Those with an underscore compile and are not part of the language, as in Triton.
_HIDDEN = ("_experimental_descriptor_load", "_experimental_descriptor_store", "_experimental_make_tensor_descriptor", "_log2")
functions = frozenset(_native.language_functions()) | frozenset(_HIDDEN)


def __getattr__(name):
    if name in functions:
        return Known(f"triton.language.{name}")
    raise AttributeError(f"tk.language.core has no `{name}`")
