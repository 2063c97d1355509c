import sys

import main

values = [float(main.train(seed)[-1]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric loss {seed} {value!r}")
if not all(value <= 0.6 for value in values):
    print(f"FAIL: loss of the last step is {values}, wanted at most 0.6")
    sys.exit(1)
print(f"PASS: loss of the last step is {max(values):.3f}")
