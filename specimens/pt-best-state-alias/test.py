import sys

import main

values = []
for seed in range(5):
    model, held_out, best = main.train(seed)
    values.append(abs(main.validation_loss(model, held_out) - best))
for seed, value in enumerate(values):
    print(f"metric loss_gap {seed} {value!r}")
if not all(value <= 1e-6 for value in values):
    print(f"FAIL: the returned model misses its best validation loss by up to {max(values):.4f}")
    sys.exit(1)
print("PASS: the returned model has the best validation loss")
