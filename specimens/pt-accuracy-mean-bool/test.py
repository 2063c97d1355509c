import sys

import main

history = main.Trainer(seed=0).run(epochs=4)
if len(history) != 4 or not all(0.0 <= value <= 1.0 for value in history):
    print(f"FAIL: accuracies of four epochs are {history}")
    sys.exit(1)
if history[-1] < 0.9:
    print(f"FAIL: last accuracy is {history[-1]:.3f}")
    sys.exit(1)
print(f"PASS: accuracies of four epochs are logged, the last is {history[-1]:.3f}")
