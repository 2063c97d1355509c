import sys

import torch

import main

model = main.train(seed=0)
essays, wanted = main.make_essays(500, torch.Generator().manual_seed(1))
with torch.no_grad():
    off = (main.grades(model(essays)) - wanted).abs().float().mean().item()
if off > 0.4:
    print(f"FAIL: grades are off by {off:.3f} on average")
    sys.exit(1)
print(f"PASS: grades are off by {off:.3f} on average")
