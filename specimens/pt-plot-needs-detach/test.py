import sys

import main

rows = main.table(main.fit(seed=0))
high, low = max(r[0] for r in rows), min(r[1] for r in rows)
if len(rows) != 4 or abs(high - 3.5) > 0.15 or abs(low - 0.5) > 0.15:
    print(f"FAIL: {len(rows)} quarters, highest {high:.2f}, lowest {low:.2f}")
    sys.exit(1)
print(f"PASS: four quarters, highest {high:.2f}, lowest {low:.2f}")
