import os
import sys
import tempfile

import torch

import main

values = []
for seed in range(5):
    with tempfile.TemporaryDirectory() as folder:
        paths = main.train(seed, folder)
        items = torch.load(paths[-1])
        if len(items) != 3 or any(tuple(item["picture"].shape) != (16, 16) for item in items):
            print("FAIL: the file does not hold three pictures")
            sys.exit(1)
        values.append(float(max(os.path.getsize(path) for path in paths)))
for seed, value in enumerate(values):
    print(f"metric file_bytes {seed} {value!r}")
if not all(value <= 50000 for value in values):
    print(f"FAIL: a file with three pictures of 1024 bytes has {max(values):.0f} bytes")
    sys.exit(1)
print(f"PASS: a file with three pictures of 1024 bytes has {max(values):.0f} bytes")
