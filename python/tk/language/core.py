"""Types, constants and names of the language, as Python objects."""

import enum

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


CONSTEXPR_0 = constexpr(0)


class constexpr_type:
    """The type of a constant: the constant itself."""

    __tk_path__ = "triton.language.constexpr_type"

    def __init__(self, value):
        self.value = _unwrap_if_constexpr(value)

    def __eq__(self, other):
        return isinstance(other, constexpr_type) and self.value == other.value

    def __hash__(self):
        return hash((constexpr_type, self.value))

    def __repr__(self):
        return f"constexpr_type[{self.value}]"


def _unwrap_if_constexpr(value):
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(_unwrap_if_constexpr(item) for item in value)
    return value.value if isinstance(value, constexpr) else value


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

    SINT_TYPES = ["int8", "int16", "int32", "int64"]
    UINT_TYPES = ["int1", "uint8", "uint16", "uint32", "uint64"]
    STANDARD_FP_TYPES = ["fp16", "bf16", "fp32", "fp64"]
    FP_TYPES = ["fp8e4b15", "fp8e4nv", "fp8e4b8", "fp8e5", "fp8e5b16", *STANDARD_FP_TYPES]
    OTHER_TYPES = ["void"]

    class SIGNEDNESS(enum.Enum):
        """Whether an integer has a sign."""

        SIGNED = 0
        UNSIGNED = 1

    class KIND(enum.Enum):
        """What numbers a type has."""

        BOOLEAN = 0
        INTEGRAL = 1
        FLOATING = 2

    def __init__(self, name):
        name = name.value if isinstance(name, constexpr) else name
        if name not in _BITS:
            raise ValueError(f"`{name}` is no element type")
        self.name = name
        self.python_name = _PYTHON_NAMES.get(name, name)
        self.primitive_bitwidth = _BITS[name]
        self.itemsize = (self.primitive_bitwidth + 7) // 8
        if name in _FLOATS:
            self.fp_mantissa_width, self.exponent_bias = _FLOATS[name]
        elif name != "void":
            self.int_bitwidth = self.primitive_bitwidth
            self.int_signedness = self.SIGNEDNESS.SIGNED if name in self.SINT_TYPES else self.SIGNEDNESS.UNSIGNED

    def __repr__(self):
        return f"triton.language.{self.python_name}"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        other = other.value if isinstance(other, constexpr) else other
        return isinstance(other, dtype) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    @property
    def scalar(self):
        return self

    @staticmethod
    def is_dtype(name):
        """Whether a text names a type."""
        return name in _BITS

    def kind(self):
        """What numbers it has."""
        if self.is_bool():
            return self.KIND.BOOLEAN
        return self.KIND.FLOATING if self.is_floating() else self.KIND.INTEGRAL

    def get_int_max_value(self):
        """The greatest of its integers."""
        return 2 ** (self.int_bitwidth - self.is_int_signed()) - 1

    def get_int_min_value(self):
        """The least of its integers."""
        return -(2 ** (self.int_bitwidth - 1)) if self.is_int_signed() else 0

    def is_fp8(self):
        return self.name.startswith("fp8")

    def is_floating(self):
        return self.name in self.FP_TYPES

    def is_standard_floating(self):
        return self.name in self.STANDARD_FP_TYPES

    def is_int(self):
        return self.is_int_signed() or self.is_int_unsigned()

    def is_int_signed(self):
        return self.name in self.SINT_TYPES

    def is_int_unsigned(self):
        return self.name in self.UINT_TYPES

    def is_bool(self):
        return self.name == "int1"

    @staticmethod
    def is_void():
        return False

    @staticmethod
    def is_block():
        return False

    @staticmethod
    def is_ptr():
        return False

    @staticmethod
    def is_const():
        return False


def _is_named(name):
    return lambda self: self.name == name


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
    "void": 0,
}
# Bits of the mantissa, and the bias of the exponent.
_FLOATS = {
    "fp8e4b15": (3, 15),
    "fp8e4nv": (3, 7),
    "fp8e4b8": (3, 8),
    "fp8e5": (2, 15),
    "fp8e5b16": (2, 16),
    "fp16": (10, 15),
    "bf16": (7, 127),
    "fp32": (23, 127),
    "fp64": (52, 1023),
}
for _name in _BITS:
    setattr(dtype, f"is_{_name}", _is_named(_name))
dtypes = [dtype(name) for name in _BITS]
for _type in dtypes:
    globals()[_type.python_name] = _type
_SHORT_NAMES = {
    "i1": "int1",
    "u1": "int1",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "B": "int1",
}


def str_to_ty(name, c=None):
    """The type that a signature writes: `i32`, `*fp16`, `*kfp32`."""
    if name.startswith("*"):
        is_const = name.startswith("*k")
        return pointer_type(str_to_ty(name[2 if is_const else 1:]), const=is_const)
    return dtype(_SHORT_NAMES.get(name, name))


dtype.__tk_path__ = "triton.language.dtype"


class pointer_type:
    """The type of a pointer to elements."""

    __tk_path__ = "triton.language.pointer_type"

    def __init__(self, element_ty, address_space=1, const=False):
        self.element_ty, self.address_space, self.const = element_ty, address_space, const
        self.name = f"pointer<{element_ty}>"

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, pointer_type) and (self.element_ty, self.const) == (other.element_ty, other.const)

    def __hash__(self):
        return hash(self.name)

    @property
    def scalar(self):
        return self

    @staticmethod
    def is_ptr():
        return True

    @staticmethod
    def is_block():
        return False

    def is_const(self):
        return self.const


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
