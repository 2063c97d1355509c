import random
import sys

import torch

import main

model = main.train(seed=0)
texts, labels = main.make_complaints(200, random.Random(1))
with torch.no_grad():
    scores = model(texts + ["nobody knows these"])
accuracy = (scores[:-1].argmax(dim=1) == labels).float().mean().item()
if accuracy < 0.9:
    print(f"FAIL: accuracy on new complaints is {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: known, unknown and padded words have vectors, accuracy {accuracy:.3f}")
