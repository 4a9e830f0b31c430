//! Tensors: views, types, functions, printing. Expected values follow torch's documented rules.

use crate::{failure, script, value};

#[test]
fn views_have_torchs_shapes_and_strides() {
    for (expr, expected) in [
        (
            "x.stride(), x.stride(1), x.stride(-1), x.size(0), x.shape, x.numel(), x.ndim",
            "((12, 4, 1), 4, 1, 2, (2, 3, 4), 24, 3)",
        ),
        (
            "x.transpose(0, 2).stride(), x.permute(1, 0, 2).shape, x[0].t().stride(), x[0].T.is_contiguous()",
            "((1, 4, 12), (3, 2, 4), (1, 4), False)",
        ),
        ("x[:, 1:, ::2].shape, x[:, 1:, ::2].stride(), x[:, 1:, ::2].storage_offset()", "((2, 2, 2), (12, 4, 2), 4)"),
        (
            "x[1, ..., 0].tolist(), x[:, None].shape, x[..., None].stride(), x[-1, -1, -1].item()",
            "([12, 16, 20], (2, 1, 3, 4), (12, 4, 1, 1), 23)",
        ),
        (
            "x.unsqueeze(0).shape, x.view(6, -1).shape, x.flatten(1).shape, x[:, :1].squeeze(1).shape, x[0, 0].expand(5, 4).stride()",
            "((1, 2, 3, 4), (6, 4), (2, 12), (2, 4), (0, 1))",
        ),
        (
            "x[x > 20].tolist(), x[0, [2, 0]].tolist(), x[torch.tensor([1, 0]), torch.tensor([2, 1]), 0].tolist()",
            "([21, 22, 23], [[8, 9, 10, 11], [0, 1, 2, 3]], [20, 4])",
        ),
        (
            "torch.empty_like(x[0].t()).stride(), torch.empty((2, 3)).stride(), len(x), x.element_size(), x.dtype",
            "((1, 4), (3, 1), 2, 8, torch.int64)",
        ),
    ] {
        let printed = script(&format!("x = torch.arange(24).reshape(2, 3, 4)\nresult = {expr}\nprint(result)"));
        assert_eq!(printed.trim_end(), expected, "{expr}");
    }
}

#[test]
fn views_share_their_storage() {
    let printed = script(
        "x = torch.zeros(3, 4)\ny = x.t()[1]\ny += 1\nx[0, :2] = torch.tensor([5, 6])\nx[x == 1] = 2\nz = x.reshape(12)\nz[11] = 9\nw = x.t().reshape(12)\nw.fill_(7)\nprint(x.tolist())",
    );
    assert_eq!(printed, "[[5.0, 6.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 2.0, 0.0, 9.0]]\n");
}

#[test]
fn types_promote_as_in_torch() {
    let zeros = |dtype: &str| format!("torch.zeros(1, dtype=torch.{dtype})");
    for (left, right, expected) in [
        ("float16", "float32", "float32"),
        ("float16", "bfloat16", "float32"),
        ("int32", "float16", "float16"),
        ("uint8", "int8", "int16"),
        ("int32", "int64", "int64"),
        ("bool", "uint8", "uint8"),
        ("int8", "int32", "int32"),
    ] {
        assert_eq!(value(&format!("({} + {}).dtype", zeros(left), zeros(right))), format!("torch.{expected}"));
    }
    for (expr, expected) in [
        ("(torch.zeros(1, dtype=torch.float16) * 2.5).dtype", "torch.float16"),
        ("(torch.zeros(1, dtype=torch.int32) * 2).dtype", "torch.int32"),
        ("(torch.zeros(1, dtype=torch.int32) * 2.5).dtype", "torch.float32"),
        ("(torch.zeros(1, dtype=torch.int32) / 2).dtype", "torch.float32"),
        ("(torch.zeros(1, dtype=torch.float16) + torch.tensor(1.0)).dtype", "torch.float16"),
        (
            "(torch.zeros(1, dtype=torch.int8) > 0).dtype, torch.zeros(2, dtype=torch.int8).sum().dtype",
            "(torch.bool, torch.int64)",
        ),
        (
            "torch.tensor([1, 2]).dtype, torch.tensor([1, 2.0]).dtype, torch.tensor(True).dtype, torch.full((1,), 2).dtype",
            "(torch.int64, torch.float32, torch.bool, torch.int64)",
        ),
    ] {
        assert_eq!(value(expr), expected, "{expr}");
    }
}

#[test]
fn functions_have_torchs_values() {
    for (expr, expected) in [
        (
            "torch.arange(5), torch.arange(2, 8, 3), torch.arange(0, 1, 0.25)",
            "(tensor([0, 1, 2, 3, 4]), tensor([2, 5]), tensor([0.0000, 0.2500, 0.5000, 0.7500]))",
        ),
        (
            "torch.linspace(0, 1, 5).tolist(), torch.eye(2).tolist(), torch.ones(2, dtype=torch.int8).tolist()",
            "([0.0, 0.25, 0.5, 0.75, 1.0], [[1.0, 0.0], [0.0, 1.0]], [1, 1])",
        ),
        (
            "torch.tensor([[1., 2.], [3., 4.]]).sum(0).tolist(), torch.tensor([[1., 2.], [3., 4.]]).mean(dim=1, keepdim=True).tolist()",
            "([4.0, 6.0], [[1.5], [3.5]])",
        ),
        (
            "torch.max(torch.tensor([3, 9, 2])).item(), torch.tensor([[3, 9], [7, 2]]).max(dim=1).values.tolist(), torch.tensor([[3, 9], [7, 2]]).argmax(1).tolist()",
            "(9, [9, 7], [1, 0])",
        ),
        (
            "torch.tensor([1., 2., 3., 4.]).var().item(), torch.tensor([1., 2., 3., 4.]).var(unbiased=False).item(), torch.tensor([1., 2.]).std(correction=0).item()",
            "(1.6666666269302368, 1.25, 0.5)",
        ),
        (
            "torch.cumsum(torch.tensor([[1, 2], [3, 4]]), dim=0).tolist(), torch.sort(torch.tensor([3, 1, 2]), descending=True)[0].tolist()",
            "([[1, 2], [4, 6]], [3, 2, 1])",
        ),
        (
            "torch.where(torch.tensor([True, False]), 1.0, torch.tensor([5.0, 6.0])).tolist(), torch.clamp(torch.tensor([-1., 5.]), 0, 2).tolist()",
            "([1.0, 6.0], [0.0, 2.0])",
        ),
        (
            "torch.bincount(torch.tensor([0, 2, 2]), minlength=4).tolist(), torch.histc(torch.tensor([0., 1., 1., 3.]), bins=4, min=0, max=4).tolist()",
            "([1, 0, 2, 0], [1.0, 2.0, 0.0, 1.0])",
        ),
        (
            "torch.cat([torch.zeros(1, 2), torch.ones(2, 2)]).shape, torch.stack([torch.zeros(3), torch.ones(3)], dim=1).tolist()",
            "((3, 2), [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])",
        ),
    ] {
        assert_eq!(value(expr), expected, "{expr}");
    }
}

#[test]
fn functions_of_networks_and_comparisons_have_torchs_values() {
    for (expr, expected) in [
        (
            "F.relu(torch.tensor([-1., 2.])).tolist(), F.leaky_relu(torch.tensor([-1., 2.]), 0.5).tolist(), F.silu(torch.tensor([0.])).item()",
            "([0.0, 2.0], [-0.5, 2.0], 0.0)",
        ),
        (
            "F.layer_norm(torch.tensor([[1., 3.]]), (2,), eps=0.0).tolist(), F.linear(torch.ones(1, 2), torch.tensor([[1., 2.]]), torch.tensor([1.])).tolist()",
            "([[-1.0, 1.0]], [[4.0]])",
        ),
        ("round(F.cross_entropy(torch.tensor([[0., 0.], [0., 0.]]), torch.tensor([0, 1])).item(), 6)", "0.693147"),
        (
            "torch.allclose(torch.ones(2), torch.ones(2) + 1e-7), torch.equal(torch.ones(2), torch.zeros(2)), torch.isnan(torch.tensor([float('nan'), 1.])).tolist()",
            "(True, False, [True, False])",
        ),
        (
            "(torch.tensor([7, -7]) // 2).tolist(), (torch.tensor([7, -7]) % 3).tolist(), (torch.tensor([1, 2]) << 3).tolist(), (~torch.tensor([True])).tolist()",
            "([3, -4], [1, 2], [8, 16], [False])",
        ),
        (
            "torch.tril(torch.ones(2, 2)).tolist(), torch.arange(4).flip(0).tolist(), torch.arange(2).repeat(2, 2).tolist()",
            "([[1.0, 0.0], [1.0, 1.0]], [3, 2, 1, 0], [[0, 1, 0, 1], [0, 1, 0, 1]])",
        ),
        (
            "torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[1], [0]])).tolist(), torch.topk(torch.tensor([1, 5, 3]), 2).indices.tolist()",
            "([[2], [3]], [1, 2])",
        ),
        (
            "torch.tensor([300, -1]).to(torch.uint8).tolist(), torch.tensor([1.7, -1.7]).int().tolist(), torch.tensor([1e6]).half().item(), torch.tensor([0.1]).bfloat16().item()",
            "([44, 255], [1, -1], inf, 0.10009765625)",
        ),
        ("torch.tensor([448.0, 500.0]).to(torch.float8_e4m3fn).float().tolist()", "[448.0, nan]"),
        (
            "torch.tensor([True, False]).any().item(), (torch.tensor([1.0, 2.0]) == torch.tensor([1.0, 3.0])).sum().item(), -torch.tensor([1]), 2 - torch.tensor([1.5])",
            "(True, 1, tensor([-1]), tensor([0.5000]))",
        ),
        (
            "torch.nn.functional.logsigmoid(torch.tensor([0.0, -200.0])).tolist(), torch.get_float32_matmul_precision()",
            "([-0.6931471824645996, -200.0], 'highest')",
        ),
        (
            "torch.cuda.get_device_properties(0).multi_processor_count, triton.runtime.driver.active.get_active_torch_device() is not None",
            "(132, True)",
        ),
    ] {
        assert_eq!(value(expr), expected, "{expr}");
    }
}

/// A name that is listed and that no family has would be suggested to users and fail.
#[test]
fn every_listed_function_exists() {
    let source = include_str!("../../src/interpreter/tensor_functions.rs");
    let (_, list) = source.split_once("const OTHERS: &[&str] = &[").expect("the file has a list");
    let (list, _) = list.split_once("];").expect("the list ends");
    let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(names.len() > 80, "{names:?}");
    let missing = |name: &&&str| {
        let text = format!("try:\n    torch.zeros(2, 2).{name}()\nexcept Exception as e:\n    print(e)");
        script(&text).contains("is not available in host code")
    };
    let missing: Vec<&&str> = names.iter().filter(missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn tensors_print_like_torch() {
    assert_eq!(
        value("torch.tensor([[1.5, 2], [3, 4.25]], dtype=torch.float16)"),
        "tensor([[1.5000, 2.0000],\n        [3.0000, 4.2500]], dtype=torch.float16)"
    );
    assert_eq!(
        value("torch.zeros(2, 600)"),
        "tensor([[0., 0., 0., ..., 0., 0., 0.],\n        [0., 0., 0., ..., 0., 0., 0.]])"
    );
    assert_eq!(
        value("torch.tensor(3), torch.tensor(2.5), torch.tensor([True])"),
        "(tensor(3), tensor(2.5000), tensor([True]))"
    );
    assert_eq!(value("torch.zeros(0)"), "tensor([], size=(0,))");
}

#[test]
fn random_numbers_repeat_with_the_seed_and_fit() {
    let printed = script(
        "torch.manual_seed(1)\na = torch.randn(10000)\ntorch.manual_seed(1)\nb = torch.randn((10000,), device='cuda', dtype=torch.float32)\n\
         print(torch.equal(a, b), abs(a.mean().item()) < 0.05, abs(a.std().item() - 1) < 0.05)\n\
         r = torch.rand(10000, dtype=torch.float16)\nprint((r < 1).all().item(), (r >= 0).all().item(), abs(r.float().mean().item() - 0.5) < 0.05)\n\
         i = torch.randint(-3, 4, (1000,), dtype=torch.int8)\nprint(i.min().item(), i.max().item(), torch.randint(5, (2, 2)).shape, torch.randint(0, 9, size=(3,)).dtype)\n\
         print(torch.randperm(5).sort()[0].tolist())\n",
    );
    assert_eq!(printed, "True True True\nTrue True True\n-3 3 (2, 2) torch.int64\n[0, 1, 2, 3, 4]\n");
}

#[test]
fn elements_that_nothing_has_written() {
    let body = |rest: &str| {
        format!("x = torch.empty((3, 4))\nx[0] = 1.0\nx[:, 1] = 2.0\nx[torch.tensor([2])] = 3.0\n{rest}\n")
    };
    for reads in [
        "print(x)",
        "y = x + 1",
        "x.sum()",
        "x[1].max().item()",
        "x == 2",
        "x.t().reshape(-1).tolist()",
        "x += 1",
        "torch.testing.assert_close(x, x)",
        "y = x.to(torch.float16).clone()\nprint(y[1:])",
        "x[torch.tensor([1])]",
        "torch.gather(x, 1, torch.tensor([[0], [0]]))",
        "y = torch.zeros(12)\ny[:] = x.flatten()",
        "if x[1, 0] > 0:\n    pass",
    ] {
        let error = failure(&body(reads));
        assert_eq!(error.code, tk_diag::UNINITIALISED, "{reads}: {error:?}");
    }
    let error = failure(&body("print(x)"));
    assert_eq!(error.message, "element (1, 0) of a tensor of shape (3, 4) is read, and nothing has written it");
    let text = |rest: &str| script(&body(&format!("print(({rest}))"))).trim_end().to_string();
    assert_eq!(
        text("x[0].tolist(), x[:, 1].tolist(), x[2].sum().item()"),
        "([1.0, 2.0, 1.0, 1.0], [2.0, 2.0, 3.0], 12.0)"
    );
    assert_eq!(text("x.to(torch.float64)[:, 1].sum().item(), x.clone().t()[1].tolist()"), "(7.0, [2.0, 2.0, 3.0])");
    assert_eq!(
        text("x.shape, x.zero_().sum().item(), torch.empty_like(x).fill_(2).sum().item()"),
        "((3, 4), 0.0, 24.0)"
    );
}
