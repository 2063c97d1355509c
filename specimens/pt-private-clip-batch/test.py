import sys

import main

values = [float(main.influence(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric influence {seed} {value!r}")
if not all(value <= 1.01 for value in values):
    print(f"FAIL: influence of one person over the bound is {max(values):.3f}, wanted at most 1.01")
    sys.exit(1)
print(f"PASS: influence of one person over the bound is {max(values):.3f}")
