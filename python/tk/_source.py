"""What objects of the running program are to a kernel: asked by the extension module while it links one."""

import bisect
import dis
import enum
import gc
import inspect
import os
import re
import sys
import types
import warnings

from . import knobs
from .errors import Warning as TkWarning

_DEFINITION = re.compile(r"^\s*(async\s+)?def\s")
_ROLES = {"JITFunction": "jit", "ConstexprFunction": "compile-time"}


def name(owner, text):
    """What a name stands for in a function or class; None where it is not defined there, or is one of Python's own."""
    missing = object()
    value = missing
    if isinstance(owner, types.FunctionType) and text in owner.__code__.co_varnames and not _is_global_first(owner, text):
        return None
    if isinstance(owner, type):
        for method in vars(owner).values():
            value = _in_function(_python_function(method), text, missing)
            if value is not missing:
                break
        else:
            value = vars(sys.modules.get(owner.__module__)).get(text, missing) if owner.__module__ in sys.modules else missing
    else:
        value = _in_function(owner, text, missing)
    if value is missing:
        return None
    if knobs.language.portable:
        _check_conflict(owner, text, value)
    if _refuses(value):
        return ("refused", _REFUSED.format(name=text))
    return describe(value)


_REFUSED = (
    "Cannot access global variable {name} from within @jit'ed function. Triton kernels can only access global variables that are "
    "instanstiated as constexpr (`x = triton.language.constexpr(42)`). Note that this is different from annotating a variable as constexpr "
    "(`x: triton.language.constexpr = 42`), which is not supported."
)


def _refuses(value):
    """Whether Triton refuses a global of this value, and kernels have to be portable."""
    is_plain = value is None or isinstance(value, (bool, int, float, str, tuple, list, dict)) and not hasattr(value, "_fields")
    return is_plain and knobs.language.portable and not knobs.compilation.allow_non_constexpr_globals


def _check_conflict(owner, text, value):
    """As under Triton, a function that kernels call keeps the globals that it was compiled with first."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if not isinstance(owner, types.FunctionType) or not isinstance(value, (bool, int, float, str)):
        return
    seen = vars(owner).setdefault("__tk_seen__", {})
    before = seen.setdefault(text, value)
    if type(before) is not type(value) or before != value:
        raise RuntimeError(
            f"Global variable {text} has value {value} when compiling a kernel, but inner kernel {owner.__name__} has conflicting value "
            f"{before} from when it was first compiled.  This is not allowed."
        )


def _is_global_first(function, text):
    """Whether a function reads a name before it assigns it: until then the name is the global, as under Triton."""
    code = function.__code__
    if text in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] or text not in function.__globals__:
        return False
    for instruction in dis.get_instructions(code):
        ways = re.findall("(LOAD|STORE|DELETE)_FAST", instruction.opname)
        names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        for way, name in zip(ways, names):
            if name == text:
                return way == "LOAD"
    return False


def watched(owner, text):
    """The globals, or the cell of a closure, in which a name of a function can change; None for other names."""
    if not isinstance(owner, types.FunctionType):
        return None
    if text in owner.__code__.co_freevars:
        return owner.__closure__[owner.__code__.co_freevars.index(text)]
    # A default is what it was when the function was defined.
    is_in_body = text in owner.__code__.co_names or "__tk_text__" in vars(owner) or text in owner.__code__.co_varnames
    return owner.__globals__ if is_in_body and text in owner.__globals__ else None


def attribute(owner, text):
    """What an attribute of an object stands for; None where there is none."""
    try:
        value = getattr(owner, text)
    except AttributeError:
        return None
    return describe(value)


def _in_function(function, text, missing):
    if not isinstance(function, types.FunctionType):
        return missing
    if text in function.__code__.co_freevars:
        try:
            return function.__closure__[function.__code__.co_freevars.index(text)].cell_contents
        except ValueError:
            return missing
    return function.__globals__.get(text, missing)


def _python_function(value):
    """The function under decorators: a method in a class, a jit function under an autotuner."""
    for _ in range(16):
        if isinstance(value, types.FunctionType):
            return value
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        elif hasattr(value, "fn"):
            value = getattr(value, "_own", value.fn)
        else:
            return None
    return None


def _device_function(value):
    """The jit or constexpr function that an object is or wraps, and its class's name; None for others."""
    for _ in range(16):
        for base in type(value).__mro__:
            if base.__name__ in _ROLES and hasattr(value, "fn"):
                return value, base.__name__
        value = getattr(value, "fn", None)
        if value is None:
            return None
    return None


def describe(value):
    """An object as the extension module takes it: a tuple that begins with a word."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return _scalar(value)
    path = _known_path(value)
    if path is not None:
        return ("known", path)
    kind = type(value).__name__
    if kind == "constexpr":
        return describe(value.value)
    if kind == "dtype":
        return ("dtype", str(getattr(value, "name", value)).removeprefix("torch."))
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        items = [describe(item) for item in value]
        if all(item[0] == "constant" for item in items):
            return ("constant", tuple(item[1] for item in items))
        return ("tuple", items)
    function = None if isinstance(value, type) else _device_function(value)
    if function is not None:
        return _device_text(*function)
    if isinstance(value, types.ModuleType):
        return ("object", value, f"the module `{value.__name__}`")
    if isinstance(value, types.FunctionType):
        return _text(value, "host")
    if isinstance(value, type):
        return _class(value)
    if callable(value) or kind in ("Tensor", "Parameter", "ndarray"):
        return ("opaque", f"a `{kind}`")
    return ("object", value, f"an object of the class `{kind}`")


def passed(value):
    """What an object that a launch passes is, in words; None for what kernels do not take."""
    described = describe(value)
    if described[0] != "object":
        return None
    says = any(getattr(type(value), name) is not getattr(object, name) for name in ("__str__", "__repr__"))
    return f"`{value}`" if says and not isinstance(value, (type, types.ModuleType)) else described[2]


def _scalar(value):
    if isinstance(value, enum.Enum) and not isinstance(value, (int, str, float)):
        return ("object", value, f"`{value}`")
    for plain in (bool, int, float, str):
        if isinstance(value, plain):
            # A class below `str` may say of itself something else than its text, as members of enumerations do.
            return ("constant", value if type(value) is plain else str.__str__(value) if plain is str else plain(value))
    return ("constant", None)


def _known_path(value):
    """The path of what tk itself has: its own modules and functions, those of an installed Triton, `math` and `torch`."""
    if isinstance(value, types.ModuleType):
        path = vars(value).get("__tk_path__")
        if path is not None:
            return path
        spelled = value.__name__
        if spelled in ("math", "torch") or spelled == "triton" or spelled.startswith("triton.language"):
            return spelled
        return None
    path = getattr(value, "__tk_path__", None)
    if path is not None and (isinstance(value, type) or not isinstance(type(value).__dict__.get("__tk_path__"), str)):
        return path
    module = getattr(value, "__module__", None)
    if module == "builtins" and isinstance(value, (type, types.BuiltinFunctionType)):
        return f"builtins.{value.__name__}"
    if module == "math" and callable(value):
        return f"math.{value.__name__}"
    inner = getattr(value, "fn", value)
    module = getattr(inner, "__module__", None)
    if isinstance(module, str) and (module == "triton" or module.startswith("triton.language") or module == "triton.runtime.jit"):
        spelled = getattr(inner, "__name__", None)
        if spelled and (isinstance(value, type) or callable(inner)):
            return f"triton.{spelled}" if hasattr(sys.modules.get("triton"), spelled) and module != "triton.language" and not module.startswith("triton.language") else f"{_public(module)}.{spelled}"
    return None


def _public(module):
    """The module of the language under which a name of one of its parts is public."""
    return module if ".extra" in module or module.endswith(".math") else "triton.language"


def _device_text(function, kind):
    role = _ROLES[kind]
    if role == "jit" and getattr(function, "noinline", False):
        role = "noinline"
    words = getattr(function, "must_use_result", False)
    must_use = words if isinstance(words, str) else "" if words else None
    return _text(_python_function(function), role, must_use)


def _class(value):
    is_aggregate = hasattr(value, "__aggregate_fields__") or hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__")
    if not is_aggregate:
        return ("object", value, f"the class `{value.__name__}`")
    original = getattr(value, "__aggregate_original__", value)
    try:
        lines, first = inspect.getsourcelines(original)
    except (OSError, TypeError):
        return ("opaque", f"the class `{value.__name__}`, whose text is not in a file")
    place = (_shown(inspect.getsourcefile(original)), max(first, 1), "".join(lines))
    return ("text", id(value), *place, "class", original, None, _path(original))


def _text(function, role, must_use=None):
    """A function with its lines, from `def` on: what its decorators say is known already."""
    if function is None:
        return ("opaque", "a function that is not written in Python")
    own = getattr(function, "__tk_text__", None)
    if own is not None:
        place = (_shown(function.__code__.co_filename), function.__code__.co_firstlineno, own)
        return ("text", id(function), *place, role, function, must_use, _path(function))
    try:
        lines, first = inspect.getsourcelines(function.__code__)
    except OSError:
        return ("opaque", f"`{function.__name__}`, whose text is not in a file")
    start = next((at for at, line in enumerate(lines) if _DEFINITION.match(line)), None)
    if start is None:
        return ("opaque", "a lambda")
    text = "".join(lines[start:])
    place = (_shown(function.__code__.co_filename), max(first, 1) + start, text)
    return ("text", id(function), *place, role, function, must_use, _path(function))


def _path(value):
    """How programs name a function or a class: its module and its name there."""
    return f"{value.__module__}.{value.__qualname__}"


def _shown(path):
    """A path as messages write it: from the current folder where it is inside."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith("..") else relative


def storages_of(addresses):
    """Address and length of the storages of torch's tensors that addresses in memory point into."""
    torch = sys.modules.get("torch")
    if torch is None:
        return []
    found = {}
    for value in gc.get_objects():
        # Not isinstance, which a proxy of something that is gone refuses to answer.
        if issubclass(type(value), torch.Tensor) and value.device.type == "cpu" and value.layout == torch.strided:
            try:
                storage = value.untyped_storage()
                found[storage.data_ptr()] = storage.nbytes()
            except RuntimeError:
                continue  # A tensor that is only a shape.
    ranges = sorted(found.items())
    starts = [address for address, _ in ranges]
    wanted = {bisect.bisect_right(starts, address) - 1 for address in addresses if address}
    return [ranges[at] for at in sorted(wanted) if at >= 0]


def print_line(line):
    """What a kernel or its compilation prints."""
    print(line, end="" if line.endswith("\n") else "\n", flush=True)


_unused_options = set()


def unused_option(option):
    """A launch gives an option of Triton's with which tk does nothing."""
    if option not in _unused_options:
        _unused_options.add(option)
        warn(f"tk does nothing with the option `{option}`", "unused-option")


def warn(text, code):
    """A warning of a compilation."""
    warnings.warn(TkWarning(text, code), stacklevel=2)
