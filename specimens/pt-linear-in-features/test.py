import sys

import torch

import main

model, losses = main.train(seed=0)
shape = tuple(model(torch.zeros(7, 1, 28, 28)).shape)
if shape != (7, 10):
    print(f"FAIL: scores of 7 images have shape {shape}, not (7, 10)")
    sys.exit(1)
if not losses[-1] < 0.8 * losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    sys.exit(1)
print("PASS: the network takes 28x28 images and its loss falls")
