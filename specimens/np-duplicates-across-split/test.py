import sys

import main

values = [float(main.optimism(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric optimism {seed} {value!r}")
if not all(value <= 0.22 for value in values):
    print(f"FAIL: excess of the test accuracy is {max(values):.3f}, wanted at most 0.22")
    sys.exit(1)
print(f"PASS: excess of the test accuracy is {max(values):.3f}")
