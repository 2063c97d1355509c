import sys

import main

values = [float(main.train(seed)[1][-1]) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric loss {seed} {value!r}")
if not all(value <= 0.1 for value in values):
    print(f"FAIL: last training losses are {values}, wanted at most 0.1")
    sys.exit(1)
print(f"PASS: last training loss is at most {max(values):.4g}")
