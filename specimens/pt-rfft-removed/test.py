import sys

import torch

import main

weights = main.train(seed=0).weights.detach().abs()
wanted = 1.0 / torch.arange(1, 9)
off = (weights - wanted).abs().max().item()
if off > 0.15:
    print(f"FAIL: harmonics are off by up to {off:.3f}")
    sys.exit(1)
print(f"PASS: harmonics are off by at most {off:.3f}")
