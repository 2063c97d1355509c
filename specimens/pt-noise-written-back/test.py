import sys

import main

values = [float(main.drift(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric drift {seed} {value!r}")
if not all(value <= 1e-6 for value in values):
    print(f"FAIL: change of the stored samples is {max(values):.4g}, wanted at most 1e-6")
    sys.exit(1)
print(f"PASS: change of the stored samples is {max(values):.4g}")
