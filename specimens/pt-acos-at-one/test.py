import sys

import main

values = [float(main.train(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric loss {seed} {value!r}")
if not all(value <= 1.2 for value in values):
    print(f"FAIL: mean angle is {values}, wanted at most 1.2")
    sys.exit(1)
print(f"PASS: mean angle is {max(values):.3f}")
