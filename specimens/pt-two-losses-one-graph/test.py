import sys

import torch

import main

model = main.train(seed=0)
pictures, kind, area = main.draw(200, torch.Generator().manual_seed(1))
with torch.no_grad():
    scores, predicted = model(pictures)
accuracy = (scores.argmax(dim=1) == kind).float().mean().item()
error = (predicted - area).abs().mean().item()
if accuracy < 0.9 or error > 0.05:
    print(f"FAIL: accuracy {accuracy:.3f}, area off by {error:.3f}")
    sys.exit(1)
print(f"PASS: accuracy {accuracy:.3f}, area off by {error:.3f}")
