import torch, torch.nn as nn
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=1.0)
loss_fn = nn.CrossEntropyLoss()
x = torch.randn(64, 10)
y = torch.randint(0, 2, (64,))
for epoch in range(100):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
