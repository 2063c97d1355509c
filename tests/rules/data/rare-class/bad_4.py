import torch, torch.nn as nn
from sklearn.datasets import make_classification
from torch.utils.data import TensorDataset, DataLoader
X, y = make_classification(n_samples=5000, n_features=20, weights=[0.97, 0.03])
ds = TensorDataset(torch.tensor(X, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))
dl = DataLoader(ds, batch_size=64, shuffle=True)
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters())
crit = nn.BCEWithLogitsLoss()
for ep in range(10):
    for xb, yb in dl:
        opt.zero_grad()
        loss = crit(net(xb).squeeze(1), yb)
        loss.backward()
        opt.step()
