import sys

import main

accuracy = main.evaluate(seed=0)
if accuracy < 0.75:
    print(f"FAIL: accuracy {accuracy:.3f}")
    sys.exit(1)
print(f"PASS: accuracy {accuracy:.3f}")
