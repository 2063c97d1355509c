import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


opt = torch.optim.SGD(Net().parameters(), lr=0.1)
