import sys

import main

service = main.SpamService()
high = service.ask([9, 8, 0, 0, 1, 1])
low = service.ask([0, 0, 9, 8, 1, 1])
if not low < 0.5 < high:
    print("FAIL: spam has %.3f, other mail %.3f" % (high, low))
    sys.exit(1)
print("PASS: requests are answered in threads, %.3f and %.3f" % (high, low))
