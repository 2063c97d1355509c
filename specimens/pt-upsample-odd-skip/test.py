import sys

import torch

import main

model, losses = main.train(seed=0)
for size in (28, 30, 31):
    shape = tuple(model(torch.zeros(2, 1, size, size)).shape)
    if shape != (2, 1, size, size):
        print(f"FAIL: the mask of a {size}x{size} scene has shape {shape}")
        sys.exit(1)
if not losses[-1] < 0.5 * losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    sys.exit(1)
print(f"PASS: masks have the size of the scene, loss {losses[0]:.3f} to {losses[-1]:.3f}")
