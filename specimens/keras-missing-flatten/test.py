import sys

import main

model = main.train()
if model.output_shape != (None, 3):
    print("FAIL: the output has shape %s" % (model.output_shape,))
    sys.exit(1)
accuracy = model.evaluate(*main.draw(100, 1), verbose=0)[1]
if accuracy < 0.6:
    print("FAIL: accuracy on new drawings is %.3f" % accuracy)
    sys.exit(1)
print("PASS: one row of scores per drawing, accuracy %.3f" % accuracy)
