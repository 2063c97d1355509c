import sys

import main

model, losses = main.train()
if model.output_shape != (None, 1):
    print("FAIL: the output has shape %s" % (model.output_shape,))
    sys.exit(1)
if not losses[-1] < 0.6 * losses[0]:
    print("FAIL: the loss went from %.4f to %.4f" % (losses[0], losses[-1]))
    sys.exit(1)
print("PASS: two stacked LSTM layers, loss %.4f to %.4f" % (losses[0], losses[-1]))
