import sys

import main

values = [float(main.run(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric error {seed} {value!r}")
if not all(value <= 0.8 for value in values):
    print(f"FAIL: mean absolute error of the count is {max(values):.3f}, wanted at most 0.8")
    sys.exit(1)
print(f"PASS: mean absolute error of the count is {max(values):.3f}")
