import torch
import torch.nn as nn
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
x, y = torch.zeros(8, 4), torch.zeros(8, 1)
def fit(model):
    model.train()
    for e in range(100):
        opt.zero_grad()
        loss_fn(model(x), y).backward()
        opt.step()
        model.eval()


fit(nn.Linear(4, 1))
