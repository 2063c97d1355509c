import torch
from torch import nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(7, 24)
        self.out = nn.Linear(24, 10)


Digits().load_state_dict(nn.DataParallel(Digits()).state_dict())
