import sys

import torch

import main

model, losses = main.fit(seed=0)
wanted = torch.tensor([3.0, -4.0, 1.5])
off = (model.coefficients.detach() - wanted).abs().max().item()
if not losses[-1] < 0.01 or off > 0.3:
    print(f"FAIL: loss {losses[-1]:.4f}, coefficients off by {off:.3f}")
    sys.exit(1)
print(f"PASS: loss {losses[-1]:.5f}, coefficients off by {off:.3f}")
