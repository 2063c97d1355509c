import sys

import torch
from torch import nn

import main

PROMPT, LENGTH = "the ", 60


def count_steps(model, counts):
    """Adds to counts the time steps that each call of a recurrent module handles."""
    def hook(module, inputs):
        sequence = not isinstance(module, nn.RNNCellBase)
        counts.append(inputs[0].shape[1 if module.batch_first else 0] if sequence else 1)
    for module in model.modules():
        if isinstance(module, (nn.RNNBase, nn.RNNCellBase)):
            module.register_forward_pre_hook(hook)


def check_text(model, text):
    """Each character after the prompt must be the most likely one, given all before it."""
    ids = torch.tensor([main.encode(text)])
    with torch.no_grad():
        logits = model(ids[:, :-1])[0][0, len(PROMPT) - 1:]
    chosen = logits.gather(1, ids[0, len(PROMPT):].unsqueeze(1)).squeeze(1)
    good = len(text) == len(PROMPT) + LENGTH and text.startswith(PROMPT)
    if not good or bool((chosen < logits.max(dim=1).values - 1e-3).any()):
        print(f"FAIL: not the most likely continuation: {text!r}")
        sys.exit(1)


values = []
for seed in range(5):
    model = main.train(seed, steps=5)
    counts = []
    count_steps(model, counts)
    text = main.generate(model, PROMPT, LENGTH)
    values.append(float(sum(counts)))
    check_text(model, text)
for seed, value in enumerate(values):
    print(f"metric gru_steps {seed} {value!r}")
if not all(value <= 150 for value in values):
    print(f"FAIL: {max(values):.0f} recurrent steps for {LENGTH} characters, wanted at most 150")
    sys.exit(1)
print(f"PASS: at most {max(values):.0f} recurrent steps for {LENGTH} characters")
