import sys

import main

recall = main.Trainer(seed=0).run().recall()
if recall < 0.75:
    print(f"FAIL: only {recall:.3f} of the ill scans are found")
    sys.exit(1)
print(f"PASS: {recall:.3f} of the ill scans are found")
