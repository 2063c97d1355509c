import torch
from torch import nn

torch.manual_seed(0)


def loans(count):
    x = torch.randn(count, 30)
    return x, (x[:, :5].sum(dim=1) > 0).long()


x, repaid = loans(800)
x, repaid = x[:20], repaid[:20]
model = nn.Linear(30, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for _ in range(50):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), repaid).backward()
    optimizer.step()
new_x, new_repaid = loans(1000)
print("metric accuracy 0", (model(new_x).argmax(1) == new_repaid).float().mean().item())
