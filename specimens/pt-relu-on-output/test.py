import sys

import main

values = [float(main.run(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric correlation {seed} {value!r}")
if not all(value >= 0.9 for value in values):
    print(f"FAIL: correlation for falling temperatures is {min(values):.3f}, wanted at least 0.9")
    sys.exit(1)
print(f"PASS: correlation for falling temperatures is {min(values):.3f}")
