import sys

import main

values = [float(main.excess_loss(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric excess_loss {seed} {value!r}")
if not all(value <= 1e-6 for value in values):
    print(f"FAIL: excess over the best loss is {max(values):.4g}, wanted at most 1e-6")
    sys.exit(1)
print(f"PASS: excess over the best loss is {max(values):.4g}")
