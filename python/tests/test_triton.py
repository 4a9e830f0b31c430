"""What Triton's own tests, and programs that look into Triton, ask of the package."""

import collections
import importlib.util
import multiprocessing
import os
import re
import tempfile
import unittest
from concurrent.futures import Executor, Future

import numpy as np

import tk
import tk.language as tl
from tk.backends.compiler import GPUTarget


@tk.jit
def add_one(x):
    return x + 1


@tk.jit
def store_kernel(out, i):
    tl.store(out, add_one(i))


@tk.jit
def constant_kernel(out, VALUE: tl.constexpr):
    tl.store(out, VALUE)


@tk.jit
def typed_kernel(out, x, DTYPE: tl.constexpr):
    tl.static_assert(x.dtype == DTYPE)
    tl.store(out, x.to(tl.float32))


@tk.jit
def getattr_kernel(out, x, NAME: tl.constexpr, NAN: tl.constexpr):
    tl.store(out, getattr(tl, NAME)(tl.load(x), 2.0, propagate_nan=getattr(tl.PropagateNan, NAN)))
    tl.store(out + 1, getattr(tl.extra.libdevice, "fast_expf")(0.0))
    tl.static_assert(getattr(tl, "nothing", 7) == 7)


@tk.jit
def constant_types_kernel(out, x, pair):
    tl.static_assert(x.type == tl.constexpr_type(1))
    tl.static_assert(isinstance(pair[1].type, tl.constexpr_type))
    tl.static_assert(not isinstance(pair[0].type, tl.constexpr_type))
    tl.static_assert((1, 2).type == tl.constexpr_type((1, 2)))
    tl.store(out, pair[0])


@tk.jit
def short_kernel(x):
    if (x is not None) and hasattr(x, "dtype") and isinstance(x.dtype, tl.pointer_type) and (x.dtype.element_ty == tl.int32) and (tl.load(x) > 42):
        tl.store(x, 42)


Call = collections.namedtuple("Call", "fn captured")


@tk.constexpr_function
def twice_at_compile_time(x):
    return max(x, 1) * 2


@tk.constexpr_function
def product_at_compile_time(x):
    return np.lib.format.descr_to_dtype(x)


@tk.jit
def scaled(x, factor):
    return x * factor


@tk.jit
def named_kernel(call, out):
    tl.store(out.at, call.fn(out.start, *call.captured))


Place = collections.namedtuple("Place", ["at", "start"])


@tk.must_use_result("It makes another tensor.")
@tk.jit
def cube(x):
    return x * x * x


@tk.jit
def wasteful_kernel():
    used = cube(2.0)
    cube(used)


def cached(kernel):
    return kernel.device_caches[0][0]


class Language(unittest.TestCase):
    def test_constexpr_functions_call_what_kernels_can(self):
        self.assertIsInstance(twice_at_compile_time.cache_key, str)
        with self.assertRaisesRegex(RuntimeError, "Unsupported function referenced.*descr_to_dtype"):
            product_at_compile_time.cache_key

    def test_ir_in_a_file_takes_the_place_of_a_kernel(self):
        out = np.zeros(1, np.int32)
        kernel = constant_kernel[(1,)](out, VALUE=1234)
        with tempfile.TemporaryDirectory() as folder:
            for form in ("ttir", "ttgir", "llir", "ptx"):
                path = os.path.join(folder, f"kernel.{form}")
                with open(path, "w") as file:
                    file.write(kernel.asm[form].replace("1234", "4321"))
                for _ in range(2):
                    out[0] = 0
                    replaced = constant_kernel[(1,)](out, VALUE=1234, ir_override=path)
                    self.assertEqual((form, out[0]), (form, 4321))
                self.assertNotEqual(replaced.hash, kernel.hash)
                self.assertIn("4321", replaced.asm["ptx"])
            # Triton's kernels end with pointers that nothing reads.
            for spare, is_taken in (("u64", True), ("u32", False)):
                with open(path, "w") as file:
                    written, count = re.subn(r"\n\)", f",\n\t.param .{spare} spare\n)", kernel.asm["ptx"].replace("1234", "4321"), count=1)
                    file.write(written[written.index(".version") :])
                self.assertEqual(count, 1)
                if is_taken:
                    constant_kernel[(1,)](out, VALUE=1234, ir_override=path)
                    self.assertEqual(out[0], 4321)
                else:
                    with self.assertRaisesRegex(tk.CompilationError, "the launch passes"):
                        constant_kernel[(1,)](out, VALUE=1234, ir_override=path)
            with open(path, "w") as file:
                file.write(kernel.asm["ptx"].replace("1234", "4321"))
            tuned = tk.autotune([tk.Config({"VALUE": 1234}, ir_override=path)], key=[])(constant_kernel)
            tuned[(1,)](out)
            self.assertEqual(out[0], 4321)
            with open(path, "w") as file:
                file.write("this is no IR")
            with self.assertRaises(tk.errors.PTXASError):
                constant_kernel[(1,)](out, VALUE=1234, ir_override=path)
            with self.assertRaisesRegex(ValueError, "nowhere.ttir cannot be read"):
                constant_kernel[(1,)](out, VALUE=1234, ir_override=os.path.join(folder, "nowhere.ttir"))
        constant_kernel[(1,)](out, VALUE=1234, ir_override=None)
        self.assertEqual(out[0], 1234)

    def test_annotations_that_are_objects_give_types(self):
        for dtype, value in ((tl.float16, 0.5), (tl.float64, 0.1), (tl.bfloat16, 2.0), (tl.uint8, 3), (tl.int64, 1)):
            function = tk.JITFunction(typed_kernel.fn)
            function.fn.__annotations__["x"] = dtype
            kernel = tk.JITFunction(function.fn)
            out = np.zeros(1, np.float32)
            kernel[(1,)](out, value, dtype)
            np.testing.assert_allclose(out, np.float32(value), rtol=1e-6)
        typed_kernel.fn.__annotations__.pop("x")

    def test_attributes_by_constant_names(self):
        out, x = np.zeros(2, np.float32), np.array([np.nan], np.float32)
        getattr_kernel[(1,)](out, x, "maximum", "ALL")
        self.assertTrue(np.isnan(out[0]) and out[1] == 1)
        getattr_kernel[(1,)](out, x, "minimum", "NONE")
        self.assertEqual(out[0], 2)

    def test_types_of_constants(self):
        out = np.zeros(1, np.int32)
        constant_types_kernel[(1,)](out, 1, (5, 1))
        self.assertEqual(out[0], 5)

    def test_what_a_constant_decides_is_not_typed(self):
        for x in (None, 1, 2, np.full(1, 50.0, np.float32)):
            short_kernel[(1,)](x)
        for before, after in ((41, 41), (43, 42)):
            x = np.full(1, before, np.int32)
            short_kernel[(1,)](x)
            self.assertEqual(x[0], after)

    def test_named_tuples_keep_their_fields(self):
        out = np.zeros(1, np.float32)
        named_kernel[(1,)](Call(scaled, (4.0,)), Place(out, 2.5))
        self.assertEqual(out[0], 10)


class Messages(unittest.TestCase):
    def reason(self, text, *args):
        source = f"import tk.language as tl\ndef kernel(x, y):\n    {text}\n"
        names = {}
        exec(source, names)
        names["kernel"].__tk_text__ = source.split("\n", 1)[1]
        kernel = tk.JITFunction(names["kernel"])
        with self.assertRaises(tk.TritonError) as raised:
            kernel.warmup(*args, grid=(1,))
        self.assertIn(str(raised.exception.__cause__), str(raised.exception))
        return str(raised.exception.__cause__)

    def test_they_have_the_words_that_people_search_for(self):
        x, y = np.zeros(64, np.int32), np.zeros(64, np.uint32)
        load = "tl.load(x + tl.arange(0, 16)) {} tl.load(y + tl.arange(0, 16))"
        self.assertRegex(self.reason(load.format("/"), x, y), "Cannot use .* because they have different signedness")
        self.assertRegex(self.reason(load.format("^"), x, y.astype(np.float32)), "invalid operands of type")
        self.assertRegex(self.reason("x[10:]", x, y), "unsupported tensor index")
        self.assertRegex(self.reason("tl.full((), 32, tl.int32) + 0xFFFFFFFFFFFFFF", x, y), "out of range")
        self.assertIn("invalid axis -3", self.reason("tl.expand_dims(tl.arange(0, 4), -3)", x, y))
        self.assertIn("invalid axis 1", self.reason("tl.expand_dims(tl.sum(tl.arange(0, 1)), 1)", x, y))
        self.assertRegex(self.reason("tl.expand_dims(tl.arange(0, 4), (0, -3))", x, y), r"duplicate axes, normalized axes = \[0, 0\]")
        self.assertIn("program_id axis must be 0, 1, or 2 but got 20", self.reason("tl.program_id(20)", x, y))
        descriptor = "tl.make_tensor_descriptor(x, [8, 8], [8, 1], [1, 2]).load([0, 0])"
        self.assertIn("Descriptor block shape must have at least 16 bytes", self.reason(descriptor, x, y))

    def test_results_that_have_to_be_used(self):
        with self.assertRaisesRegex(tk.CompilationError, "The result of cube is not being used. It makes another tensor."):
            wasteful_kernel.warmup(grid=(1,))

    def test_options(self):
        with self.assertRaisesRegex(AssertionError, "must be a power of 2"):
            store_kernel.warmup(np.zeros(1, np.int32), 2, grid=(1,), num_warps=3)
        with self.assertRaisesRegex(tk.OutOfResources, "threads, Required: 4096, Hardware limit: 1024"):
            store_kernel.warmup(np.zeros(1, np.int32), 2, grid=(1,), num_warps=128)
        with self.assertRaisesRegex(ValueError, r"num_ctas > 1 requires NVIDIA SM90\+ \(Hopper\)"):
            store_kernel.warmup(np.zeros(1, np.int32), 2, grid=(1,), num_ctas=2, arch="sm80")
        for value in (2**64, -(2**63) - 1):
            with self.assertRaises(OverflowError):
                store_kernel.warmup(np.zeros(1, np.int32), value, grid=(1,))
        constant_kernel[(1,)](np.zeros(1, np.int64), VALUE=2**62)


class Runtime(unittest.TestCase):
    def test_kernels_have_the_names_that_their_functions_make(self):
        def name(specialization):
            ones = "_".join(name for name, value in specialization.constants.items() if value == 1)
            return f"kernel_{specialization.signature['i']}_{ones}"

        kernel = tk.JITFunction(store_kernel.fn, repr=name).warmup(np.zeros(1, np.int32), 2**63, grid=(1,))
        self.assertEqual(kernel.name, "kernel_u64_")

    def test_the_biggest_integers_are_passed(self):
        out = np.zeros(1, np.uint64)
        store_kernel[(1,)](out, 2**64 - 2)
        self.assertEqual(out[0], 2**64 - 1)

    def test_compilations_are_counted_and_kept(self):
        kernel, told = tk.JITFunction(store_kernel.fn), []
        tk.knobs.runtime.jit_cache_hook = lambda **kwargs: told.append(kwargs)
        out = np.zeros(1, np.int32)
        try:
            for i in (1, 2, 4, 8, 16, 32):
                kernel[(1,)](out, i)
            self.assertEqual([one["is_manual_warmup"] for one in told], [False] * 3)
            self.assertTrue(all(one["key"] in cached(kernel) for one in told))
            self.assertEqual(told[0]["fn"].name, "store_kernel")
            again = kernel.preload(told[1]["compile"]["specialization_data"])
            self.assertEqual(again.hash, told[1]["key"])
            cached(kernel).clear()
            self.assertEqual(len(cached(kernel)), 0)
            tk.knobs.runtime.jit_cache_hook = lambda **kwargs: True
            self.assertIsNone(kernel[(1,)](out, 1))
        finally:
            tk.knobs.runtime.jit_cache_hook = None

    def test_hooks_of_loads(self):
        calls = []
        runtime = tk.knobs.runtime
        with runtime.scope():
            runtime.kernel_load_start_hook.add(lambda module, function, name, group, key: calls.append(("start", name, key)))
            runtime.kernel_load_end_hook.add(lambda module, function, name, group, key: calls.append(("end", name, key)))
            kernel = tk.JITFunction(store_kernel.fn)[(1,)](np.zeros(1, np.int32), 5)
        self.assertEqual(calls, [("start", "store_kernel", kernel.hash), ("end", "store_kernel", kernel.hash)])
        runtime.kernel_load_start_hook = runtime.kernel_load_end_hook = None

    def test_keys_change_with_what_is_called(self):
        before = store_kernel.cache_key
        text = add_one.src
        add_one._unsafe_update_src(text.replace("x + 1", "x + 2"))
        try:
            self.assertNotEqual(store_kernel.cache_key, before)
            out = np.zeros(1, np.int32)
            store_kernel[(1,)](out, 5)
            self.assertEqual(out[0], 7)
        finally:
            add_one._unsafe_update_src(text)
        self.assertEqual(store_kernel.cache_key, before)

    def test_a_closure_whose_constant_changes_is_an_error(self):
        value = tl.constexpr(42)

        @tk.jit
        def kernel(out):
            tl.store(out, value)

        out = np.zeros(1, np.int32)
        kernel[(1,)](out)
        self.assertEqual([name for name, _ in kernel.used_global_vals], ["value"])
        value.value = 43
        with self.assertRaisesRegex(RuntimeError, r"value has changed since we compiled this kernel, from constexpr\[42\] to constexpr\[43\]"):
            kernel[(1,)](out)

    def test_kernels_compile_for_other_gpus(self):
        kernel = store_kernel.warmup(np.zeros(1, np.int32), 5, grid=(1,), arch="sm80")
        self.assertIn(".target sm_80", kernel.asm["ptx"])
        self.assertIn('"cuda:80"', kernel.asm["ttgir"])
        with tk.knobs.runtime.scope():
            tk.knobs.runtime.override_arch = "sm100"
            self.assertIn(".target sm_100", store_kernel.warmup(np.zeros(1, np.int32), 5, grid=(1,)).asm["ptx"])
        source = tk.compiler.ASTSource(store_kernel, {"out": "*i32", "i": "i32"})
        self.assertIn(".target sm_100", tk.compile(source, target=GPUTarget("cuda", 100, 32)).asm["ptx"])
        with self.assertRaisesRegex(ValueError, "no target that tk knows"):
            tk.compile(source, target=GPUTarget("cuda", 13, 32))
        with self.assertRaisesRegex(ValueError, "for cuda, not for hip"):
            tk.compile(source, target=GPUTarget("hip", "gfx942", 64))

    def test_contractions_can_be_off_by_default(self):
        @tk.jit
        def kernel(x):
            tl.store(x, tl.load(x) * 1.5 + 1.0)

        with tk.knobs.language.scope():
            for wanted in (False, True):
                tk.knobs.language.default_fp_fusion = wanted
                self.assertEqual("fma.rn" in kernel.warmup(np.zeros(1, np.float32), grid=(1,)).asm["ptx"], wanted)

    def test_compilations_of_an_executor(self):
        class Queue(Executor):
            def __init__(self):
                self.work = []

            def submit(self, function, *args, **kwargs):
                future = Future()
                self.work.append(lambda: future.set_result(function(*args, **kwargs)))
                return future

            def shutdown(self, wait=True, *, cancel_futures=False):
                while self.work:
                    self.work.pop(0)()

        kernel, out = tk.JITFunction(constant_kernel.fn), np.zeros(1, np.int32)
        queue = Queue()
        with tk.AsyncCompileMode(queue):
            for value in (0, 1, 0, 1):
                self.assertIsNone(kernel.warmup(out, value, grid=(1,)))
            self.assertEqual((len(cached(kernel)), len(queue.work)), (0, 2))
            queue.work.pop(0)()
            kernel[(1,)](out, 5)
            queue.shutdown()
        self.assertEqual((out[0], len(cached(kernel))), (5, 3))

    @unittest.skipUnless("fork" in multiprocessing.get_all_start_methods(), "no fork here")
    def test_a_forked_process_compiles(self):
        compile_for_types()
        process = multiprocessing.get_context("fork").Process(target=compile_for_types)
        process.start()
        process.join(60)
        self.assertEqual(process.exitcode, 0)


@unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
class Microscaling(unittest.TestCase):
    def test_numbers_are_rounded_and_packed(self):
        import torch
        from tk.tools.mxfp import MXFP4Tensor, MXScaleTensor

        values = torch.tensor([0.0, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, 100.0, -0.3, float("-inf")])
        rounded = [0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, 6.0, -0.5, -6.0]
        numbers = MXFP4Tensor(data=values)
        self.assertEqual(numbers.to(torch.float32).tolist(), rounded)
        packed = numbers.to_packed_tensor(0)
        self.assertEqual(packed.shape, (7,))
        self.assertTrue(torch.equal(numbers.unpack_packed_tensor(packed, 0, values.shape), numbers.data))
        scales = MXScaleTensor(data=torch.tensor([1.0, 3.0, 0.25, -1.0, float("inf")]))
        self.assertEqual(scales.data.tolist(), [127, 128, 125, 255, 255])
        self.assertEqual(scales.to(torch.float32)[:3].tolist(), [1.0, 2.0, 0.25])
        random = MXScaleTensor(size=(100,)).random(0.5, 8.0).to(torch.float32)
        self.assertTrue(bool(((random >= 0.5) & (random <= 8)).all()))


def compile_for_types():
    source = tk.compiler.ASTSource(tk.JITFunction(store_kernel.fn), {"out": "*i32", "i": "i32"})
    tk.compile(source, target=GPUTarget("cuda", 90, 32))


if __name__ == "__main__":
    unittest.main()
