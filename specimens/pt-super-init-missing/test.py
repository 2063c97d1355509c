import sys

import torch

import main

model = main.train(seed=0)
windows, steps = main.make_windows(100, torch.Generator().manual_seed(1))
with torch.no_grad():
    error = (model(windows) - steps).abs().mean().item()
if error > 0.6:
    print(f"FAIL: counts are off by {error:.3f} on average")
    sys.exit(1)
print(f"PASS: counts are off by {error:.3f} on average")
