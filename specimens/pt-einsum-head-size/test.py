import sys

import torch

import main

out = main.embed(seed=0)
if tuple(out.shape) != (7, 24):
    print(f"FAIL: seven nodes become {tuple(out.shape)}")
    sys.exit(1)
torch.manual_seed(0)
layer = main.GraphAttention(inputs=5)
same = torch.ones(7, 5)
want = layer.project(same)
if not torch.allclose(layer(same, main.make_edges(7)), want, atol=1e-5):
    print("FAIL: attention over equal neighbours is not their common value")
    sys.exit(1)
print("PASS: attention weights add up to one in every head")
