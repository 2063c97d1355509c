import torch
import torch.nn as nn
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
x, y = torch.zeros(8, 4), torch.zeros(8, 1)
for i in range(10):
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
