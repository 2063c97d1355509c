import torch
from torch import nn

maker = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16))
judge = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
step = torch.optim.Adam(maker.parameters(), lr=1e-4)
distance = nn.MSELoss()
verdict = nn.BCEWithLogitsLoss()
for seed, truth in loader:
    made = maker(seed)
    opinion = judge(made)
    loss = distance(made, truth) + 0.01 * verdict(opinion, torch.ones_like(opinion))
    step.zero_grad()
    loss.backward()
    step.step()
