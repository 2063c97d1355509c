import torch
import torch.nn.functional as F
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 32)
        self.b = nn.Linear(32, 2)

    def forward(self, x):
        return F.log_softmax(self.b(F.relu(self.a(x))), dim=-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters())
for states, actions, gain in episodes:
    loss = -(policy(states).gather(1, actions) * gain).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
