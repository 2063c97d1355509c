import sys

import torch
from torch.overrides import TorchFunctionMode

import main


class CountCalls(TorchFunctionMode):
    calls = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.calls += 1
        return function(*args, **(kwargs or {}))


values = []
for seed in range(5):
    body = main.embed(seed, steps=20)
    generator = torch.Generator().manual_seed(seed)
    references, labels = main.make_leaves(100, generator)
    queries, wanted = main.make_leaves(40, generator)
    with CountCalls() as mode:
        got = main.classify(body, queries, references, labels)
    values.append(float(mode.calls))
    if (got == wanted).float().mean().item() < 0.8:
        print("FAIL: less than 0.8 of the leaves are recognised")
        sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric tensor_calls {seed} {value!r}")
if not all(value <= 200 for value in values):
    print(f"FAIL: {max(values):.0f} tensor operations for 40 queries and 100 references")
    sys.exit(1)
print(f"PASS: {max(values):.0f} tensor operations for 40 queries and 100 references")
