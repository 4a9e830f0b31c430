"""The current device, under the names that Triton's driver has for it."""

from .. import _native
from ..backends.compiler import GPUTarget
from ..backends.driver import DriverBase


# By compute capability. Programs ask for the target in every call.
_targets = {}


class Utilities:
    """What the driver knows of devices."""

    @staticmethod
    def get_device_properties(device=None):
        return _native.device_properties()


class Driver(DriverBase):
    """The GPUs of this machine, or the simulator."""

    utils = Utilities()

    @staticmethod
    def is_active():
        return True

    @staticmethod
    def get_current_device():
        return _native.current_device()[0]

    @staticmethod
    def set_current_device(device):
        torch = _torch()
        if torch is not None:
            torch.cuda.set_device(device)
        _native.set_device(device)

    @staticmethod
    def get_current_stream(device=None):
        torch = _torch()
        return 0 if torch is None else torch.cuda.current_stream(device).cuda_stream

    @staticmethod
    def get_current_target():
        _, capability = _native.current_device()
        target = _targets.get(capability)
        if target is None:
            target = _targets[capability] = GPUTarget("cuda", capability, 32)
        return target

    @staticmethod
    def get_active_torch_device():
        import torch

        return torch.device("cpu") if _native.is_simulator() else torch.device("cuda", torch.cuda.current_device())

    @staticmethod
    def get_device_interface():
        import torch

        return torch.cpu if _native.is_simulator() else torch.cuda

    @staticmethod
    def get_benchmarker():
        from ..testing import do_bench

        return do_bench

    @staticmethod
    def get_empty_cache_for_benchmark():
        import torch

        return torch.empty(64 << 20, dtype=torch.int32, device=Driver.get_active_torch_device())

    @staticmethod
    def clear_cache(cache):
        cache.zero_()


def _torch():
    import sys

    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.cuda.is_available() and not _native.is_simulator() else None


class _Drivers:
    """The driver, made when it is asked for."""

    def __init__(self):
        self._default = None
        self._active = None

    @property
    def default(self):
        if self._default is None:
            self._default = Driver()
        return self._default

    @property
    def active(self):
        if self._active is None:
            self._active = self.default
        return self._active

    def set_active(self, driver):
        """Takes tk's own driver alone."""
        if not isinstance(driver, Driver):
            raise NotImplementedError(f"tk has one driver, and {type(driver).__name__} is another")
        self._active = driver

    def reset_active(self):
        """The default is active again."""
        self._active = None


driver = _Drivers()
