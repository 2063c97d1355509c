import math
import sys

import torch

import main

model, losses = main.optimise(seed=0)
mean, log_std, value, state = model(torch.zeros(6, 2, 11))
shapes = [tuple(t.shape) for t in (mean, log_std, value, *state)]
if shapes != [(6, 2, 3), (6, 2, 3), (6, 2), (1, 2, 32), (1, 2, 32)]:
    print(f"FAIL: the policy returns shapes {shapes}")
    sys.exit(1)
if not all(math.isfinite(loss) for loss in losses):
    print(f"FAIL: losses are {losses}")
    sys.exit(1)
print("PASS: every step of every environment gets mean, deviation and value")
