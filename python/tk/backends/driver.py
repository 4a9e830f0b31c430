"""What a driver is."""


class DriverBase:
    """The class of drivers, for programs that ask whether something is one."""


def __getattr__(name):
    raise AttributeError(f"tk.backends.driver has no `{name}`")
