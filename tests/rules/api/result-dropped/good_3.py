import numpy as np
import torch

weights = torch.nn.Parameter(torch.zeros(3))
order = np.array([3, 1, 2])
order.sort()
order.fill(0)
loss = (weights * 2).sum()
loss.backward()
weights.retain_grad()
try:
    weights.view(1, 3)
except RuntimeError:
    print('the view is not possible')
