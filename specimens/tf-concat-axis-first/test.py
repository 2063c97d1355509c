import sys

import main

got = main.classify(list(main.NAMES)).tolist()
if got != [bool(v) for v in main.NAMES.values()]:
    print("FAIL: the known names are classified as %s" % got)
    sys.exit(1)
print("PASS: both kinds of features are joined, all names are right")
