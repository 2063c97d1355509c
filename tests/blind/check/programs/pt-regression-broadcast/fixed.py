# %% house prices, toy regression
import numpy as np
import torch
import torch.nn as nn

rng = np.random.default_rng(3)
n = 500
area = rng.uniform(30, 200, n)
rooms = rng.integers(1, 7, n)
age = rng.uniform(0, 80, n)
price = 2.1 * area + 15 * rooms - 0.6 * age + rng.normal(0, 8, n)

X = np.stack([area, rooms, age], axis=1).astype(np.float32)
y = price.astype(np.float32)

# %% split and scale with the training statistics
cut = 400
mu, sd = X[:cut].mean(0), X[:cut].std(0)
ymu, ysd = y[:cut].mean(), y[:cut].std()
Xtr, Xte = (X[:cut] - mu) / sd, (X[cut:] - mu) / sd
ytr, yte = (y[:cut] - ymu) / ysd, (y[cut:] - ymu) / ysd

Xtr, Xte = torch.from_numpy(Xtr), torch.from_numpy(Xte)
ytr, yte = torch.from_numpy(ytr), torch.from_numpy(yte)

# %% model
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)


def mse(pred, target):
    return ((pred - target) ** 2).mean()


# %% fit
for step in range(300):
    idx = torch.randint(0, cut, (64,))
    pred = net(Xtr[idx]).squeeze(1)
    loss = mse(pred, ytr[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, round(loss.item(), 4))

# %% evaluate
net.eval()
with torch.no_grad():
    out = net(Xte).squeeze(1) * float(ysd) + float(ymu)
    truth = yte * float(ysd) + float(ymu)
    print("test MAE", (out - truth).abs().mean().item())
