import math
import sys

import main

loss = main.main()
if not math.isfinite(loss):
    print(f"FAIL: the loss of a scan is {loss}")
    sys.exit(1)
print(f"PASS: a scan of 1024x1024 is trained on, loss {loss:.3f}")
