import sys

import main

counts = [len(main.run(count)) for count in (640, 50)]
if counts != [25, 5]:
    print(f"FAIL: {counts} validations of a large and a small data set, wanted [25, 5]")
    sys.exit(1)
losses = main.run(640)
if not losses[-1] < losses[0]:
    print(f"FAIL: the validation loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    sys.exit(1)
print("PASS: small data sets are validated once per epoch")
