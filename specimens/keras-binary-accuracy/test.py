import sys

import main

values = [float(main.overstatement(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric overstatement {seed} {value!r}")
if not all(value <= 0.01 for value in values):
    print(f"FAIL: reported minus true accuracy is {max(values):.3f}, wanted at most 0.01")
    sys.exit(1)
print(f"PASS: reported minus true accuracy is {max(values):.3f}")
