"""Writes how many layout conversions Triton keeps into the first column of conversions.tsv.

usage: PYTHON tests/counts/conversions.py      PYTHON has Triton; no GPU is needed
Rows are added by hand, with anything in the first column. The kernels come from the examples as they are.
"""
import ast
import importlib.util
import multiprocessing
import pathlib
import re
import tempfile

TABLE = pathlib.Path(__file__).with_suffix(".tsv")
ROOT = TABLE.parent.parent.parent
TARGET = ("cuda", 90, 32)


def kernels_of(path):
    """The module of a file's compiled functions and compile-time constants, without the host's part, which needs torch."""
    import triton

    def is_device_code(node):
        if isinstance(node, ast.FunctionDef):
            return any("jit" in ast.unparse(decorator) for decorator in node.decorator_list)
        return isinstance(node, (ast.Assign, ast.AnnAssign)) and "constexpr" in ast.unparse(node)

    body = [node for node in ast.parse(path.read_text()).body if is_device_code(node)]
    for node in body:
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [ast.parse("triton.jit", mode="eval").body]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "kernels.py"
        copy.write_text("import triton\nimport triton.language as tl\n" + "\n".join(map(ast.unparse, body)))
        spec = importlib.util.spec_from_file_location("kernels", copy)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        # The source is read when a function is first looked at.
        for function in vars(module).values():
            getattr(function, "src", None) if isinstance(function, triton.runtime.JITFunction) else None
    return module


def constant(text):
    """A number or a truth value; other words are strings, as for `tk compile`."""
    return ast.literal_eval(text) if re.fullmatch(r"-?[0-9.]+|True|False|None", text) else text


def bind(function, signature, constants):
    """The parameters' types, constants and hints, as Triton's compiler takes them."""
    given = dict(pair.split("=") for pair in constants.split(",") if pair)
    # Commas inside of brackets belong to the type of a descriptor.
    types = iter(re.findall(r"(?:[^,<]|<[^>]*>)+", signature))
    kinds, values, hints = {}, {}, {}
    for index, name in enumerate(function.arg_names):
        if name in given:
            kinds[name], values[(index,)] = "constexpr", constant(given[name])
            continue
        kind, hint = re.fullmatch(r"(.*?)(?:[:=](\d+))?", next(types)).groups()
        if hint == "1":
            kinds[name], values[(index,)] = "constexpr", 1
            continue
        kinds[name] = kind
        if hint:
            hints[(index,)] = [["tt.divisibility", int(hint)]]
    return kinds, values, hints


def conversions(row):
    """How many layout conversions Triton's last IR with layouts has."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget, Language
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    _, file, kernel, warps, stages, signature, constants = row
    function = getattr(kernels_of(ROOT / "examples" / file), kernel)
    kinds, values, hints = bind(function, signature, constants)
    source, target = ASTSource(function, signature=kinds, constexprs=values, attrs=hints), GPUTarget(*TARGET)
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": int(warps), "num_stages": int(stages)})
    context, metadata, steps = ir.context(), {}, {}
    ir.load_dialects(context)
    backend.load_dialects(context)
    backend.add_stages(steps, options, Language.TRITON)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    for name in ("ttir", "ttgir"):
        module = steps[name](module, metadata)
    return module.str_nodebug().count("ttg.convert_layout")


def main():
    head, *rows = [line.split("\t") for line in TABLE.read_text().splitlines()]
    with multiprocessing.Pool(2) as pool:
        counts = pool.map(conversions, rows, chunksize=1)
    lines = [head] + [[str(count), *row[1:]] for count, row in zip(counts, rows)]
    TABLE.write_text("".join("\t".join(line) + "\n" for line in lines))


if __name__ == "__main__":
    main()
