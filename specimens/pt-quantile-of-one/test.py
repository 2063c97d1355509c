import sys

import torch

import main

values = []
for seed in range(5):
    samples = main.Posterior().sample(4096, seed)
    finite = samples[torch.isfinite(samples).all(dim=1)]
    values.append(float((~torch.isfinite(samples)).sum()))
    if (finite.mean(dim=0) - main.Posterior().mean).abs().max().item() > 0.05:
        print(f"FAIL: the samples have mean {finite.mean(dim=0).tolist()}")
        sys.exit(1)
for seed, value in enumerate(values):
    print(f"metric infinite_samples {seed} {value!r}")
if any(values):
    print(f"FAIL: up to {max(values):.0f} of 8192 numbers are infinite")
    sys.exit(1)
print("PASS: all samples are finite")
