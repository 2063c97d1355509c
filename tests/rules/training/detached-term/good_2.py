import torch
import torch.nn.functional as F
from torch import nn

small, large = nn.Linear(20, 5), nn.Linear(20, 5)
optimizer = torch.optim.SGD(small.parameters(), lr=0.1)
for x, y in loader:
    guess = small(x)
    with_teacher = F.mse_loss(guess, large(x).detach())
    total = F.cross_entropy(guess, y) + with_teacher
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
