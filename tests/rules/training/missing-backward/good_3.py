import torch
import torch.nn as nn


def train(net, x, y):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()


train(nn.Linear(4, 1), torch.rand(32, 4), torch.rand(32, 1))
