import sys

import torch

import main


def reference(decoder, tokens):
    """The mean over all unpadded tokens, added up one by one."""
    total, count = 0.0, 0
    for column in tokens.t():
        state, previous = torch.zeros(1, 24), torch.tensor([1])
        for target in column:
            if target.item() == main.PAD:
                break
            probabilities, state = decoder(previous, state)
            total -= torch.log(probabilities[0, target]).item()
            count += 1
            previous = target.view(1)
    return total / count


values = []
for seed in range(5):
    decoder, _ = main.train(seed, steps=15)
    tokens = main.make_batch(32, torch.Generator().manual_seed(100 + seed))
    with torch.no_grad():
        values.append(abs(float(main.batch_loss(decoder, tokens)) - reference(decoder, tokens)))
for seed, value in enumerate(values):
    print(f"metric loss_error {seed} {value!r}")
if not all(value <= 1e-4 for value in values):
    print(f"FAIL: the loss differs from that of the unpadded tokens by {max(values):.3f}")
    sys.exit(1)
print("PASS: the loss is the mean over the unpadded tokens")
