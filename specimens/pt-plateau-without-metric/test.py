import sys

import main

for kind in ("plateau", "step"):
    history = main.train(kind, seed=0)
    if len(history) != 8 or not history[-1][1] < 0.1:
        print(f"FAIL: history with {kind} is {history}")
        sys.exit(1)
if not main.train("step", seed=0)[-1][0] < 0.05:
    print("FAIL: the rate of the step schedule did not fall")
    sys.exit(1)
print("PASS: both schedulers run to the end")
