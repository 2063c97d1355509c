import sys

import main

model, losses = main.train()
if not losses[-1] < 0.5 * losses[0]:
    print("FAIL: the loss went from %.4f to %.4f" % (losses[0], losses[-1]))
    sys.exit(1)
print("PASS: trained, loss %.4f to %.4f" % (losses[0], losses[-1]))
