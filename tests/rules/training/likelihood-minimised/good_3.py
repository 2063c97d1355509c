import torch
from torch import nn
from torch.distributions import Normal

policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(200):
    state, reward = torch.randn(20, 6), torch.randn(20)
    spread = Normal(policy(state), 1.0)
    guess = spread.rsample()
    value = -(guess ** 2).sum(dim=1)
    loss = (0.2 * spread.log_prob(guess).sum(dim=1) - value).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
