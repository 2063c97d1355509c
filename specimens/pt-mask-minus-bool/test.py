import sys

import torch

import main

model, losses = main.train(seed=0)
if not losses[-1] < losses[0]:
    print(f"FAIL: the loss went from {losses[0]:.3f} to {losses[-1]:.3f}")
    sys.exit(1)
tokens, tags = main.make_batch(8, torch.Generator().manual_seed(1))
with torch.no_grad():
    logits = model(tokens)
    loss = main.tag_loss(logits, tags, tokens)
    wanted = torch.nn.functional.cross_entropy(logits[tokens > 0], tags[tokens > 0])
if not torch.allclose(loss, wanted, atol=1e-5):
    print(f"FAIL: loss {loss:.4f}, over the words alone it is {wanted:.4f}")
    sys.exit(1)
print("PASS: the loss is the mean over the words without padding")
