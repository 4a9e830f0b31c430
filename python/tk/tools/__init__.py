"""Tools of the host."""

import importlib

from . import tensor_descriptor as tensor_descriptor


def __getattr__(name):
    # It needs torch.
    if name == "mxfp":
        return importlib.import_module(".mxfp", __name__)
    raise AttributeError(f"tk.tools has no `{name}`")
