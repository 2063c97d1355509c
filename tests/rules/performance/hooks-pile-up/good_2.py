import torch
from torch import nn


def activations(model, x):
    values, handles = {}, []
    for name, layer in model.named_modules():
        handles.append(layer.register_forward_hook(lambda m, i, o, name=name: values.update({name: o})))
    with torch.no_grad():
        model(x)
    for handle in handles:
        handle.remove()
    return values


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
data = [torch.randn(3, 4) for _ in range(20)]
for x in data:
    print(activations(model, x))
