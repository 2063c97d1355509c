import sys

import main

values = [float(main.train(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric accuracy {seed} {value!r}")
if not all(value >= 0.95 for value in values):
    print(f"FAIL: accuracy on new pictures is {min(values):.3f}, wanted at least 0.95")
    sys.exit(1)
print(f"PASS: accuracy on new pictures is {min(values):.3f}")
