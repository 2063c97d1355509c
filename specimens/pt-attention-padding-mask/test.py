import sys

import torch

import main

torch.manual_seed(0)
encoder = main.SentenceEncoder().eval()
with torch.no_grad():
    together = encoder(main.pad(main.SENTENCES))
    alone = torch.cat([encoder(torch.tensor([s])) for s in main.SENTENCES])
if tuple(together.shape) != (6, 32):
    print(f"FAIL: six sentences become {tuple(together.shape)}")
    sys.exit(1)
if not torch.allclose(together, alone, atol=1e-5):
    print("FAIL: padding changes the vector of a sentence")
    sys.exit(1)
print("PASS: a padded sentence has the vector it has alone")
