import sys

import main

predicted, true = main.identify()
if predicted.shape != (100,):
    print("FAIL: classes of 100 samples have shape %s" % (predicted.shape,))
    sys.exit(1)
accuracy = (predicted == true).mean()
if accuracy < 0.85:
    print("FAIL: accuracy %.3f" % accuracy)
    sys.exit(1)
print("PASS: accuracy %.3f" % accuracy)
