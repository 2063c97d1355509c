import torch
import torch.nn as nn
import torch.nn.functional as F

policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2), nn.Softmax(dim=1))
opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
states = torch.randn(10, 4)
probs = policy(states)
dist = torch.distributions.Categorical(probs)
action = dist.sample()
logp = dist.log_prob(action)
reward = torch.ones(10)
loss = -logp * reward
opt.zero_grad()
loss.backward()
opt.step()
