import torch
import torch.nn as nn
import torch.nn.functional as F

G = nn.Linear(4, 8)
D = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
og = torch.optim.Adam(G.parameters())
od = torch.optim.Adam(D.parameters())
for i in range(10):
    fake = G(torch.randn(16, 4))
    d_loss = F.binary_cross_entropy(D(fake.detach()), torch.zeros(16, 1))
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = F.binary_cross_entropy(D(fake), torch.ones(16, 1))
    og.zero_grad()
    g_loss.backward()
    og.step()
