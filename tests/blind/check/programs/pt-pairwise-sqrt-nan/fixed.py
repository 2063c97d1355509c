import torch
import torch.nn as nn
import torch.nn.functional as F


def pairwise_distances(emb):
    sq = (emb.unsqueeze(1) - emb.unsqueeze(0)).pow(2).sum(-1)
    return torch.sqrt(sq + 1e-12)


class HardTriplet(nn.Module):
    def __init__(self, margin=0.3):
        super().__init__()
        self.margin = margin

    def forward(self, emb, labels):
        dist = pairwise_distances(emb)
        same = labels.unsqueeze(0) == labels.unsqueeze(1)
        hardest_pos = (dist * same.float()).max(dim=1).values
        hardest_neg = dist.masked_fill(same, 1e6).min(dim=1).values
        return F.relu(hardest_pos - hardest_neg + self.margin).mean()


class Embedder(nn.Module):
    def __init__(self, d_in=20, d_emb=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 32), nn.ReLU(), nn.Linear(32, d_emb))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def sample(n_ids=8, per_id=4, d=20):
    centres = torch.randn(n_ids, 1, d)
    x = centres + 0.3 * torch.randn(n_ids, per_id, d)
    labels = torch.arange(n_ids).repeat_interleave(per_id)
    return x.reshape(-1, d), labels


model = Embedder()
criterion = HardTriplet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for step in range(60):
    x, labels = sample()
    loss = criterion(model(x), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, loss.item())
print("finite weights:", all(torch.isfinite(p).all().item() for p in model.parameters()))
