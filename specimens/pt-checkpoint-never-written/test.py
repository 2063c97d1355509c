import sys

import main

easy, hard = main.accuracy_of(0.1), main.accuracy_of(1.5)
if not (easy > 0.85 and 0.6 < hard < 0.9):
    print(f"FAIL: accuracy {easy:.3f} on easy data and {hard:.3f} on hard data")
    sys.exit(1)
print(f"PASS: accuracy {easy:.3f} on easy data and {hard:.3f} on hard data")
