import sys

import main

shares = main.compare()
if len(shares) != 2 or min(shares) < 0.6:
    print("FAIL: the models get %s of the recipes right" % shares)
    sys.exit(1)
print("PASS: two models side by side get %s of the recipes right" % shares)
