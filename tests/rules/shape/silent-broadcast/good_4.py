import torch
x = torch.rand(50, 1)
y = torch.rand(50, 1)
model = torch.nn.Sequential(torch.nn.Linear(1, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for i in range(1000):
    loss = torch.nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
