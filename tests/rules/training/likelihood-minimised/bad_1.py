import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(200):
    state, reward = torch.randn(20, 6), torch.randn(20)
    choice = Categorical(logits=policy(state))
    action = choice.sample()
    loss = (choice.log_prob(action) * reward).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
