import sys

import main

model, losses = main.train(seed=0)
if len(losses) != 12 or not losses[-1] < 0.5 * losses[0]:
    print(f"FAIL: losses of twelve epochs are {losses}")
    sys.exit(1)
print(f"PASS: the loss went from {losses[0]:.4f} to {losses[-1]:.4f}")
