import sys

import main

model, losses = main.train()
if len(losses) != 30:
    print("FAIL: trained for %d epochs, wanted 30" % len(losses))
    sys.exit(1)
if not losses[-1] < 0.5 * losses[0]:
    print("FAIL: the loss went from %.4f to %.4f" % (losses[0], losses[-1]))
    sys.exit(1)
print("PASS: trained for 30 epochs, loss %.4f to %.4f" % (losses[0], losses[-1]))
