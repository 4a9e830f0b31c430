"""With `tk.knobs.language.portable` a kernel is only what Triton takes, too; without it tk takes more. And what Triton does with globals."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import tk
import tk.language as tl

NUMBER = 3
WRAPPED = tl.constexpr(4)
SHADOWED = tl.constexpr(42)
CHANGING = tl.constexpr(1)


@tk.jit
def range_kernel(out):
    at = tl.arange(0, 48)
    tl.store(out + at, at)


@tk.jit
def shape_kernel(out):
    tl.store(out + tl.arange(0, 64), tl.max(tl.full((64, 3), 7, tl.int32), axis=1))


@tk.jit
def fewer_dimensions_kernel(out):
    at = tl.arange(0, 8)
    tl.store(out + at[:, None] * 8 + at[None, :], at)


@tk.jit
def global_kernel(out):
    tl.store(out, NUMBER)


@tk.jit
def not_kernel(out):
    tl.store(out, 1 if not (0, 0) else 2)


@tk.jit
def chain_kernel(out, n):
    tl.store(out, 1, mask=0 <= n < 8)


@tk.jit
def break_kernel(out, n):
    for i in range(n):
        if i == 3:
            break
        tl.store(out, i)


@tk.jit
def return_kernel(out, n):
    i = 0
    while i < n:
        if i == 3:
            return
        tl.store(out, i)
        i += 1


@tk.jit
def slice_kernel(out):
    tl.store(out + tl.arange(0, 4), tl.arange(0, 16)[4:8])


@tk.jit(noinline=True)
def twice(x):
    return x * 2


@tk.jit
def noinline_kernel(out):
    at = tl.arange(0, 16)
    tl.store(out + at, twice(at))


@tk.jit
def float8_kernel(out):
    at = tl.arange(0, 16)
    tl.store(out + at, tl.full((16,), 3, tl.int8).to(tl.float8e5b16, bitcast=True).to(tl.int8, bitcast=True))


@tk.jit
def usual_kernel(out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    for i in tl.static_range(WRAPPED):
        tl.store(out + at[None, :], at[None, :] + i, mask=(at < n)[None, :])


@tk.jit
def shadow_kernel(out):
    tl.store(out, SHADOWED)
    _, SHADOWED = 0, 0  # noqa: F841


@tk.jit
def usual_local_kernel(out):
    CHANGING = 5
    tl.store(out, CHANGING)


@tk.jit
def inner_function():
    return CHANGING


@tk.jit
def first_kernel(out):
    tl.store(out, inner_function())


@tk.jit
def second_kernel(out):
    tl.store(out, inner_function())


# What only tk takes: a kernel, its arguments behind the first, and what Triton says.
BEYOND = [
    (range_kernel, (), "arange's range must be a power of 2"),
    (shape_kernel, (), "Shape element 1 must be a power of 2"),
    (global_kernel, (), "Cannot access global variable NUMBER from within @jit'ed function"),
    (fewer_dimensions_kernel, (), "Cannot broadcast, rank mismatch"),
    (not_kernel, (), "AST unary operator '__not__' is not (currently) implemented on type tuple"),
    (chain_kernel, (5,), "simultaneous multiple comparison is not supported"),
    (break_kernel, (5,), "unsupported AST node type: Break"),
    (return_kernel, (5,), "Cannot have `return` statements inside `while` or `for` statements in triton"),
    (slice_kernel, (), "unsupported tensor index"),
    (noinline_kernel, (), "Function twice is marked noinline, but was called with non-scalar argument x"),
    (float8_kernel, (), "type fp8e5b16 not supported in this architecture"),
]


@tk.jit
def types_kernel(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    pointers = x + at
    value = tl.load(pointers)
    tl.static_print("", value)
    tl.static_print(pointers[:, None] + at[None, :], n, x, sep=" | ")
    tl.static_print(value.dtype, n.dtype, value.type, (value > 0).dtype, x.dtype)


@tk.jit
def print_kernel(x):
    tl.device_print("x", tl.load(x))


class Portable(unittest.TestCase):
    def portable(self):
        self.addCleanup(setattr, tk.knobs.language, "portable", tk.knobs.language.portable)
        tk.knobs.language.portable = True

    def test_what_only_tk_takes_is_refused_where_it_is_asked_for(self):
        out = np.zeros(64, np.int32)
        for kernel, args, message in BEYOND:
            kernel[(1,)](out, *args)
        self.portable()
        for kernel, args, message in BEYOND:
            with self.subTest(message), self.assertRaises(tk.errors.CompilationError) as caught:
                kernel[(1,)](out, *args)
            self.assertIn(message, str(caught.exception))
        usual_kernel[(1,)](out, 16, BLOCK=16)
        self.assertEqual(out[:16].tolist(), list(range(3, 19)))

    def test_the_reason_is_the_cause_of_an_error_of_values_alone(self):
        self.portable()
        out = np.zeros(64, np.int32)
        with self.assertRaises(tk.errors.CompilationError) as caught:
            range_kernel[(1,)](out)
        self.assertEqual(str(caught.exception.__cause__), "arange's range must be a power of 2")
        with self.assertRaises(tk.errors.UnsupportedLanguageConstruct) as caught:
            not_kernel[(1,)](out)
        self.assertIsNone(caught.exception.__cause__)

    def test_globals_that_are_no_constexpr_can_be_allowed(self):
        self.portable()
        self.addCleanup(setattr, tk.knobs.compilation, "allow_non_constexpr_globals", False)
        tk.knobs.compilation.allow_non_constexpr_globals = True
        out = np.zeros(1, np.int32)
        tk.jit(global_kernel.fn)[(1,)](out)
        self.assertEqual(out[0], NUMBER)

    def test_types_are_printed_in_tritons_words(self):
        """What `tl.static_print` of Triton 3.6 prints of the same kernel."""
        def printed():
            types_kernel.forget()
            with contextlib.redirect_stdout(io.StringIO()) as out:
                types_kernel[(1,)](np.zeros(16, np.uint8), 16, BLOCK=16)
            return out.getvalue().splitlines()

        self.assertEqual(printed()[0], " u8[16]")
        self.portable()
        self.assertEqual(
            printed(),
            [
                " uint8[constexpr[16]]",
                "pointer<uint8>[constexpr[16], constexpr[16]] | int32[] | pointer<uint8>[]",
                "uint8 int32 <['16'], uint8> int1 pointer<uint8>",
            ],
        )

    def test_every_thread_prints_a_scalar(self):
        def lines(num_warps):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                print_kernel[(1,)](np.array([42], np.int32), num_warps=num_warps)
            return printed.getvalue().splitlines()

        line = "pid (0, 0, 0) idx () x: 42"
        self.assertEqual(lines(2), [line])
        self.portable()
        for num_warps in (1, 2, 4):
            self.assertEqual(lines(num_warps), [line] * 32 * num_warps)

    def test_the_environment_asks_for_it(self):
        program = "import tk; print(tk.knobs.language.portable)"
        for value, said in (("1", "True"), ("0", "False")):
            environment = {**os.environ, "TK_PORTABLE": value}
            ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(ran.stdout.strip(), said)


class Globals(unittest.TestCase):
    def test_a_name_is_the_global_until_the_function_assigns_it(self):
        global SHADOWED
        out = np.zeros(1, np.int32)
        shadow_kernel[(1,)](out)
        self.assertEqual(out[0], 42)
        SHADOWED = tl.constexpr(43)
        self.addCleanup(globals().__setitem__, "SHADOWED", tl.constexpr(42))
        with self.assertRaisesRegex(RuntimeError, "SHADOWED has changed"):
            shadow_kernel[(1,)](out)

    def test_a_local_variable_has_nothing_of_the_global(self):
        global CHANGING
        self.addCleanup(globals().__setitem__, "CHANGING", CHANGING)
        out = np.zeros(1, np.int32)
        usual_local_kernel[(1,)](out)
        CHANGING = tl.constexpr(9)
        usual_local_kernel[(1,)](out)
        self.assertEqual(out[0], 5)

    def test_functions_keep_their_globals_where_kernels_are_portable(self):
        global CHANGING
        self.addCleanup(globals().__setitem__, "CHANGING", CHANGING)
        for is_portable in (False, True):
            self.addCleanup(setattr, tk.knobs.language, "portable", False)
            tk.knobs.language.portable = is_portable
            CHANGING = tl.constexpr(1)
            out = np.zeros(1, np.int32)
            tk.jit(first_kernel.fn)[(1,)](out)
            self.assertEqual(out[0], 1)
            CHANGING = tl.constexpr(2)
            if is_portable:
                with self.assertRaisesRegex(RuntimeError, "Global variable CHANGING has value 2 when compiling"):
                    tk.jit(second_kernel.fn)[(1,)](out)
            else:
                tk.jit(second_kernel.fn)[(1,)](out)
                self.assertEqual(out[0], 2)


@tk.jit
def lines_kernel(out):
    tl.store(out, 1)


@tk.jit
def kept_loops_kernel(out, n, KEPT: tl.constexpr):
    i = 0
    while tl.condition(i < n, disable_licm=KEPT):
        tl.store(out, i)
        i += 1
    for j in tl.range(0, n, disable_licm=KEPT):
        tl.store(out + j, j)


class Text(unittest.TestCase):
    def test_code_can_be_without_lines(self):
        with_lines = tk.jit(lines_kernel.fn).warmup(np.zeros(1, np.int32), grid=(1,)).asm["ptx"]
        os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
        self.addCleanup(os.environ.pop, "TRITON_DISABLE_LINE_INFO", None)
        kernel = tk.jit(lines_kernel.fn).warmup(np.zeros(1, np.int32), grid=(1,))
        self.assertIn(".loc", with_lines)
        self.assertNotRegex(kernel.asm["ptx"] + kernel.asm["llir"], r"\.loc|DILocation")

    def test_llvm_is_told_of_loops_out_of_which_nothing_moves(self):
        out = np.zeros(8, np.int32)
        texts = [kept_loops_kernel.warmup(out, 5, kept, grid=(1,)).asm["llir"] for kept in (True, False)]
        marks = re.findall(r"br .*!llvm\.loop !(\d+)", texts[0])
        self.assertEqual(len(set(marks)), 2, texts[0])
        for mark in marks:
            # LLVM heeds a mark whose first operand is the mark.
            self.assertRegex(texts[0], rf"!{mark} = distinct !{{!{mark}, !\d+}}")
        self.assertIn('"llvm.licm.disable"', texts[0])
        self.assertNotIn("licm", texts[1])

    def test_only_loops_say_num_stages(self):
        text = kept_loops_kernel.warmup(np.zeros(8, np.int32), 5, False, grid=(1,)).asm["ttir"]
        self.assertNotIn("num_stages", text)

    def test_places_of_a_file_of_ir_are_in_it_where_they_are_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fill.ttir")
            with open(path, "w") as file:
                file.write(
                    '#loc = loc("/elsewhere/a (b).py":7:0)\n'
                    'tt.func @fill(%out: !tt.ptr<f32> loc("out"(#loc)), %value: f32 loc(unknown)) {\n'
                    '  tt.store %out, %value : !tt.ptr<f32> loc(#loc1)\n'
                    "  tt.return loc(#loc)\n"
                    "} loc(#loc)\n"
                    '#loc1 = loc("/elsewhere/a (b).py":8:16)\n'
                )
            texts = []
            for asked in ("", "ttgir", "ttir"):
                os.environ["USE_IR_LOC"] = asked
                self.addCleanup(os.environ.pop, "USE_IR_LOC", None)
                texts.append(tk.compile(path, options={"num_warps": 1}).asm["ptx"])
        for text, is_own in zip(texts, (False, False, True)):
            self.assertEqual("/elsewhere/" in text, not is_own, text)
            self.assertEqual("fill.ttir" in text, is_own, text)


@tk.jit
def nest_kernel(out, rows, columns, step, FLAT: tl.constexpr):
    count = 1
    for i in tl.range(0, rows, flatten=FLAT):
        base = out + i * 16
        for j in tl.range(0, columns, step):
            tl.store(base + j, count + i)
            count += 1


@tk.jit
def square_kernel(out, n):
    count = 1
    for i in tl.range(0, n, flatten=True):
        for j in tl.range(0, n):
            tl.store(out + i * 16 + j, count)
            count += 1


@tk.jit
def product_kernel(x, y, out, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr):
    m, k, n = tl.arange(0, M), tl.arange(0, K), tl.arange(0, N)
    a, b = tl.load(x + m[:, None] * K + k[None, :]), tl.load(y + k[:, None] * N + n[None, :])
    tl.store(out + m[:, None] * N + n[None, :], tl.sum(a[:, :, None] * b[None, :, :], axis=1))


class Passes(unittest.TestCase):
    def test_loops_of_scalars_become_one(self):
        for rows, columns, step in ((0, 5, 1), (5, 0, 1), (7, 5, 2), (16, 16, 1), (1, 16, 3)):
            wanted, count = np.zeros((16, 16), np.int32), 1
            for i in range(rows):
                for j in range(0, columns, step):
                    wanted[i, j] = count + i
                    count += 1
            for is_flat in (False, True):
                out = np.zeros((16, 16), np.int32)
                nest_kernel[(1,)](out, rows, columns, step, FLAT=is_flat)
                np.testing.assert_array_equal(out, wanted)
        for n in (0, 1, 2, 15):
            out = np.zeros((16, 16), np.int32)
            kernel = square_kernel[(1,)](out, n)
            self.assertEqual(kernel.asm["ttgir"].count("scf.for"), 1 if n != 1 else 0)
            np.testing.assert_array_equal(out[:n, :n], np.arange(1, n * n + 1).reshape(n, n))

    def test_a_sum_of_products_is_a_product(self):
        draw = np.random.default_rng(3)
        for shape in ((16, 16, 16), (32, 64, 16), (64, 16, 32), (8, 16, 16), (16, 4, 16)):
            m, k, n = shape
            x, y = draw.normal(size=(m, k)).astype(np.float32), draw.normal(size=(k, n)).astype(np.float32)
            out = np.zeros((m, n), np.float32)
            kernel = product_kernel[(1,)](x, y, out, M=m, K=k, N=n)
            self.assertEqual("tt.dot" in kernel.asm["ttir"], min(shape) >= 16)
            np.testing.assert_allclose(out, x.astype(np.float64) @ y, rtol=1e-5, atol=1e-5)
        exact = product_kernel.warmup(x, y, out, M=16, K=16, N=16, grid=(1,), enable_fp_fusion=False)
        self.assertNotIn("tt.dot", exact.asm["ttir"])


def groups_of_warps(kernel, groups):
    """A kernel whose default group and others of so many warps each add up a part of the input."""

    def layout(warps):
        return f"#blocked{warps} = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{warps}], order = [0]}}>"

    def work(at, warps, source, out):
        ty = f"tensor<256x{{}}, #blocked{warps}>"
        return f"""
          %range = tt.make_range {{end = {(at + 1) * 256} : i32, start = {at * 256} : i32}} : {ty.format("i32")}
          %two = arith.constant dense<2> : {ty.format("i32")}
          %start = tt.splat {source} : !tt.ptr<i32> -> {ty.format("!tt.ptr<i32>")}
          %places = tt.addptr %start, %range : {ty.format("!tt.ptr<i32>")}, {ty.format("i32")}
          %input = tt.load %places : {ty.format("!tt.ptr<i32>")}
          %doubled = arith.muli %input, %two : {ty.format("i32")}
          %result = "tt.reduce"(%doubled) ({{
          ^bb0(%one: i32, %other: i32):
            %sum = arith.addi %one, %other : i32
            tt.reduce.return %sum : i32
          }}) {{axis = 0 : i32}} : ({ty.format("i32")}) -> i32
          %number = arith.constant {at} : i32
          %place = tt.addptr {out}, %number : !tt.ptr<i32>, i32
          tt.store %place, %result : !tt.ptr<i32>
        """

    parts = "".join(
        f"partition{at}(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) num_warps({warps}) {{ {work(at + 1, warps, '%in', '%out')} ttg.warp_return }}\n"
        for at, warps in enumerate(groups)
    )
    return "\n".join(map(layout, sorted({kernel, *groups}))) + f"""
    module attributes {{"ttg.num-warps" = {kernel} : i32}} {{
      tt.func @kernel(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) {{
        ttg.warp_specialize(%arg0, %arg1)
        default {{ {work(0, kernel, "%arg0", "%arg1")} ttg.warp_yield }}
        {parts} : (!tt.ptr<i32>, !tt.ptr<i32>) -> ()
        tt.return
      }}
    }}"""


class Groups(unittest.TestCase):
    def test_groups_of_fewer_warps_work_with_all(self):
        draw = np.random.default_rng(5)
        for kernel, groups in ((4, (4, 2, 1)), (8, (1,)), (4, (2, 2)), (1, (1,))):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "kernel.ttgir")
                with open(path, "w") as file:
                    file.write(groups_of_warps(kernel, groups))
                compiled = tk.compile(path)
            source = draw.integers(-1000, 1000, 256 * (len(groups) + 1)).astype(np.int32)
            out = np.zeros(len(groups) + 1, np.int32)
            compiled[(1,)](source, out)
            np.testing.assert_array_equal(out, 2 * source.reshape(-1, 256).sum(axis=1))

    def test_groups_of_more_warps_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.ttgir")
            with open(path, "w") as file:
                file.write(groups_of_warps(2, (4,)))
            with self.assertRaisesRegex(tk.errors.CompilationError, "other numbers of warps"):
                tk.compile(path)


MODULE = """
#include <Python.h>
static PyObject *twice(PyObject *self, PyObject *number) { return PyLong_FromLong(2 * PyLong_AsLong(number)); }
static PyMethodDef methods[] = {{"twice", twice, METH_O, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "of_c", NULL, -1, methods};
PyMODINIT_FUNC PyInit_of_c(void) { return PyModule_Create(&definition); }
"""


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        before = tk.knobs.cache.dir
        self.addCleanup(setattr, tk.knobs.cache, "dir", before)
        tk.knobs.cache.dir = self.folder.name

    def test_files_are_kept_by_key(self):
        manager = tk.runtime.cache.get_cache_manager("key")
        self.assertIsNone(manager.get_file("one"))
        path = manager.put(b"text", "one")
        self.assertTrue(path.startswith(self.folder.name))
        self.assertEqual(manager.get_file("one"), path)
        self.assertIsNone(tk.runtime.cache.get_cache_manager("other").get_file("one"))
        manager.put_group("all", {"one": path})
        self.assertEqual(manager.get_group("all"), {"one": path})

    def test_modules_of_c_are_built_once(self):
        from tk.runtime import build

        try:
            module = build.compile_module_from_src(MODULE, "of_c")
        except (subprocess.CalledProcessError, RuntimeError):
            self.skipTest("there is no C compiler, or it finds no Python.h")
        self.assertEqual(module.twice(21), 42)
        self.assertEqual(build.compile_module_from_src(MODULE, "of_c").__file__, module.__file__)
        with open(module.__file__ + ".damaged", "w") as file:
            file.write("no library")

        class Damaged(tk.runtime.cache.FileCacheManager):
            def get_file(self, filename):
                return module.__file__ + ".damaged"

        self.addCleanup(setattr, tk.knobs.cache, "manager_class", None)
        tk.knobs.cache.manager_class = Damaged
        self.assertEqual(build.compile_module_from_src(MODULE, "of_c").twice(4), 8)


if __name__ == "__main__":
    unittest.main()
