import torch
import torch.nn as nn
from book import add_to_class


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width


@add_to_class(Net)
def __init__(self, width, depth=2):
    nn.Module.__init__(self)
    self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))


net = Net(8, depth=3)
torch.pi = torch.acos(torch.zeros(1)) * 2
print(torch.sqrt(2 * torch.pi))
epsilon = torch.tensor([0.01, -0.03])
print(epsilon.dot(torch.tensor([torch.exp(torch.zeros(1)), torch.exp(torch.zeros(1))])))
