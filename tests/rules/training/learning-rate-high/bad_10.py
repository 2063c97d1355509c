import torch
net = torch.nn.Sequential(torch.nn.Linear(10, 50), torch.nn.ReLU(), torch.nn.Linear(50, 1))
opt = torch.optim.SGD(net.parameters(), lr=10)
x, y = torch.rand(32, 10), torch.rand(32, 1)
for i in range(10):
    loss = torch.nn.MSELoss()(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
