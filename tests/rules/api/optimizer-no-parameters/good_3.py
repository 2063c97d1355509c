import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body


def make(body):
    return torch.optim.Adam(Net(body).parameters(), lr=0.1)
