#!/usr/bin/env python3
"""torch.compile of eight models of transformers with random weights, forward and backward: `models.py --under tk|triton [--models …]`.

Each model is made small, run by eager and by torch.compile in a process of its own with empty caches, and compared: the output and the
gradient of every weight. A line for each says the greatest relative error (of all numbers of a tensor together), what it may be there, which
is more where eager itself is further from its result in 64 bits, and where it is; whether it is within that; how many kernels Inductor
compiled, the seconds of the cold first run, and those in which kernels were compiled; kernels are compiled in the process itself for both, so
that the seconds compare. Needs torch and transformers, and a GPU, or with `--under tk` and TK_DEVICE=sim the simulator, for which `--width` and
`--length` should be small. `--products` takes Inductor's templates of products, of which `--templates N` tries N configurations each, and
`--attention flex_attention` that of attention, where the model has it. `--out FILE` keeps the lines as tab-separated columns.

Some gradients are zero, such as that of the bias of keys, which every row of a softmax takes alike; what eager computes of them is rounding
alone. A tensor in which eager is further from its own result in 64 bits than that is from zero is such a one: its norm may be eager's or a few
times as much.
"""

import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile
import time

TOLERANCES = {"float32": 2e-3, "bfloat16": 5e-2}


def llama(width, transformers):
    config = transformers.LlamaConfig(
        vocab_size=512, hidden_size=width, intermediate_size=width * 2, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
    return config, transformers.LlamaForCausalLM


def mixtral(width, transformers):
    config = transformers.MixtralConfig(
        vocab_size=512, hidden_size=width, intermediate_size=width * 2, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        num_local_experts=4, num_experts_per_tok=2)
    return config, transformers.MixtralForCausalLM


def bert(width, transformers):
    config = transformers.BertConfig(
        vocab_size=512, hidden_size=width, intermediate_size=width * 2, num_hidden_layers=2, num_attention_heads=4,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return config, transformers.BertForMaskedLM


def vit(width, transformers):
    config = transformers.ViTConfig(
        hidden_size=width, intermediate_size=width * 2, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return config, transformers.ViTForImageClassification


def t5(width, transformers):
    config = transformers.T5Config(vocab_size=512, d_model=width, d_kv=width // 4, d_ff=width * 2, num_layers=2, num_heads=4, dropout_rate=0.0,
        decoder_start_token_id=0, pad_token_id=0)
    return config, transformers.T5ForConditionalGeneration


def mamba(width, transformers):
    config = transformers.MambaConfig(vocab_size=512, hidden_size=width, num_hidden_layers=2, state_size=8, use_cache=False)
    return config, transformers.MambaForCausalLM


def gpt2(width, transformers):
    config = transformers.GPT2Config(
        vocab_size=512, n_positions=512, n_embd=width, n_layer=2, n_head=4, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    return config, transformers.GPT2LMHeadModel


def qwen2(width, transformers):
    config = transformers.Qwen2Config(
        vocab_size=512, hidden_size=width, intermediate_size=width * 2, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
    return config, transformers.Qwen2ForCausalLM


MODELS = {"llama": llama, "mixtral": mixtral, "bert": bert, "vit": vit, "t5": t5, "mamba": mamba, "gpt2": gpt2, "qwen2": qwen2}


class Counted:
    """`triton.compile`, counted and timed."""

    def __init__(self, compile):
        self.compile, self.kernels = compile, []

    def __call__(self, *args, **kwargs):
        start, kernel = time.perf_counter(), None
        try:
            kernel = self.compile(*args, **kwargs)
            return kernel
        finally:
            self.kernels.append((kernel, time.perf_counter() - start))

    @property
    def seconds(self):
        return sum(seconds for _, seconds in self.kernels)

    def write(self, path):
        """A line for each kernel: its name, warps, registers, spilled words, shared memory, and the seconds of its compilation."""
        with open(path, "w") as file:
            for kernel, seconds in self.kernels:
                if kernel is not None:
                    kernel._init_handles()
                    figures = (kernel.metadata.name, kernel.metadata.num_warps, kernel.n_regs, kernel.n_spills, kernel.metadata.shared)
                    file.write("\t".join(map(str, (*figures, f"{seconds:.3f}"))) + "\n")


def inputs(name, config, options, torch):
    """What the model is given, with what it is to find."""
    device = options.device
    if name == "vit":
        return {"pixel_values": torch.randn(2, 3, 32, 32, device=device, dtype=getattr(torch, options.dtype)), "labels": torch.tensor([0, 1], device=device)}
    words = torch.randint(0, config.vocab_size, (2, options.length), device=device)
    return {"input_ids": words, "labels": words.clone()}


def run(model, given):
    """Output and gradients of one step."""
    model.zero_grad(set_to_none=True)
    result = model(**given)
    result.loss.backward()
    found = {"loss": result.loss.detach(), "logits": result.logits.detach()}
    found.update({name: weight.grad.clone() for name, weight in model.named_parameters() if weight.grad is not None})
    return found


class Worst:
    """The tensor that is furthest from what is right, for what its rounding allows."""

    def __init__(self, tolerance):
        self.tolerance, self.share, self.figures = tolerance, -1.0, {}

    def see(self, name, error, allowed):
        error = error if error == error else float("inf")
        if error / allowed > self.share:
            self.share, self.figures = error / allowed, {"error": error, "allowed": allowed, "where": name}

    def compare(self, got, want, truth):
        """The norm of the difference by that of what is right, for all tensors that eager knows a digit of. It may be the tolerance, or twice
        what eager itself is off: two that round alike differ by no more. Of the others it is how much greater the norm is than four
        times eager's."""
        for name, right in want.items():
            right, own = right.double(), got[name].double()
            scale, off = right.norm().item(), (right - truth[name]).norm().item()
            if off < truth[name].norm().item():
                self.see(name, (own - right).norm().item() / scale, max(self.tolerance, 2 * off / scale))
            else:
                self.see(name, max(own.norm().item() / max(scale, 1e-30) / 4 - 1, 0.0), self.tolerance)
        return self


def in_64_bits(model, given, options, torch):
    """What the model computes of the same weights and input in 64 bits, by eager."""
    precise = copy.deepcopy(model).double()
    if options.one != "mamba":
        precise.set_attn_implementation("eager")
    # The product of all experts at once takes no numbers of 64 bits.
    if options.one == "mixtral" and hasattr(precise, "set_experts_implementation"):
        precise.set_experts_implementation("eager")
    given = {name: value.double() if value.is_floating_point() else value for name, value in given.items()}
    return run(precise, given)


def measure(options):
    """Runs one model, and prints its figures as JSON."""
    if options.under == "tk":
        import tk

        tk.as_triton()
    import torch
    import torch._inductor.config as config
    import transformers
    import triton

    config.compile_threads = 1
    config.force_disable_caches = True
    if options.device == "cpu":
        config.cpu_backend = "triton"
    settings = {"max_autotune_gemm": True, "max_autotune_gemm_backends": "TRITON"} if options.products else {}
    if options.templates:
        config.test_configs.max_mm_configs = options.templates
    counted = triton.compile = Counted(triton.compile)
    torch.manual_seed(options.seed)
    # Neither side of the comparison rounds to tf32.
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    model_config, kind = MODELS[options.one](options.width, transformers)
    model_config._attn_implementation = options.attention if options.one != "mamba" else "eager"
    model = kind(model_config).to(options.device, getattr(torch, options.dtype)).train()
    given = inputs(options.one, model_config, options, torch)
    want, truth = run(model, given), in_64_bits(model, given, options, torch)
    compiled = torch.compile(model, options=settings) if settings else torch.compile(model)
    start = time.perf_counter()
    got = run(compiled, given)
    if options.device == "cuda":
        torch.cuda.synchronize()
    cold = time.perf_counter() - start
    got = {name.removeprefix("_orig_mod."): value for name, value in got.items()}
    if options.kernels:
        counted.write(options.kernels)
    worst = Worst(TOLERANCES[options.dtype]).compare(got, want, truth)
    print("RESULT" + json.dumps({**worst.figures, "agrees": worst.share <= 1, "kernels": len(counted.kernels), "cold": cold, "compiling": counted.seconds}))


def child(name, options):
    """The figures of one model, measured in a new process without caches; the end of its output where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        caches = {name: os.path.join(folder, name) for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TK_CACHE_DIR")}
        command = [sys.executable, "-W", "ignore", *sys.argv, "--one", name, "--device", options.device]
        try:
            done = subprocess.run(command, env={**os.environ, **caches}, capture_output=True, text=True, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return None, f"more than {options.timeout} s"
    if "RESULT" not in done.stdout:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        return None, " ".join(lines[-3:])[-400:] or f"ended with {done.returncode}"
    return json.loads(done.stdout.rpartition("RESULT")[2]), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--under", choices=["tk", "triton"], default="tk")
    parser.add_argument("--models", default=",".join(MODELS), help="names, with commas between them")
    parser.add_argument("--width", type=int, default=256, help="of the hidden states")
    parser.add_argument("--length", type=int, default=128, help="of the sequences")
    parser.add_argument("--seed", type=int, default=0, help="of weights and inputs")
    parser.add_argument("--dtype", choices=sorted(TOLERANCES), default="float32")
    parser.add_argument("--attention", default="sdpa", choices=["sdpa", "eager", "flex_attention"])
    parser.add_argument("--products", action="store_true", help="take the templates of products")
    parser.add_argument("--templates", type=int, help="configurations of a template that are tried")
    parser.add_argument("--device", help="cuda, or cpu for the simulator")
    parser.add_argument("--timeout", type=float, default=600, help="seconds of one model")
    parser.add_argument("--kernels", help="a file for a line about each kernel (of the last model)")
    parser.add_argument("--out")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.device = options.device or ("cpu" if os.environ.get("TK_DEVICE") == "sim" else "cuda")
    if options.one:
        measure(options)
        return 0
    names = options.models.split(",")
    unknown = [name for name in names if name not in MODELS]
    if unknown:
        parser.error(f"there is no model {', '.join(unknown)}; there are {', '.join(MODELS)}")
    rows = [("model", "agrees", "error", "allowed", "kernels", "cold s", "compiling s", "where")]
    print("\t".join(rows[0]))
    is_well = True
    for name in names:
        figures, failure = child(name, options)
        agrees = figures is not None and figures["agrees"]
        is_well &= agrees
        if figures is None:
            rows.append((name, "failed", failure, "", "", "", "", ""))
        else:
            seconds = (f"{figures['cold']:.1f}", f"{figures['compiling']:.2f}")
            error, allowed = (f"{figures[name]:.1e}" for name in ("error", "allowed"))
            rows.append((name, "yes" if agrees else "no", error, allowed, str(figures["kernels"]), *seconds, figures["where"]))
        print("\t".join(rows[-1]), flush=True)
    if options.out:
        with open(options.out, "w") as file:
            file.writelines("\t".join(row) + "\n" for row in rows)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
