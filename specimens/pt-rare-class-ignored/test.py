import sys

import main

values = [float(main.run(seed)[1]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric recall {seed} {value!r}")
if not all(value >= 0.65 for value in values):
    print(f"FAIL: recall of the frauds is {min(values):.3f}, wanted at least 0.65")
    sys.exit(1)
print(f"PASS: recall of the frauds is {min(values):.3f}")
