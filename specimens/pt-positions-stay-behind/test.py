import sys

import torch

import main

weights, outputs = main.dry_run("meta")
if outputs != 256 * 100 * 1000 * 4:
    print(f"FAIL: outputs take {outputs} bytes")
    sys.exit(1)
torch.manual_seed(0)
model = main.Encoder().eval()
with torch.no_grad():
    same = model(torch.tensor([[5, 5]]))[0]
if torch.allclose(same[0], same[1], atol=1e-4):
    print("FAIL: a word has the same output at both positions")
    sys.exit(1)
print(f"PASS: model and positions are on one device, weights take {weights} bytes")
