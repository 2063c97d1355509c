import torch
from torch import nn

G = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(), nn.Linear(64, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=2e-4)
d_opt = torch.optim.Adam(D.parameters(), lr=2e-4)
loss = nn.BCEWithLogitsLoss()
for real in batches:
    fake = G(torch.randn(32, 16))
    d_opt.zero_grad()
    d_loss = loss(D(real), torch.ones(32, 1)) + loss(D(fake.detach()), torch.zeros(32, 1))
    d_loss.backward()
    d_opt.step()
    g_loss = loss(D(fake), torch.ones(32, 1))
    g_loss.backward()
    g_opt.step()
