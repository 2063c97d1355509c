import torch

net = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(100):
    optimizer.zero_grad()
    net(torch.rand(8, 3)).pow(2).mean().backward()
    optimizer.step()
