import sys

import main

model = main.train()
shape = model.layers[0].output_shape
if shape != (None, 16, 16, 16):
    print("FAIL: the convolution gives %s, wanted 16 maps of 16x16" % (shape,))
    sys.exit(1)
accuracy = model.evaluate(*main.make_stripes(200, 1), verbose=0)[1]
if accuracy < 0.8:
    print("FAIL: accuracy on new stripes is %.3f" % accuracy)
    sys.exit(1)
print("PASS: accuracy on new stripes is %.3f" % accuracy)
