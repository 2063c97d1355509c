import sys

import main

model, prepare = main.train(seed=0)
samples, worn = main.windows(200, seed=1)
errors = main.anomaly(model, prepare, samples).numpy()
healthy, broken = errors[worn == 0].mean(), errors[worn == 1].mean()
if not broken > 3 * healthy:
    print(f"FAIL: worn pumps have error {broken:.3f}, healthy ones {healthy:.3f}")
    sys.exit(1)
print(f"PASS: worn pumps have error {broken:.3f}, healthy ones {healthy:.3f}")
