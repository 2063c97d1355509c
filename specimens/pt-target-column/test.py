import sys

import torch

import main

model = main.train(seed=0)
features, labels = main.load(main.make_table(200, 1)).tensors
if labels.dim() != 1:
    print(f"FAIL: labels have shape {tuple(labels.shape)}")
    sys.exit(1)
with torch.no_grad():
    accuracy = (model(features).argmax(dim=1) == labels).float().mean().item()
if accuracy < 0.9:
    print(f"FAIL: accuracy on a new table is {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: accuracy on a new table is {accuracy:.3f}")
