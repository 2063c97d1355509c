import sys

import main

values = [float(main.fit(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric error {seed} {value!r}")
if not all(value <= 0.5 for value in values):
    print(f"FAIL: mean squared error on new houses is {max(values):.3f}, wanted at most 0.5")
    sys.exit(1)
print(f"PASS: mean squared error on new houses is {max(values):.3f}")
