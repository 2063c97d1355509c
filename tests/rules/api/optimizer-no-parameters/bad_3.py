import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()


opt = torch.optim.Adam(Net().parameters(), lr=0.1)
