import math
import sys

import torch

import main

model, losses = main.train(seed=0)
if not losses[-1] < 0.5 * losses[0]:
    print(f"FAIL: the mean angle went from {losses[0]:.4f} to {losses[-1]:.4f}")
    sys.exit(1)
right = main.angular_loss(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])).item()
if not math.isclose(right, math.pi / 2, rel_tol=1e-4):
    print(f"FAIL: the angle between the axes is {right:.4f}")
    sys.exit(1)
print(f"PASS: the mean angle went from {losses[0]:.4f} to {losses[-1]:.4f}")
