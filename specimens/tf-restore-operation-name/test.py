import sys

import main

probability = main.main()
label = main.make_readings(100, 1)[1]
accuracy = ((probability > 0.5) == label).mean()
if probability.shape != (100,) or accuracy < 0.85:
    print("FAIL: shape %s, accuracy %.3f" % (probability.shape, accuracy))
    sys.exit(1)
print("PASS: the restored graph has an accuracy of %.3f" % accuracy)
