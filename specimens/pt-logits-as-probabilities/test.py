import sys

import main

values = [float(main.probability_gap(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric gap {seed} {value!r}")
if not all(value <= 0.001 for value in values):
    print(f"FAIL: distance of a row's sum from 1 is {max(values):.4g}, wanted at most 0.001")
    sys.exit(1)
print(f"PASS: distance of a row's sum from 1 is {max(values):.4g}")
