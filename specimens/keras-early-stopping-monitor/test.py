import sys

import main

values = [float(main.epochs_run(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric epochs {seed} {value!r}")
if not all(value <= 100 for value in values):
    print(f"FAIL: number of epochs run is {max(values):.0f}, wanted at most 100")
    sys.exit(1)
print(f"PASS: number of epochs run is {max(values):.0f}")
