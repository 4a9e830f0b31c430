"""tk under the name of Triton, for programs that import that."""

import importlib
import importlib.machinery
import os
import pkgutil
import sys

# What programs look at to learn which Triton they have: the release whose language and surface tk follows.
TRITON_VERSION = "3.6.0"


# Imported when programs do.
_NEED_TORCH = (".tools.mxfp",)


class _Redirect:
    """Finds `triton.x` as `tk.x`, also where Triton is installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "triton" and not name.startswith("triton."):
            return None
        if name == "triton._C" or name.startswith("triton._C."):
            return _installed(name)
        own = "tk" + name[len("triton"):]
        try:
            module = importlib.import_module(own)
        except ModuleNotFoundError as error:
            if error.name is not None and own.startswith(error.name):
                raise ModuleNotFoundError(f"tk has no module `{own}`, which `{name}` is under tk", name=name) from None
            raise
        sys.modules[name] = module
        return importlib.machinery.ModuleSpec(name, _Loaded(module))


def _installed(name):
    """Triton's own machine code, which some programs use beside its kernels: that of an installed Triton."""
    parent = importlib.machinery.PathFinder.find_spec("triton")
    folders = list(parent.submodule_search_locations or ()) if parent is not None else []
    if name != "triton._C":
        folders = [os.path.join(folder, "_C") for folder in folders]
    return importlib.machinery.PathFinder.find_spec(name, folders)


class _Loaded:
    """Gives a module that is there already."""

    def __init__(self, module):
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec):
        return self._module

    def exec_module(self, module):
        module.__spec__ = self._spec


def is_asked_for():
    """Whether the environment asks for tk under the name of Triton."""
    return os.environ.get("TK_AS_TRITON", "") not in ("", "0")


def as_triton():
    """Makes `import triton` import tk, for what is imported from now on."""
    import tk

    if any(isinstance(finder, type) and finder is _Redirect for finder in sys.meta_path):
        return
    foreign = sys.modules.get("triton")
    if foreign is not None and foreign is not tk:
        for name in [name for name in sys.modules if name == "triton" or name.startswith("triton.")]:
            del sys.modules[name]
    # Programs compare it with releases of Triton.
    tk.__version__ = TRITON_VERSION
    sys.meta_path.insert(0, _Redirect)
    for name in ["", *_module_names()]:
        if name not in _NEED_TORCH:
            sys.modules["triton" + name] = importlib.import_module("tk" + name)
    _compile_here()


def _compile_here():
    """Lets torch.compile compile in this process: its workers would import another Triton, and tk is not slow enough to need them."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    config = sys.modules.get("torch._inductor.config")
    if config is not None:
        config.compile_threads = 1


def _module_names():
    import tk

    found = pkgutil.walk_packages(tk.__path__, prefix="tk.")
    return [module.name[len("tk"):] for module in found if not any(part.startswith("_") for part in module.name.split("."))]
