import torch
import torch.nn as nn
import torch.nn.functional as F


class FactorisationNet(nn.Module):
    """User/item rating model with a small deep part."""

    def __init__(self, n_users, n_items, dim=16, p=0.2):
        super().__init__()
        self.p = p
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.fc1 = nn.Linear(2 * dim, 32)
        self.fc2 = nn.Linear(32, 1)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, u, i):
        eu, ei = self.user(u), self.item(i)
        dot = (eu * ei).sum(1)
        h = F.relu(self.fc1(torch.cat([eu, ei], dim=1)))
        h = F.dropout(h, p=self.p, training=self.training)
        return dot + self.fc2(h).squeeze(1) + self.bias


def ratings(n, n_users=50, n_items=40):
    g = torch.Generator().manual_seed(2)
    a, b = torch.randn(n_users, 3, generator=g), torch.randn(n_items, 3, generator=g)
    u, i = torch.randint(0, n_users, (n,)), torch.randint(0, n_items, (n,))
    return u, i, 3 + (a[u] * b[i]).sum(1) + 0.2 * torch.randn(n)


def rmse(model, data):
    model.eval()
    u, i, r = data
    with torch.no_grad():
        return F.mse_loss(model(u, i), r).sqrt().item()


train_data, test_data = ratings(1500), ratings(300)
model = FactorisationNet(50, 40)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
for epoch in range(6):
    model.train()
    u, i, r = train_data
    for idx in torch.randperm(len(r)).split(64):
        optimizer.zero_grad()
        loss = F.mse_loss(model(u[idx], i[idx]), r[idx])
        loss.backward()
        optimizer.step()
    print(epoch, round(rmse(model, test_data), 3))
