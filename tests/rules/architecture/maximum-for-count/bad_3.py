import torch
import torch.nn.functional as F
from torch import nn


class Crowd(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(4, 16, 5)
        self.last = nn.Linear(16, 1)

    def forward(self, signal):
        x = torch.relu(self.first(signal))
        x = F.adaptive_max_pool1d(x, 1)
        return self.last(x.flatten(1)).squeeze(1)


model = Crowd()
people_count = torch.randint(0, 40, (8,)).float()
loss = F.l1_loss(model(torch.randn(8, 4, 100)), people_count)
loss.backward()
