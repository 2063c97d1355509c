import torch
import torch.nn as nn

layer = nn.Linear(4, 3)
steps = torch.randn(5, 4)
scores = torch.zeros(5, 3)
for i in range(5):
    scores[i] = layer(steps[i])
loss = scores.pow(2).mean()
loss.backward()

m = torch.ones(1, 2, requires_grad=True)
n = torch.zeros(1, 2)
n[0, 0] = m[0, 0] ** 2
n[0, 1] = m[0, 1] ** 3
n.backward(torch.ones(1, 2))
