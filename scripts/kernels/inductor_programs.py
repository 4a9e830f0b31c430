"""Models and operations whose kernels torch.compile writes, for record_inductor.py: forward and backward, one program per name.

Models have random weights and few layers, since layers repeat their kernels, and sizes like those of small real ones. With `DEVICE` "cpu" and
`SMALL` they are tiny, to see that they run at all.
"""
import os

DEVICE = os.environ.get('INDUCTOR_DEVICE', 'cuda')
SMALL = DEVICE == 'cpu'


def sizes(big, small):
    return small if SMALL else big


def text_model(kind, **more):
    """A model of text of transformers, with its configuration's names for the usual sizes."""
    import transformers

    names = {
        'llama': ('LlamaConfig', 'LlamaForCausalLM'), 'mixtral': ('MixtralConfig', 'MixtralForCausalLM'), 'qwen2': ('Qwen2Config', 'Qwen2ForCausalLM'),
        'gemma': ('GemmaConfig', 'GemmaForCausalLM'), 'phi': ('PhiConfig', 'PhiForCausalLM'), 'opt': ('OPTConfig', 'OPTForCausalLM'),
        'gpt_neox': ('GPTNeoXConfig', 'GPTNeoXForCausalLM'), 'bert': ('BertConfig', 'BertForMaskedLM'), 'roberta': ('RobertaConfig', 'RobertaForMaskedLM'),
        'gpt2': ('GPT2Config', 'GPT2LMHeadModel'), 't5': ('T5Config', 'T5ForConditionalGeneration'), 'mamba': ('MambaConfig', 'MambaForCausalLM'),
        'electra': ('ElectraConfig', 'ElectraForMaskedLM'), 'distilbert': ('DistilBertConfig', 'DistilBertForMaskedLM'),
        'bart': ('BartConfig', 'BartForConditionalGeneration'), 'deberta': ('DebertaV2Config', 'DebertaV2ForMaskedLM'),
    }[kind]
    config = getattr(transformers, names[0])(**more)
    return getattr(transformers, names[1])(config)


def causal(hidden, **more):
    return dict(hidden_size=hidden, intermediate_size=hidden * 11 // 4, num_hidden_layers=2, num_attention_heads=hidden // 64, vocab_size=sizes(8192, 128), **more)


H = sizes(1024, 128)
VOCABULARY = sizes(8192, 128)
TEXT = {
    'llama': causal(H, num_key_value_heads=2),
    'mixtral': causal(H, num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2),
    'qwen2': causal(H, num_key_value_heads=2),
    'gemma': causal(H, num_key_value_heads=1, head_dim=64),
    'phi': causal(H),
    'gpt_neox': causal(H),
    'opt': dict(hidden_size=H, ffn_dim=2 * H, num_hidden_layers=2, num_attention_heads=H // 64, vocab_size=VOCABULARY, word_embed_proj_dim=H),
    'bert': causal(H), 'roberta': causal(H), 'electra': causal(H, embedding_size=H // 2),
    'distilbert': dict(dim=H, hidden_dim=2 * H, n_layers=2, n_heads=H // 64, vocab_size=VOCABULARY),
    'deberta': causal(H, relative_attention=True, pos_att_type=['p2c', 'c2p'], position_buckets=16),
    'gpt2': dict(n_embd=H, n_layer=2, n_head=H // 64, vocab_size=VOCABULARY),
    't5': dict(decoder_start_token_id=0, d_model=H, d_ff=2 * H, num_layers=2, num_heads=H // 64, vocab_size=VOCABULARY),
    'bart': dict(d_model=H, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=2 * H, decoder_ffn_dim=2 * H, vocab_size=VOCABULARY,
                 encoder_attention_heads=H // 64, decoder_attention_heads=H // 64),
    'mamba': dict(hidden_size=H // 2, num_hidden_layers=1, vocab_size=VOCABULARY, use_mambapy=True),
}


# Models that an automatic configuration names, with what they have beside the usual sizes.
MORE_TEXT = {
    'qwen3': causal(H, num_key_value_heads=2, head_dim=64), 'gemma2': causal(H, num_key_value_heads=2, head_dim=64),
    'gemma3_text': causal(H, num_key_value_heads=2, head_dim=64), 'phi3': causal(H, num_key_value_heads=2, pad_token_id=0),
    'olmo2': causal(H, num_key_value_heads=2), 'cohere': causal(H, num_key_value_heads=2), 'granite': causal(H, num_key_value_heads=2),
    'starcoder2': causal(H, num_key_value_heads=2), 'stablelm': causal(H, num_key_value_heads=2), 'nemotron': causal(H, num_key_value_heads=2),
    'falcon': causal(H), 'bloom': dict(hidden_size=H, n_layer=2, n_head=H // 64, vocab_size=VOCABULARY), 'glm': causal(H, num_key_value_heads=2, head_dim=64, pad_token_id=0),
    'qwen3_moe': causal(H, num_key_value_heads=2, head_dim=64, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=H // 2),
    'xglm': dict(d_model=H, ffn_dim=2 * H, num_layers=2, attention_heads=H // 64, vocab_size=VOCABULARY),
    'codegen': dict(n_embd=H, n_layer=2, n_head=H // 32, rotary_dim=16, vocab_size=VOCABULARY),
}


def train_text(kind, dtype):
    import torch

    torch.manual_seed(0)
    if kind in MORE_TEXT:
        import transformers
        model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.for_model(kind, **MORE_TEXT[kind])).to(DEVICE, dtype)
    else:
        model = text_model(kind, **TEXT[kind]).to(DEVICE, dtype)
    length = sizes(128 if kind == 'mamba' else 500, 16)
    tokens = torch.randint(3, VOCABULARY, (sizes(8, 2), length), device=DEVICE)
    step = torch.compile(lambda ids: model(input_ids=ids, labels=ids).loss)
    step(tokens).backward()
    with torch.no_grad():
        step(tokens[:1])


def train_pictures(kind, dtype):
    import torch
    import transformers

    common = dict(hidden_size=H, intermediate_size=2 * H, num_hidden_layers=2, num_attention_heads=H // 64, image_size=sizes(224, 32), patch_size=16)
    model = {
        'vit': lambda: transformers.ViTForImageClassification(transformers.ViTConfig(**common)),
        'convnext': lambda: transformers.ConvNextForImageClassification(transformers.ConvNextConfig(depths=[1, 1, 1, 1], hidden_sizes=[32, 64, 128, 256])),
        'resnet': lambda: transformers.ResNetForImageClassification(transformers.ResNetConfig(depths=[1, 1, 1, 1])),
    }[kind]().to(DEVICE, dtype)
    pictures = torch.randn(sizes(16, 2), 3, sizes(224, 32), sizes(224, 32), device=DEVICE, dtype=dtype)
    torch.compile(lambda x: model(pixel_values=x).logits.float().square().mean())(pictures).backward()


def operations(which):
    """Single operations, over sizes that split, that fit one block, and that do neither evenly."""
    import torch
    from torch.nn import functional as F

    row = lambda *shape, dtype=torch.float32: torch.randn(*shape, device=DEVICE, dtype=dtype)
    half = torch.bfloat16
    groups = {
        'pointwise': [
            (lambda x, y: torch.tanh(x) * F.gelu(y), [row(3000, 777), row(3000, 777)]),
            (lambda x, y: F.silu(x) * y, [row(4096, 2752, dtype=half), row(4096, 2752, dtype=half)]),
            (lambda x: torch.erf(x) + torch.exp(-x.abs()) + torch.log1p(x * x), [row(1 << 20)]),
            (lambda x: torch.sin(x) * torch.cos(x) + torch.sigmoid(x), [row(1 << 20)]),
            (lambda x, y: torch.where(x > y, x, y).pow(3), [row(999, 1001), row(1, 1001)]),
            (lambda x: x.transpose(0, 1).contiguous() + 1, [row(2048, 1500)]),
            (lambda x: x.permute(0, 2, 3, 1).contiguous(), [row(8, 96, 56, 56, dtype=half)]),
            (lambda x, i: x[i] * 2, [row(5000, 256), torch.randint(0, 5000, (9000,), device=DEVICE)]),
            (lambda x: F.pad(x, (1, 2, 3, 4)) * 2, [row(64, 100, 100)]),
            (lambda x: torch.cat([x, x * 2, x[:, :100]], 1), [row(2048, 600)]),
            (lambda x: F.interpolate(x, scale_factor=2, mode='bilinear'), [row(4, 16, 64, 64)]),
            (lambda x: (x.float() / 3).to(torch.float8_e4m3fn).to(half), [row(2048, 2048, dtype=half)]),
            (lambda x: (x // 7 + x % 13).to(torch.int32), [torch.randint(-999, 999, (1 << 20,), device=DEVICE)]),
            (lambda x: F.dropout(x, 0.3) + torch.rand_like(x), [row(2048, 1024)]),
            (lambda x: torch.lgamma(x.abs() + 1) + torch.erfinv(x.clamp(-0.9, 0.9)) + torch.i0(x), [row(300, 1000)]),
            (lambda x: torch.polar(x, x).real + torch.atan2(x, x + 1), [row(300, 1000)]),
            (lambda x: F.avg_pool2d(x, 3, 2) + F.max_pool2d(x, 3, 2), [row(8, 32, 63, 63)]),
        ],
        'reductions': [
            (lambda x: x.sum(), [row(1 << 22)]),
            (lambda x: x.sum(0), [row(5000, 300)]),
            (lambda x: x.mean(1), [row(300, 5000)]),
            (lambda x: x.amax(-1) - x.amin(-1), [row(1000, 999)]),
            (lambda x: (x.argmax(-1), x.argmin(0)), [row(1000, 999)]),
            (lambda x: torch.softmax(x, -1), [row(64, 3000)]),
            (lambda x: torch.softmax(x, -1), [row(2048, 50000, dtype=half)]),
            (lambda x: torch.log_softmax(x, 0), [row(3000, 64)]),
            (lambda x: torch.logsumexp(x, (1, 2)), [row(64, 300, 33)]),
            (lambda x, w: F.layer_norm(x, (4096,), w), [row(512, 4096), row(4096)]),
            (lambda x, w: F.layer_norm(x, (700,), w), [row(4000, 700, dtype=half), row(700, dtype=half)]),
            (lambda x, w: F.rms_norm(x, (4096,), w), [row(2048, 4096, dtype=half), row(4096, dtype=half)]),
            (lambda x: F.group_norm(x, 8), [row(8, 64, 32, 32)]),
            (lambda x: F.batch_norm(x, None, None, training=True), [row(16, 64, 28, 28)]),
            (lambda x: x.var(-1), [row(300, 20000)]),
            (lambda x: torch.var_mean(x, 0), [row(20000, 300)]),
            (lambda x: x.norm(dim=1) + x.abs().sum(1), [row(4000, 513)]),
            (lambda x: x.prod(-1), [row(4000, 100)]),
            (lambda x: (x > 0).any(-1) & (x > -9).all(-1), [row(4000, 1000)]),
            (lambda x: (x > 0).sum(), [row(1 << 20)]),
            (lambda x, y: F.mse_loss(x, y) + F.l1_loss(x, y), [row(1000, 1000), row(1000, 1000)]),
            (lambda x, y: F.cross_entropy(x, y), [row(2000, 32000, dtype=half), torch.randint(0, 32000, (2000,), device=DEVICE)]),
            (lambda x, y: F.kl_div(torch.log_softmax(x, -1), torch.softmax(y, -1), reduction='batchmean'), [row(512, 4000), row(512, 4000)]),
            (lambda x, y: F.cosine_similarity(x, y), [row(3000, 768), row(3000, 768)]),
            (lambda x, y: (x.unsqueeze(1) - y).square().sum(-1), [row(200, 64), row(300, 64)]),
        ],
        'scans': [
            (lambda x: x.cumsum(-1), [row(300, 3000)]),
            (lambda x: x.cumsum(0), [row(3000, 300)]),
            (lambda x: x.cumprod(-1), [row(300, 999)]),
            (lambda x: torch.logcumsumexp(x, -1), [row(300, 999)]),
            (lambda x: torch.cummax(x, -1), [row(300, 999)]),
            (lambda x: x.cumsum(0), [row(1 << 20)]),
            (lambda x: torch.sort(x, dim=-1), [row(2000, 200)]),
            (lambda x: torch.sort(x, dim=-1, descending=True, stable=True), [row(2000, 60)]),
            (lambda x: torch.topk(torch.softmax(x, -1), 2), [row(4000, 64)]),
            (lambda x: torch.median(x, -1).values, [row(2000, 99)]),
            (lambda x: torch.bucketize(x, torch.linspace(-3, 3, 33, device=DEVICE)), [row(1 << 18)]),
            (lambda x, i: torch.zeros(4000, 64, device=DEVICE).index_add_(0, i, x), [row(9000, 64), torch.randint(0, 4000, (9000,), device=DEVICE)]),
            (lambda x, i: x.scatter_add(1, i, x), [row(500, 400), torch.randint(0, 400, (500, 400), device=DEVICE)]),
        ],
        'losses': [
            (lambda x, y: F.smooth_l1_loss(x, y) + F.huber_loss(x, y, delta=0.5), [row(999, 1000), row(999, 1000)]),
            (lambda x, y: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y)), [row(4000, 321), row(4000, 321)]),
            (lambda x, y: F.soft_margin_loss(x, torch.sign(y)), [row(1 << 19), row(1 << 19)]),
            (lambda x, y, z: F.triplet_margin_loss(x, y, z), [row(3000, 300), row(3000, 300), row(3000, 300)]),
            (lambda x, y: F.poisson_nll_loss(x, y.abs()), [row(2000, 515), row(2000, 515)]),
            (lambda x, y: F.nll_loss(F.log_softmax(x, 1), y), [row(1000, 1003), torch.randint(0, 1003, (1000,), device=DEVICE)]),
            (lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), [row(512, 50257, dtype=half), torch.randint(0, 50257, (512,), device=DEVICE)]),
            (lambda x, y: (F.normalize(x, dim=-1) @ F.normalize(y, dim=-1).t()).logsumexp(1).mean(), [row(700, 256), row(700, 256)]),
        ],
        'shapes': [
            (lambda x: x.view(64, 8, 16, 32).permute(2, 0, 3, 1).contiguous().sin(), [row(64, 4096)]),
            (lambda x: x.unfold(1, 16, 8).mean(-1), [row(500, 2000)]),
            (lambda x: torch.roll(x, (3, 5), (0, 1)) - x, [row(1000, 1000)]),
            (lambda x: torch.tril(x) + torch.triu(x, 1) * 2, [row(16, 500, 500)]),
            (lambda x: x.flip(1) * x, [row(3000, 700, dtype=half)]),
            (lambda x: torch.stack([x.cos(), x.sin()], -1).flatten(-2), [row(2000, 512)]),
            (lambda x: F.pixel_shuffle(x, 2) + 1, [row(4, 64, 60, 60)]),
            (lambda x: F.glu(x, 1) + x.chunk(2, 1)[0], [row(3000, 1536, dtype=half)]),
            (lambda x: F.one_hot(x, 50).float().sum(0), [torch.randint(0, 50, (20000,), device=DEVICE)]),
            (lambda x: F.interpolate(x, size=(100, 90), mode='bicubic'), [row(2, 8, 64, 64)]),
            (lambda x: F.grid_sample(x, torch.tanh(x[:, :2].permute(0, 2, 3, 1))), [row(4, 8, 64, 64)]),
            (lambda x: F.adaptive_avg_pool2d(x, 7), [row(8, 64, 30, 30)]),
            (lambda x: x.to(torch.int8).to(torch.float32) * 0.1 + x.half().float(), [row(1 << 20)]),
            (lambda x, y: torch.searchsorted(torch.sort(x).values, y), [row(200, 500), row(200, 300)]),
        ],
        'norms': [
            (lambda x: x / x.norm(dim=(1, 2), keepdim=True), [row(64, 100, 333)]),
            (lambda x: F.instance_norm(x), [row(8, 32, 50, 50)]),
            (lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5), [row(3000, 1537)]),
            (lambda x, w: F.layer_norm(F.gelu(x) + x, (1536,), w), [row(2000, 1536, dtype=half), row(1536, dtype=half)]),
            (lambda x, w: F.rms_norm(x + x.roll(1, 0), (8192,), w), [row(1000, 8192, dtype=half), row(8192, dtype=half)]),
            (lambda x: (x.abs().amax(-1, keepdim=True) / 127, (x * 127 / x.abs().amax(-1, keepdim=True)).round().to(torch.int8)), [row(4000, 2048, dtype=half)]),
            (lambda x: torch.softmax(x.float() * 0.1 + torch.triu(torch.full((500, 500), -1e4, device=DEVICE), 1), -1).to(half), [row(32, 500, 500, dtype=half)]),
            (lambda x: torch.softmax(torch.tanh(x / 30) * 30, -1), [row(4, 300, 777)]),
            (lambda x: torch.cov(x), [row(200, 3000)]),
            (lambda x: x.square().mean((0, 2, 3)), [row(32, 64, 56, 56, dtype=half)]),
            (lambda x: (x.amax(1), x.sum(1), x.square().sum(1)), [row(300, 500, 70)]),
        ],
    }
    for function, arguments in groups[which]:
        try:
            torch._dynamo.reset()
            for each in arguments:
                each.requires_grad_(each.is_floating_point() and which != 'scans')
            compiled = torch.compile(function)
            result = compiled(*arguments)
            first = result[0] if isinstance(result, tuple) else result
            if torch.is_tensor(first) and first.requires_grad:
                first.backward(torch.randn_like(first))
        except Exception as error:
            print(f'not compiled: {error!r:.300}', flush=True)


def tuned_products():
    """Products and attention from templates."""
    import torch
    import torch._inductor.config as config
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    config.max_autotune_gemm, config.max_autotune_gemm_backends = True, 'TRITON'
    row = lambda *shape: torch.randn(*shape, device=DEVICE, dtype=torch.bfloat16)
    causal_mask = lambda b, h, i, j: i >= j
    functions = [
        (lambda a, b: torch.relu(a @ b), [row(2048, 1024), row(1024, 1536)]),
        (lambda a, b, c: torch.addmm(c, a, b), [row(1000, 768), row(768, 3072), row(3072)]),
        (lambda a, b: torch.bmm(a, b), [row(16, 512, 64), row(16, 64, 512)]),
        (lambda a, b: a @ b.t(), [row(64, 4096), row(4096, 4096)]),
    ]
    for function, arguments in functions:
        torch._dynamo.reset()
        torch.compile(function)(*arguments)
    for length, width, dependent in [(1024, 64, False), (2048, 128, True)]:
        torch._dynamo.reset()
        q, k, v = (row(2, 8, length, width).requires_grad_() for _ in range(3))
        mask = create_block_mask(causal_mask, None, None, length, length, device=DEVICE)
        score = (lambda s, b, h, i, j: s + (i - j) * 0.01) if dependent else None
        torch.compile(lambda q, k, v: flex_attention(q, k, v, score_mod=score, block_mask=mask))(q, k, v).float().sum().backward()


def program(function, *arguments):
    return lambda: function(*arguments)


def programs():
    import torch

    found = {f'ops-{name}': program(operations, name) for name in ('pointwise', 'reductions', 'scans', 'losses', 'shapes', 'norms')}
    found['products'] = tuned_products
    found |= {f'{kind}-bf16': program(train_text, kind, torch.bfloat16) for kind in TEXT}
    found |= {f'{kind}-bf16': program(train_pictures, kind, torch.bfloat16) for kind in ('vit', 'convnext', 'resnet')}
    found |= {f'{kind}-bf16': program(train_text, kind, torch.bfloat16) for kind in MORE_TEXT}
    return found | {f'{kind}-fp32': program(train_text, kind, torch.float32) for kind in ('llama', 'bert', 't5', 'gpt2')}


PROGRAMS = programs()


def run(name):
    PROGRAMS[name]()
