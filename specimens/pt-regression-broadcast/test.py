import sys

import torch

import main


def r2(seed):
    model = main.train(seed)
    x, y = main.make_data(1000 + seed)
    y = y.reshape(-1)
    with torch.no_grad():
        error = ((model(x).reshape(-1) - y) ** 2).sum()
    return (1 - error / ((y - y.mean()) ** 2).sum()).item()


values = [r2(seed) for seed in range(5)]
for seed, value in enumerate(values):
    print(f"metric r2 {seed} {value!r}")
if not all(value >= 0.95 for value in values):
    print(f"FAIL: lowest R2 on new rows is {min(values):.3f}, wanted at least 0.95")
    sys.exit(1)
print(f"PASS: lowest R2 on new rows is {min(values):.3f}")
