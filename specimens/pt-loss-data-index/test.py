import sys

import torch

import main

model, history = main.train(seed=0)
if len(history) != 5 or not float(history[-1]) < 0.2:
    print(f"FAIL: mean losses of the five epochs are {history}")
    sys.exit(1)
tokens, labels = main.make_reviews(200, torch.Generator().manual_seed(1))
accuracy = (model(tokens).argmax(dim=1) == labels).float().mean().item()
if accuracy < 0.9:
    print(f"FAIL: accuracy on new reviews is {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: five epochs logged, accuracy on new reviews is {accuracy:.3f}")
