import sys

import torch
from torch.distributions import Independent, Normal, kl_divergence
from torch.overrides import TorchFunctionMode

import main


class CountElements(TorchFunctionMode):
    """Adds up the elements of all tensors that the calls return."""
    elements = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.elements += result.numel()
        return result


values = []
for seed in range(5):
    torch.manual_seed(seed)
    mean, variance = torch.randn(32, 24), torch.rand(32, 24) + 0.1
    with CountElements() as mode:
        got = main.kl_to_standard_normal(mean, variance)
    values.append(float(mode.elements))
    wanted = kl_divergence(Independent(Normal(mean, variance.sqrt()), 1),
                           Independent(Normal(torch.zeros(24), torch.ones(24)), 1))
    if not torch.allclose(got, wanted, rtol=1e-3, atol=1e-3):
        print("FAIL: not the KL divergence")
        sys.exit(1)
losses = main.train(0, steps=20)
if not losses[-1] < losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.2f} to {losses[-1]:.2f}")
    sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric matrix_elements {seed} {value!r}")
if not all(value <= 50000 for value in values):
    print(f"FAIL: {max(values):.0f} elements are computed for 32 rows of 24, wanted under 50000")
    sys.exit(1)
print(f"PASS: {max(values):.0f} elements are computed for 32 rows of 24")
