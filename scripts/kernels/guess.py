"""Plausible launches of a kernel, from its text alone: which parameters are pointers, to what, and values for the rest.

The first guess uses the kernel's autotuner configuration and the literals of its launches.  `Guess.change` makes another
guess where a compiler refused one, by changing a parameter that the refused line speaks of.
"""
import ast
import random

FLOATS = ("fp16", "fp32", "bf16")
ADDRESSED = {"load": 0, "store": 0, "atomic_add": 0, "atomic_max": 0, "atomic_min": 0, "atomic_cas": 0, "atomic_xchg": 0,
             "atomic_and": 0, "atomic_or": 0, "atomic_xor": 0, "make_block_ptr": 0, "make_tensor_descriptor": 0}
WORDS_REAL = ("eps", "scale", "alpha", "beta", "softcap", "gamma", "slope", "momentum", "weight", "lr", "prob", "threshold",
              "temperature", "smoothing", "cap", "rate", "clamp", "limit", "decay")
WORDS_INDEX = ("idx", "ind", "index", "ids", "label", "target", "slot", "lock", "count", "num", "perm", "map", "token_id")
WORDS_I32 = ("cu_", "seqlen", "offset", "len", "chunk_ind", "start", "loc", "table", "indptr", "sizes")
WORDS_FLAG = ("USE", "HAS", "IS_", "DO_", "EVEN", "STORE", "LOAD", "WITH", "ENABLE", "ADD_", "RETURN", "CAUSAL", "COMPUTE",
              "REVERSE", "OUTPUT_", "INPUT_", "NEED", "SAVE", "APPLY", "RECOMPUTE", "NORM", "TRANS", "INPLACE", "FUSE",
              "VARLEN", "ALLOW", "MASK")


def names_of(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class Flow:
    """Which parameters of a function its addresses and its integers come from."""

    def __init__(self, functions, function, depth=0):
        self.functions, self.depth = functions, depth
        self.params = [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]
        self.assigned, self.pointers, self.descriptors, self.integers = [], set(), set(), set()
        self.unrolled, self.compared = set(), {}
        for node in ast.walk(function):
            self.visit(node)
        for _ in range(12):
            before = (len(self.pointers), len(self.integers))
            for name, value in self.assigned:
                if name in self.pointers:
                    self.pointers |= self.bases(value)
                    self.offsets_of(value)
                if name in self.integers:
                    self.integers |= self.integral(value)
            if before == (len(self.pointers), len(self.integers)):
                break

    def visit(self, node):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    self.assigned.append((target.id, node.value))
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for part, value in zip(target.elts, node.value.elts):
                        if isinstance(part, ast.Name):
                            self.assigned.append((part.id, value))
        elif isinstance(node, ast.Attribute) and node.attr == "element_ty":
            self.pointers |= names_of(node)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            for arg in node.iter.args:
                self.integers |= self.integral(arg)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.FloorDiv)):
            self.integers |= self.integral(node.left)
        elif isinstance(node, ast.Compare):
            demanded = node.comparators[0]
            if isinstance(node.left, ast.Name) and isinstance(node.ops[0], ast.Eq) and isinstance(demanded, ast.Constant):
                self.compared.setdefault(node.left.id, ast.unparse(demanded))
            sides = [node.left, *node.comparators]
            if any("offs" in n or "cols" in n or "rows" in n or n == "pid" for s in sides for n in names_of(s)):
                for side in sides:
                    self.integers |= self.integral(side)
        elif isinstance(node, ast.Call):
            self.call(node)

    def call(self, node):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("load", "store", "gather", "scatter", "atomic_add") and isinstance(node.func, ast.Attribute):
            holder = node.func.value
            if isinstance(holder, ast.Name) and holder.id not in ("tl", "triton", "language"):
                self.descriptors.add(holder.id)
                return
        if name in ADDRESSED:
            keywords = {k.arg: k.value for k in node.keywords}
            address = node.args[0] if node.args else keywords.get("base", keywords.get("pointer"))
            if address is not None:
                self.pointers |= self.bases(address)
                self.offsets_of(address)
            if name == "make_block_ptr":
                for arg in list(node.args[1:4]) + [keywords[k] for k in ("shape", "strides", "offsets") if k in keywords]:
                    self.integers |= names_of(arg)
        elif name in ("arange", "range", "static_range", "zeros", "cdiv"):
            if name == "static_range":
                self.unrolled |= {n for a in node.args for n in names_of(a)}
            for arg in node.args:
                self.integers |= self.integral(arg)
        elif name in self.functions and self.depth < 5 and isinstance(node.func, ast.Name):
            inner = Flow(self.functions, self.functions[name], self.depth + 1)
            bound = list(zip(inner.params, node.args)) + [(k.arg, k.value) for k in node.keywords]
            for param, value in bound:
                if param in inner.pointers:
                    self.pointers |= self.bases(value)
                    self.offsets_of(value)
                if param in inner.descriptors:
                    self.descriptors |= self.bases(value)
                if param in inner.integers:
                    self.integers |= self.integral(value)

    def bases(self, node):
        """The names at the pointer end of an address."""
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            left, right = self.bases(node.left), self.bases(node.right)
            marked = {n for n in right if "ptr" in n.lower()}
            return marked | left if marked and not any("ptr" in n.lower() for n in left) else left or right
        if isinstance(node, ast.IfExp):
            return self.bases(node.body) | self.bases(node.orelse)
        if isinstance(node, ast.Subscript):
            return self.bases(node.value)
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("multiple_of", "max_contiguous", "broadcast_to", "cast", "make_block_ptr", "advance"):
                return self.bases(node.args[0]) if node.args else set()
            if name == "where":
                return {n for a in node.args[1:] for n in self.bases(a)}
            if name in ("to", "expand_dims") and isinstance(node.func, ast.Attribute):
                return self.bases(node.func.value)
            if name in self.functions:
                return {n for a in node.args for n in self.bases(a) if "ptr" in n.lower()}
        return set()

    def offsets_of(self, node):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            for side in (node.left, node.right):
                if self.bases(side) & (self.pointers | {n for n in names_of(side) if "ptr" in n.lower()}):
                    self.offsets_of(side)
                else:
                    self.integers |= self.integral(side)

    def integral(self, node):
        """Names that are integers if the expression is one; of a load, its pointer."""
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.BinOp):
            return self.integral(node.left) | self.integral(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.integral(node.operand)
        if isinstance(node, ast.IfExp):
            return self.integral(node.body) | self.integral(node.orelse)
        if isinstance(node, ast.Subscript):
            return self.integral(node.value)
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("load", "atomic_add") and node.args:
                return self.bases(node.args[0])
            if name == "to" and isinstance(node.func, ast.Attribute):
                return self.integral(node.func.value)
            if name in ("minimum", "maximum", "min", "max", "cdiv", "multiple_of", "max_contiguous", "cumsum", "sum", "arange"):
                return {n for a in node.args for n in self.integral(a)}
            if name == "where":
                return {n for a in node.args[1:] for n in self.integral(a)}
        return set()


class Constant:
    """The text of a compile-time value."""

    def __init__(self, text):
        self.text = text


def constants(name, default):
    upper, out = name.upper(), []
    if default is not None:
        out.append(default)
    ints = lambda *values: [str(v) for v in values]
    if any(w in upper for w in ("DTYPE", "_TYPE", "OUT_TY")) or upper == "TYPE":
        out += ["tl.float32", "tl.float16", "tl.bfloat16", "tl.int32"]
    elif any(w in upper for w in ("BLOCK", "TILE", "CHUNK")) or (len(upper) <= 3 and upper[0] == "B" and upper != "B"):
        out += ints(64, 32, 128, 16, 256, 1, 8)
    elif upper.startswith(WORDS_FLAG) or any(w in upper for w in ("CAUSAL", "FLAG", "TRANSPOSE", "VARLEN", "_IS_", "HAS_", "REVERSE")):
        out += ["False", "True", "1"]
    elif "PRECISION" in upper:
        out += ["'ieee'", "'tf32'"]
    elif any(w in upper for w in ("ACT", "MODE", "REDUC", "METHOD")):
        out += ["'none'", "'mean'", "'silu'", "'sum'", "'gelu'", "'relu'", "None", "0", "1"]
    elif any(w in upper for w in ("EPS", "SCALE", "ALPHA", "SOFTCAP")):
        out += ["1.0", "16", "True"]
    elif "STAGE" in upper or "UNROLL" in upper:
        out += ints(1, 2, 3)
    elif "SPLIT" in upper or "GROUP_SIZE" in upper or "GROUP_M" in upper:
        out += ints(1, 8, 4, 128)
    else:
        out += ints(64, 128, 16, 1, 4, 2) + ["True", "False", "None"]
    return list(dict.fromkeys(out))


class Guess:
    """One launch: for every parameter a run-time type such as `*fp16` or a Constant, and warps and stages."""

    def __init__(self, text, row):
        tree = ast.parse(text)
        functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
        self.function = next(f for f in functions.values() if f.name == row["kernel"])
        self.flow = Flow(functions, self.function)
        args = self.function.args
        ordered = args.posonlyargs + args.args
        defaults = dict(zip([a.arg for a in ordered][len(ordered) - len(args.defaults):], args.defaults))
        defaults |= {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None}
        self.params = ordered + args.kwonlyargs
        self.lines = text.splitlines()
        self.dice = random.Random(row["key"])
        config = (row.get("configs") or [{}])[0]
        self.warps, self.stages = config.get("num_warps", 4), config.get("num_stages", 3)
        known = {k: v for k, v in config.get("kwargs", {}).items() if v is not None}
        self.launched(row, known)
        self.choices, self.taken = {}, {}
        for param in self.params:
            name = param.arg
            default = defaults.get(name)
            default = ast.unparse(default) if default is not None else None
            fixed = known.get(name)
            if fixed and fixed.startswith("tl.constexpr("):
                fixed = fixed[13:-1]
            if self.is_constexpr(param) or name in config.get("kwargs", {}) or name in row.get("heuristics", []):
                values = constants(name, default)
                if name in self.flow.compared and default is None:
                    values = list(dict.fromkeys([self.flow.compared[name]] + values))
                if name in self.flow.unrolled or name.upper().startswith(("NUM_", "MAX_", "N_")):
                    values = list(dict.fromkeys(["4", "2", "8"] + values))
                self.choices[name] = [Constant(v) for v in dict.fromkeys(([fixed] if fixed else []) + values)]
            else:
                self.choices[name] = self.types(param, default)
            self.taken[name] = 0
        self.floats(0)

    @staticmethod
    def is_constexpr(param):
        return param.annotation is not None and "constexpr" in ast.unparse(param.annotation)

    def launched(self, row, known):
        """Literals of the launches, by parameter."""
        names = [p.arg for p in self.params]
        for positional, keywords in row.get("launches", []):
            if any(a.startswith("*") for a in positional):
                positional = []
            for name, text in list(zip(names, positional)) + list(keywords.items()):
                try:
                    value = ast.literal_eval(text)
                except (ValueError, SyntaxError):
                    if text.startswith("tl.") and text.count(".") == 1:
                        known.setdefault(name, text)
                    continue
                if name == "num_warps" and isinstance(value, int):
                    self.warps = value
                elif name == "num_stages" and isinstance(value, int):
                    self.stages = value
                elif name in names and isinstance(value, (int, float, str, bool, type(None))):
                    known.setdefault(name, repr(value))

    def types(self, param, default):
        name, lower = param.arg, param.arg.lower()
        has = lambda words: any(w in lower for w in words)
        whole = name in self.flow.integers
        if name in self.flow.descriptors and name not in self.flow.pointers:
            return ["tensordesc"]
        if name in self.flow.pointers:
            if has(("mask", "flag", "bool", "is_")):
                out = ["*i1", "*i32", "*FLOAT"]
            elif has(WORDS_INDEX) and (whole or not has(("weight", "logit", "score"))):
                out = ["*i64", "*i32", "*FLOAT"]
            elif whole or has(WORDS_I32):
                out = ["*i32", "*i64", "*FLOAT"]
            elif has(("qweight", "qzeros", "packed")):
                out = ["*i32", "*u8", "*i8"]
            else:
                out = ["*FLOAT", "*i32", "*fp32", "*i8", "*i1"]
            return out + ([Constant("None")] if default == "None" else [])
        if param.annotation is not None:
            plain = ast.unparse(param.annotation).removeprefix("tl.")
            plain = {"int32": "i32", "int64": "i64", "float32": "fp32", "uint32": "u32", "int1": "i1"}.get(plain)
            if plain:
                return [plain]
        real = has(WORDS_REAL) or lower in ("p", "value", "val", "lambda", "std", "mean", "factor")
        if "ptr" in lower and "stride" not in lower:
            return ["*FLOAT", "*i32"]
        if real and not whole and "stride" not in lower:
            return ["fp32", "i32", "*FLOAT"]
        out = ["i32", "fp32", "*FLOAT"]
        return [Constant("None")] + out if default == "None" and not whole else out

    def floats(self, attempt):
        self.float = FLOATS[attempt % 3]

    def values(self):
        """The guess as parameter → run-time type or Constant."""
        out = {}
        for param in self.params:
            value = self.choices[param.arg][self.taken[param.arg]]
            out[param.arg] = value if isinstance(value, Constant) else value.replace("FLOAT", self.float)
        return out

    def change(self, attempt, line):
        """Another guess, after a compiler refused something on a line (counted from 1; nothing where unknown)."""
        self.floats(attempt)
        near = set()
        if line and line <= len(self.lines):
            mentioned = set("".join(c if c.isalnum() or c == "_" else " " for c in self.lines[line - 1]).split())
            for _ in range(3):
                near |= mentioned & set(self.choices)
                mentioned |= {n for name, value in self.flow.assigned if name in mentioned for n in names_of(value)}
        open_names = [n for n, c in self.choices.items() if len(c) > 1]
        pool = [n for n in open_names if n in near] if near and self.dice.random() < 0.75 else open_names
        for name in self.dice.sample(pool or open_names, min(len(pool or open_names), 1 + attempt // 4)):
            self.taken[name] = self.dice.randrange(len(self.choices[name]))
