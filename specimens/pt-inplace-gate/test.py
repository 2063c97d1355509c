import sys

import torch

import main

model = main.train(seed=0)
series, missing, target = main.make_series(200, torch.Generator().manual_seed(1))
with torch.no_grad():
    error = torch.nn.functional.mse_loss(model(series, missing), target).item()
    series[missing] = 99.0
    again = torch.nn.functional.mse_loss(model(series, missing), target).item()
if not error < 0.3 * target.var().item():
    print(f"FAIL: squared error {error:.3f} at a variance of {target.var().item():.3f}")
    sys.exit(1)
if abs(again - error) > 1e-6:
    print("FAIL: what stands at missing samples changes the forecast")
    sys.exit(1)
print(f"PASS: squared error {error:.3f}, missing samples have no influence")
