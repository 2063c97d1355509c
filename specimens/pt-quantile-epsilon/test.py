import sys

import main

values = [float(main.best_gain(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric gain {seed} {value!r}")
if not all(value <= 10.0 for value in values):
    print(f"FAIL: expected gain of the best candidate is {max(values):.3f}, wanted at most 10.0")
    sys.exit(1)
print(f"PASS: expected gain of the best candidate is {max(values):.3f}")
