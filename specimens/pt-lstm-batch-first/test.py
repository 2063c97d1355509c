import sys

import torch

import main

model = main.train(seed=0)
traces, labels = main.record(200, torch.Generator().manual_seed(1))
with torch.no_grad():
    scores = model(traces)
    alone = model(traces[:1])
accuracy = (scores.argmax(dim=1) == labels).float().mean().item()
if not torch.allclose(scores[:1], alone, atol=1e-5):
    print("FAIL: the scores of a trace depend on its neighbours in the batch")
    sys.exit(1)
if accuracy < 0.7:
    print(f"FAIL: accuracy on new traces is {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: accuracy on new traces is {accuracy:.3f}")
