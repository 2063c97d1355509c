import sys

import main

model = main.train()
accuracy = model.evaluate(*main.load_pictures(100, 1), verbose=0)[1]
if accuracy < 0.8:
    print("FAIL: accuracy on new pictures is %.3f" % accuracy)
    sys.exit(1)
print("PASS: accuracy on new pictures is %.3f" % accuracy)
