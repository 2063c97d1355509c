import sys

import main

losses = main.train(seed=0)
first, last = sum(losses[:10]) / 10, sum(losses[-10:]) / 10
if not last < 0.9 * first:
    print(f"FAIL: the loss went from {first:.3f} to {last:.3f}")
    sys.exit(1)
print(f"PASS: trained on {main.DEVICE}, loss {first:.3f} to {last:.3f}")
