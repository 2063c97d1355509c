import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 20, batch_first=True)
        self.fc = nn.Linear(20, 2)
    def forward(self, x):
        x, _ = self.lstm(x)
        return self.fc(x)
Net()(torch.randn(4, 7, 10))
