"""`python -m tk FILE args…` runs a program with tk under the name of Triton."""

import runpy
import sys

from . import as_triton


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print("usage: python -m tk FILE [arguments]\n       python -m tk -m MODULE [arguments]\n\n" + __doc__)
        return 0 if len(sys.argv) >= 2 else 2
    as_triton()
    if sys.argv[1] == "-m":
        if len(sys.argv) < 3:
            print("usage: python -m tk -m MODULE [arguments]")
            return 2
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    del sys.argv[0]
    import os

    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
