"""The exceptions of tk. Their text is what the command line prints, with the place and the caret."""


class Error(Exception):
    """Any failure of tk's. `code` is the name that `tk explain-error` explains."""

    code = "internal"

    # Whether its cause says why, in a sentence.
    _has_reason = True

    def __init__(self, message="", code=None):
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    @classmethod
    def of_tk(cls, message, code, reason=None, places=()):
        """The exception of a diagnostic; made by the extension module.

        `places` says where its statement is in its function, after the calls that led there: `at 2:4`. As in Triton, the text ends
        with the first of them and the reason; what a call led to is the cause, and the last cause is the reason alone.
        """
        error = cls("\n" + message, code)
        if reason is None:
            return error
        if places:
            error.args = (f"\n{message}\n\n{places[0]}:\n{reason}",)
        caused = error
        for place in places[1:]:
            caused.__cause__ = Reason(f"{place}:\n{reason}")
            caused = caused.__cause__
        if cls._has_reason:
            caused.__cause__ = Reason(reason)
        return error

    @property
    def error_message(self):
        return self.message


class Reason(Exception):
    """Why a kernel does not compile, in one sentence."""


class Warning(UserWarning):
    """What compiles but deserves a word."""

    def __init__(self, message="", code="warning"):
        super().__init__(message)
        self.code = code


class InternalError(Error, RuntimeError):
    """tk itself is wrong."""


class CompilationError(Error):
    """The program of a kernel is wrong."""


class UnsupportedLanguageConstruct(CompilationError):
    """A construct that kernels do not have."""

    # The construct is the cause.
    _has_reason = False


class LaunchError(Error, ValueError):
    """A launch does not fit its kernel."""


class OptionError(Error, ValueError, AssertionError):
    """An option of a launch that no kernel can have."""


class DeviceError(Error, RuntimeError):
    """The GPU or its driver refused."""


class PTXASError(Error):
    """ptxas refused the PTX."""


class AutotunerError(Error):
    """No configuration is left to choose from."""

    def __init__(self, message="", code="bad-launch"):
        super().__init__(f"Autotuner error: {message}", code)


class OutOfResources(Error):
    """The device has less than a kernel needs."""

    def __init__(self, required="", limit=None, name=None):
        if name is None:
            super().__init__(required, "too-much-shared-memory")
            self.required, self.limit, self.name = None, None, "shared memory"
        else:
            super().__init__(
                f"out of resource: {name}, Required: {required}, Hardware limit: {limit}. "
                "Reducing block sizes or `num_stages` may help.",
                "too-much-shared-memory",
            )
            self.required, self.limit, self.name = required, limit, name

    @classmethod
    def of_tk(cls, message, code, reason=None, places=()):
        return cls("\n" + message)


class SimulationError(Error, RuntimeError):
    """The simulator stopped a kernel."""


class OutOfBoundsError(SimulationError):
    """An access outside every buffer."""


class MisalignedError(SimulationError):
    """An access whose address is no multiple of its width."""


class UninitialisedError(SimulationError):
    """A read of memory that nothing wrote."""


class DataRaceError(SimulationError):
    """Two threads access the same memory without order."""


class DeadlockError(SimulationError):
    """No thread can go on."""


class RunLimitError(SimulationError):
    """A simulation ran past its limit."""


class OffsetOverflowError(SimulationError):
    """A 32-bit offset wrapped around."""


class AssertionFailedError(CompilationError, AssertionError):
    """An assertion is false, at compile time or while a kernel runs."""


class CompileTimeAssertionFailure(AssertionFailedError):
    """A `tl.static_assert` is false."""

    # The assertion is the cause.
    _has_reason = False
