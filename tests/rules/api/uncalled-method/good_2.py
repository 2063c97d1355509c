import torch

net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(), torch.nn.Linear(8, 1))
net.eval()
with torch.no_grad():
    print(net(torch.rand(8, 3)))
