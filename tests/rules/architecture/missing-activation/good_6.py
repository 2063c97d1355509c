import torch
from torch import nn, optim
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
x = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
y = torch.tensor([[0.], [1.], [1.], [0.]])
opt = optim.SGD(model.parameters(), lr=0.5)
for epoch in range(5000):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy(model(x), y)
    loss.backward()
    opt.step()
