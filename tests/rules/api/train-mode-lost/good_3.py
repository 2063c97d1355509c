import torch
import torch.nn as nn
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
x, y = torch.zeros(8, 4), torch.zeros(8, 1)
frozen = nn.Linear(4, 4)
for e in range(100):
    frozen.eval()
    opt.zero_grad()
    loss_fn(model(frozen(x)), y).backward()
    opt.step()
