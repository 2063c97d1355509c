import torch
from torch import nn


class Agent:
    def __init__(self):
        self.actor = nn.Linear(8, 2)
        self.slow = self.actor
        self.optimizer = torch.optim.Adam(self.actor.parameters())

    def follow(self):
        self.slow.load_state_dict(self.actor.state_dict())


Agent().follow()
