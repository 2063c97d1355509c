import sys

import main

accuracy = main.main()
if accuracy < 0.9:
    print("FAIL: accuracy %.3f" % accuracy)
    sys.exit(1)
print("PASS: accuracy %.3f" % accuracy)
