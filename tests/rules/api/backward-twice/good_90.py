import torch
from torch import nn

rnn = nn.GRU(6, 12)
head = nn.Linear(12, 1)
opt = torch.optim.Adam(list(rnn.parameters()) + list(head.parameters()))
state = torch.zeros(1, 4, 12)
for chunk in range(50):
    seq, goal = torch.randn(9, 4, 6), torch.randn(4, 1)
    out, state = rnn(seq, state.detach())
    loss = ((head(out[-1]) - goal) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
