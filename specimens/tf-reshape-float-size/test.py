import sys

import main

losses = main.train()
if not losses[-1] < 0.8 * losses[0]:
    print("FAIL: the loss went from %.4f to %.4f" % (losses[0], losses[-1]))
    sys.exit(1)
print("PASS: the loss went from %.4f to %.4f" % (losses[0], losses[-1]))
