import sys

import main

losses = main.train()
if not losses[-1] < 0.2 * losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.4f} to {losses[-1]:.4f}")
    sys.exit(1)
print(f"PASS: the loss went from {losses[0]:.4f} to {losses[-1]:.4f}")
