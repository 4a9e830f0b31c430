"""The names of Triton's modules that public projects use, as scripts/python/surface.tsv counts them, are tk's too."""

import importlib
import os
import unittest

import tk

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "python", "surface.tsv")
# What tk does not have, by the beginning of its path, with the reason.
ABSENT = {
    "triton.experimental": "Gluon is another language.",
    "triton.language.extra.mlu": "Functions of other vendors.",
    "triton.language.extra.xpu": "Functions of other vendors.",
    "triton.language.extra.intel": "Functions of other vendors.",
    "triton.language.extra.ascend": "Functions of other vendors.",
    "triton.language.extra.cann": "Functions of other vendors.",
    "triton.language.extract_slice": "A function of another vendor.",
    "triton.language.insert_slice": "A function of another vendor.",
    "triton.backends.mlu": "The driver of another vendor.",
    "triton.musa_testing": "A module of another vendor.",
    "triton.ops": "Gone from Triton since 3.0.",
    "triton.kernels": "A folder of the project that uses it.",
    "triton.common": "Gone from Triton since 3.2.",
    "triton.backends.nvidia": "Paths of Triton's own installation.",
    "triton.language.extra.cuda.experimental": "Gone from Triton since 3.3.",
    "triton.runtime.driver.active.utils.fill_": "Tensor maps as arguments, which descriptors have replaced in Triton 3.4.",
    "triton.language.cidv": "A misspelling in branches that are not taken.",
    "triton.language.masked_select": "Not in Triton.",
    "triton.language.empty": "Not in Triton.",
    "triton.language.float": "Not in Triton.",
}


def find(path):
    """The object of a path under `triton`, or an error that names what is not there."""
    at = tk
    for depth, name in enumerate(path.split(".")[1:], start=2):
        try:
            at = getattr(at, name)
        except AttributeError:
            module = "tk." + ".".join(path.split(".")[1:depth])
            at = importlib.import_module(module)
    return at


class Surface(unittest.TestCase):
    def test_what_projects_use_is_there(self):
        missing, used = [], set()
        with open(TABLE) as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        self.assertGreater(len(rows), 250)
        for count, path in rows:
            try:
                find(path)
            except (AttributeError, ImportError) as error:
                absent = [beginning for beginning in ABSENT if path.startswith(beginning)]
                used.update(absent)
                if not absent:
                    missing.append(f"{path}, used by {count} files: {error}")
        self.assertEqual(missing, [])
        self.assertEqual(set(ABSENT) - used, set(), "these are there by now")


if __name__ == "__main__":
    unittest.main()
