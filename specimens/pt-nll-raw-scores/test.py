import sys

import main

values = [float(main.fit(seed)[0]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric final_loss {seed} {value!r}")
if not all(value >= 0.0 for value in values):
    print(f"FAIL: loss of the last epoch is {min(values):.4g}, wanted at least 0.0")
    sys.exit(1)
print(f"PASS: loss of the last epoch is {min(values):.4g}")
