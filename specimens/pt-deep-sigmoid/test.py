import sys

import main

values = []
for seed in range(5):
    model = main.train(seed)
    values.append(float(main.accuracy(model, *main.make_rings(1000 + seed))))
for seed, value in enumerate(values):
    print(f"metric accuracy {seed} {value!r}")
if not all(value >= 0.9 for value in values):
    print(f"FAIL: lowest accuracy on new points is {min(values):.3f}, wanted at least 0.9")
    sys.exit(1)
print(f"PASS: lowest accuracy on new points is {min(values):.3f}")
