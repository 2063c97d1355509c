import sys

import torch

import main

model = main.train(seed=0)
dataset = main.TaggedPatches(100, seed=1)
patches = torch.stack([dataset[i][0] for i in range(len(dataset))])
tags = torch.stack([dataset[i][1] for i in range(len(dataset))])
logits = model(patches)
if logits.shape != (100, len(main.TAGS)):
    print(f"FAIL: scores have shape {tuple(logits.shape)}")
    sys.exit(1)
right = ((logits > 0) == (tags > 0.5)).float().mean().item()
if right < 0.9:
    print(f"FAIL: only {right:.3f} of the tags are right")
    sys.exit(1)
print(f"PASS: trained, {right:.3f} of the tags of new patches are right")
