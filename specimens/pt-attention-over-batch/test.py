import sys

import main

values = [float(main.difference(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric difference {seed} {value!r}")
if not all(value <= 0.001 for value in values):
    print(f"FAIL: change of the answer with the batch is {max(values):.4g}, wanted at most 0.001")
    sys.exit(1)
print(f"PASS: change of the answer with the batch is {max(values):.4g}")
