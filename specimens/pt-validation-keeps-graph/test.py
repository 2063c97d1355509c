import math
import sys

import torch
from torch import nn

import main


class Saved:
    """A tensor that the autograd graph keeps; counts the bytes alive at once."""

    live = 0
    peak = 0

    def __init__(self, tensor):
        self.tensor = tensor.detach()
        self.size = tensor.nelement() * tensor.element_size()
        Saved.live += self.size
        Saved.peak = max(Saved.peak, Saved.live)

    def __del__(self):
        Saved.live -= self.size


def peak_bytes(seed):
    torch.manual_seed(seed)
    model = main.build_model()
    loader = main.make_loader(320, seed, shuffle=False)
    Saved.peak = Saved.live = 0
    with torch.autograd.graph.saved_tensors_hooks(Saved, lambda saved: saved.tensor):
        loss = main.validate(model, loader, nn.CrossEntropyLoss())
    if not math.isclose(float(loss), math.log(2), rel_tol=0.2):
        print(f"FAIL: validation loss of the untrained model is {float(loss):.3f}")
        sys.exit(1)
    del loss
    return float(Saved.peak)


values = [peak_bytes(seed) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric peak_bytes {seed} {value!r}")
if not all(value <= 4e6 for value in values):
    print(f"FAIL: validation keeps {max(values):.0f} bytes for backward, wanted at most 4000000")
    sys.exit(1)
print(f"PASS: validation keeps at most {max(values):.0f} bytes for backward")
