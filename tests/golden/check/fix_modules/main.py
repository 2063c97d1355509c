import torch
from model import Net

print(Net()(torch.zeros(4, 8)))
