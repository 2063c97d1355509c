import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(200):
    state, reward = torch.randn(20, 6), torch.randn(20)
    losses = []
    for s, r in zip(state, reward):
        choice = Categorical(logits=policy(s))
        losses.append(-choice.log_prob(choice.sample()) * r)
    loss = torch.stack(losses).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
