"""Compilations on the threads of an executor."""

from concurrent.futures import as_completed
from contextvars import ContextVar

active_mode = ContextVar("active_mode", default=None)


class AsyncCompileMode:
    """Inside, `kernel.warmup(…)` gives compilations to an executor and returns at once; they are kept at the end, or when a launch needs them.

    Kernels with tuples among their arguments are compiled at once.
    """

    def __init__(self, executor, *, ignore_errors=False):
        self.executor = executor
        self.ignore_errors = ignore_errors
        self._futures = {}

    def __enter__(self):
        if active_mode.get() is not None:
            raise RuntimeError("Another AsyncCompileMode is already active")
        active_mode.set(self)
        return self

    def __exit__(self, kind, error, traceback):
        active_mode.set(None)
        if hasattr(self.executor, "run_all"):
            self.executor.run_all()
        for future in as_completed([future for _, future in self._futures.values()]):
            future.exception()
        for function, future in self._futures.values():
            if future.exception() is None:
                function.adopt(future.result())
            elif not self.ignore_errors and error is None:
                raise future.exception()

    def before_compilation(self, function, key, types, options, is_warmup):
        """What is done with a compilation: submitted for a warmup, waited for by a launch."""
        if len(types) != len(function.params):
            return None
        known = self._futures.get(key)
        if is_warmup:
            if known is None:
                self._futures[key] = function, self.executor.submit(function.compile_for, types, options, kept=False)
            return True
        if known is None or not (known[1].done() or known[1].running()):
            return None
        return known[1].result()
