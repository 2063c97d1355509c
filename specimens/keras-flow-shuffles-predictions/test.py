import sys

import main

values = [float(main.measured_accuracy(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric accuracy {seed} {value!r}")
if not all(value >= 0.9 for value in values):
    print(f"FAIL: measured accuracy is {min(values):.3f}, wanted at least 0.9")
    sys.exit(1)
print(f"PASS: measured accuracy is {min(values):.3f}")
