"""Stand-ins for the packages that kernel files import and that are not installed (torch, einops, …), and for a GPU.

A file is executed one top-level statement at a time: a statement that fails (a test table built from a tensor, say) is
skipped, so that the kernels after it are still found.  Imports of the file's own repository are executed in the same way.
"""
import ast
import importlib.abc
import importlib.util
import pathlib
import sys
import types


class Nothing(types.ModuleType):
    """Answers every attribute, call and operator with another stand-in; as a decorator it returns the function."""

    def __init__(self, name):
        super().__init__(name)
        self.__dict__["__path__"] = []

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            if name in ("__version__",):
                return "2.9.0"
            raise AttributeError(name)
        child = Nothing(f"{self.__name__}.{name}")
        self.__dict__[name] = child
        return child

    def __call__(self, *args, **kwargs):
        plain = len(args) == 1 and not kwargs
        if plain and (isinstance(args[0], (type, types.FunctionType)) or hasattr(args[0], "fn")):
            return args[0]
        return Nothing(f"{self.__name__}()")

    def __mro_entries__(self, bases):
        return (object,)

    def __iter__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __bool__(self):
        return True

    def __hash__(self):
        return id(self)

    def __getitem__(self, _):
        return Nothing(f"{self.__name__}[]")

    def __int__(self):
        return 1

    def __index__(self):
        return 1

    def __float__(self):
        return 1.0

    def __len__(self):
        return 0


def _operator(self, *_):
    return Nothing("operator")


for _name in "add radd sub rsub mul rmul truediv floordiv mod or ror and rand xor lshift rshift neg pow rpow".split():
    setattr(Nothing, f"__{_name}__", _operator)
for _name in "lt le gt ge".split():
    setattr(Nothing, f"__{_name}__", lambda self, other: True)


class Device:
    """What Triton asks of a driver while it reads a file or compiles: an H100's answers."""

    def __init__(self):
        from triton.backends.compiler import GPUTarget

        self.target = GPUTarget("cuda", 90, 32)
        self.utils = Nothing("utils")

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, _):
        return 0

    def get_device_interface(self):
        return Nothing("torch.cuda")

    def get_active_torch_device(self):
        return "cuda"

    def get_device_capability(self, *_):
        return (9, 0)

    def get_benchmarker(self):
        return Nothing("benchmarker")


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the repository's own modules below its roots, and stands in for what is not installed."""

    def __init__(self, root):
        self.roots = [root] + [root / part for part in ("src", "python") if (root / part).is_dir()]
        self.root = root
        self.files = {}

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("triton", "numpy", "encodings") or name.split(".")[0] in sys.stdlib_module_names:
            return None
        for root in self.roots:
            base = root.joinpath(*name.split("."))
            for file in (base / "__init__.py", base.with_suffix(".py")):
                if file.is_file():
                    self.files[name] = file
                    return importlib.util.spec_from_loader(name, self, is_package=file.name == "__init__.py")
            if base.is_dir():
                self.files[name] = None
                return importlib.util.spec_from_loader(name, self, is_package=True)
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return None if spec.name in self.files else Nothing(spec.name)

    def exec_module(self, module):
        file = self.files.get(module.__name__)
        if isinstance(module, Nothing) or file is None:
            return
        module.__file__ = str(file)
        execute(file, module)


def execute(file, module):
    """Runs a file's statements in a module; those that raise are left out."""
    try:
        text = pathlib.Path(file).read_text()
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return
    for stmt in tree.body:
        attempt(stmt, str(file), module)


def attempt(stmt, file, module):
    try:
        run(stmt, file, module)
    except (Exception, SystemExit):
        if isinstance(stmt, (ast.FunctionDef, ast.ClassDef)) and stmt.decorator_list:
            kept = [d for d in stmt.decorator_list if "triton." in ast.unparse(d) or "jit" in ast.unparse(d)]
            jit = [d for d in kept if "jit" in ast.unparse(d)]
            for decorators in (kept, jit):
                stmt.decorator_list = decorators
                try:
                    return run(stmt, file, module)
                except (Exception, SystemExit):
                    pass
        elif isinstance(stmt, ast.If):
            for inner in stmt.body:
                attempt(inner, file, module)
        elif isinstance(stmt, ast.ImportFrom):
            for name in stmt.names:
                one = ast.copy_location(ast.ImportFrom(stmt.module, [name], stmt.level), stmt)
                try:
                    run(one, file, module)
                except (Exception, SystemExit):
                    pass


def run(stmt, file, module):
    if isinstance(stmt, ast.If) and "__main__" in ast.unparse(stmt.test):
        return
    exec(compile(ast.Module([stmt], []), file, "exec"), module.__dict__)


def install(root):
    """Makes imports of this process work for a repository; returns the importer."""
    import triton
    from triton.runtime import driver

    driver.set_active(Device())
    importer = Importer(pathlib.Path(root).resolve())
    sys.meta_path.append(importer)
    sys.path_importer_cache.clear()
    return importer
