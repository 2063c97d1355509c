import sys

import main

losses = main.train_model()
if not losses[-1] < 0.2 * losses[0]:
    print("FAIL: the loss went from %.3f to %.3f" % (losses[0], losses[-1]))
    sys.exit(1)
print("PASS: the loss went from %.3f to %.3f" % (losses[0], losses[-1]))
