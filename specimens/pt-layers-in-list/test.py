import sys

import main

model, loss = main.fit(seed=0)
count = sum(p.numel() for p in model.parameters())
if count != 3 * 32 + 33 * 32 + 33:
    print(f"FAIL: the model has {count} parameters")
    sys.exit(1)
if not loss < 0.02:
    print(f"FAIL: the loss is {loss:.4f}")
    sys.exit(1)
print(f"PASS: all layers are trained, loss {loss:.4f}")
