import sys

import main

model, losses = main.train()
rate = float(model.optimizer.learning_rate.numpy())
if abs(rate - 0.01) > 1e-6:
    print(f"FAIL: the learning rate is {rate}")
    sys.exit(1)
if not losses[-1] < 0.2 * losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    sys.exit(1)
print(f"PASS: trained with rate 0.01, loss {losses[0]:.3f} to {losses[-1]:.3f}")
