import sys

import main

values = [float(main.movement(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric movement {seed} {value!r}")
if not all(value >= 0.01 for value in values):
    print(f"FAIL: change of the base weights is {min(values):.3f}, wanted at least 0.01")
    sys.exit(1)
print(f"PASS: change of the base weights is {min(values):.3f}")
