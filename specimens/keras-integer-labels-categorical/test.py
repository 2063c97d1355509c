import sys

import main

model = main.train()
wines, regions = main.make_wines(200, 1)
accuracy = (main.classify(model, wines) == regions).mean()
if accuracy < 0.85:
    print("FAIL: accuracy on new wines is %.3f" % accuracy)
    sys.exit(1)
print("PASS: accuracy on new wines is %.3f" % accuracy)
