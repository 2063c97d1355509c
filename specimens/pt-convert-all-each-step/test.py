import sys

import torch
from torch.overrides import TorchFunctionMode

import main


class CountConversions(TorchFunctionMode):
    """Adds up the elements of tensors that to() and its relatives had to copy."""
    elements = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        names = ("to", "float", "cuda", "double", "type")
        if getattr(function, "__name__", "") in names and result is not args[0]:
            self.elements += result.numel()
        return result


values = []
for seed in range(5):
    torch.manual_seed(seed)
    pictures, labels = main.load_pictures(640, seed)
    model = main.build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    with CountConversions() as mode:
        losses = [main.train_epoch(model, optimizer, pictures, labels) for _ in range(2)]
    if not losses[1] < losses[0]:
        print(f"FAIL: mean losses of two epochs are {losses}")
        sys.exit(1)
    values.append(float(mode.elements))
for seed, value in enumerate(values):
    print(f"metric elements_converted {seed} {value!r}")
if not all(value <= 200000 for value in values):
    print(f"FAIL: {max(values):.0f} elements are converted in two epochs over 64000")
    sys.exit(1)
print(f"PASS: at most {max(values):.0f} elements are converted in two epochs over 64000")
