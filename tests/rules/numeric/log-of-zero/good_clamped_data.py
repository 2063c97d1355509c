import torch
import torch.nn as nn

net = nn.Linear(4, 3)


def loss_of(x, target):
    dist = torch.softmax(net(x), dim=1)
    dist.data.clamp_(0.01, 0.99)
    return -(target * dist.log()).sum(1).mean()


loss_of(torch.randn(8, 4), torch.eye(3)[torch.randint(0, 3, (8,))]).backward()
