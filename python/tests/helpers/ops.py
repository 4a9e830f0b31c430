"""Functions of another file, with names that mean something else there."""

import tk
import tk.language as language

from . import inner

LIMIT = 10


@tk.jit
def scaled(x, factor):
    return x * factor * LIMIT


@tk.jit
def shifted(x):
    return x + language.full((), inner.WIDTH * 12.5, language.float32)
