import sys

import main

model, history = main.train(seed=0)
if len(history) != 120 or not history[-1] < history[0]:
    print(f"FAIL: {len(history)} batches, the loss went from {history[0]:.3f} to {history[-1]:.3f}")
    sys.exit(1)
right = main.accuracy(model)
if right < 0.85:
    print(f"FAIL: accuracy {right:.3f}")
    sys.exit(1)
print(f"PASS: accuracy {right:.3f}")
