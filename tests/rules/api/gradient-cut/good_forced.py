import torch
from torch import nn

model = nn.Linear(6, 3)
picture = torch.randn(8, 6)
picture.requires_grad = True
loss = nn.functional.cross_entropy(model(picture), torch.randint(0, 3, (8,)))
loss.backward()
print(picture.grad.sign())
