#!/usr/bin/env python3
"""Runs Triton's tutorials under tk on the simulator: `tutorials.py FOLDER [NUMBER…]`, where FOLDER has `01-vector-add.py` and the others.

Needs a Python with torch. The tutorials are taken as they are but for their sizes, which the simulator would need hours for, and their
benchmarks, whose times would say nothing; what they check themselves is checked, and here the same values once more where they only print
a difference. Prints a line for each.
"""

import argparse
import os
import re
import sys
import time
import traceback
import types
from pathlib import Path

# What is smaller than in the tutorials, as patterns and replacements, and what is checked afterwards.
TUTORIALS = {
    "01": ([(r"size = 98432", "size = 5000")], "torch.testing.assert_close(output_triton, output_torch)"),
    "02": ([(r"torch\.randn\(1823, 781", "torch.randn(37, 781")], "torch.testing.assert_close(y_triton, y_torch)"),
    "03": (
        [
            (r"matmul_size = \d+", "matmul_size = 64"),
            (r"\(512, 512\)", "(64, 64)"),
        ],
        "torch.testing.assert_close(triton_output, torch_output, atol=1e-1, rtol=1e-1)",
    ),
    "04": ([], "x = torch.randn(300); a, b, c = (seeded_dropout(x, 0.5, seed) for seed in (1, 1, 2)); assert torch.equal(a, b) and not torch.equal(a, c)\nassert torch.equal(a[a != 0], 2 * x[a != 0])"),
    "05": ([(r"test_layer_norm\(1151, 8192", "test_layer_norm(37, 200")], "test_layer_norm(5, 300, torch.float16)"),
    "06": ([], "test_op(1, 1, 256, 64, True, False, 'bwd', 'triton-fp16', torch.float16)"),
    # It asks for tensors of a GPU.
    "07": ([(r"size = 98432", "size = 5000"), (r"assert x\.is_cuda and output_triton\.is_cuda", "")], "torch.testing.assert_close(output_triton, output_torch)"),
    "08": ([(r"group_m = \[.*\]", "group_m = [128, 256]"), (r"group_n = \[.*\]", "group_n = [128, 128]"), (r"group_k = \[.*\]", "group_k = [64, 32]")], "[torch.testing.assert_close(t, r, atol=1e-1, rtol=1e-1) for t, r in zip(tri_out, ref_out)]"),
    "09": ([(r'device="cuda"', 'device="cpu"'), (r"\nif is_cuda\(\):\n    from triton._C", "\nif False:\n    from triton._C")], "validate(64, 64, 128, torch.float16)"),
}


def run(path, number):
    """Runs one tutorial as a module, and its checks."""
    import torch

    text = path.read_text()
    patches, check = TUTORIALS[number]
    for pattern, replacement in patches:
        text = re.sub(pattern, replacement, text)
    # A file of its own: kernels are read from where they are defined.
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"tutorials-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    copy = folder / path.name
    copy.write_text(text)
    module = types.ModuleType(f"tutorial_{number}")
    module.__file__ = str(copy)
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, str(copy), "exec"), vars(module))
        exec(check, vars(module))
    finally:
        copy.unlink()
        folder.rmdir()
    assert torch.is_tensor(torch.zeros(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("numbers", nargs="*", default=sorted(TUTORIALS))
    options = parser.parse_args()
    os.environ["TK_DEVICE"] = "sim"
    import tk
    import torch

    tk.as_triton()
    tk.testing.Mark.run = lambda self, *args, **kwargs: None
    torch.cuda.get_device_capability = lambda device=None: (9, 0)
    properties = types.SimpleNamespace(multi_processor_count=4, name="simulator", major=9, minor=0)
    torch.cuda.get_device_properties = lambda device=None: properties
    failed = 0
    for number in options.numbers:
        paths = sorted(options.folder.glob(f"{number}-*.py"))
        start = time.time()
        try:
            run(paths[0], number)
            print(f"ok\t{paths[0].stem}\t{time.time() - start:.1f} s", flush=True)
        except BaseException as error:
            failed += 1
            print(f"FAIL\t{number}\t{time.time() - start:.1f} s\t{(str(error).strip() or repr(error))[:300]!r}", flush=True)
            traceback.print_exc(limit=-4)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
