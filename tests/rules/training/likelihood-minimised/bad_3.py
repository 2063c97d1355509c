import torch
from torch import nn
from torch.distributions import Normal

policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(200):
    state, reward = torch.randn(20, 6), torch.randn(20)
    loss = Normal(policy(state), 1.0).log_prob(torch.randn(20, 3)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
