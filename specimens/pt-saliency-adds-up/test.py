import sys

import main

values = [float(main.agreement(seed)) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric agreement {seed} {value!r}")
if not all(value >= 0.99 for value in values):
    print(f"FAIL: lowest cosine with the true gradient is {min(values):.3f}, wanted at least 0.99")
    sys.exit(1)
print(f"PASS: lowest cosine with the true gradient is {min(values):.3f}")
