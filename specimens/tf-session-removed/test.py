import sys

import main

slope, start = main.fit(steps=2000)
if abs(slope + 0.3) > 0.03 or abs(start - 12.6) > 0.2:
    print("FAIL: slope %.3f and start %.3f, wanted -0.3 and 12.6" % (slope, start))
    sys.exit(1)
print("PASS: slope %.3f and start %.3f" % (slope, start))
