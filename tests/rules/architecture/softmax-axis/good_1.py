import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(32, 1)

    def forward(self, states):
        scores = self.score(states).squeeze(-1)
        weights = torch.softmax(scores, dim=1)
        return (weights.unsqueeze(-1) * states).sum(dim=1)


pooled = Pool()(torch.randn(4, 10, 32))
