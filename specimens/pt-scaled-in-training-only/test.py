import sys

import main

values = [float(main.prediction_error(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric error {seed} {value!r}")
if not all(value <= 5.0 for value in values):
    print(f"FAIL: mean absolute error in hours is {max(values):.3f}, wanted at most 5.0")
    sys.exit(1)
print(f"PASS: mean absolute error in hours is {max(values):.3f}")
