import sys

import main

values = [float(main.train(seed)[0]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric loss {seed} {value!r}")
if not all(value <= 0.5 for value in values):
    print(f"FAIL: loss on new documents is {values}, wanted at most 0.5")
    sys.exit(1)
print(f"PASS: loss on new documents is {max(values):.3f}")
