import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.score = nn.Linear(size, 1)

    def forward(self, states, mask):
        weights = F.softmax(self.score(states).squeeze(-1), dim=1) * mask
        weights = weights / weights.sum(1, keepdim=True)
        return (weights.unsqueeze(-1) * states).sum(1)
