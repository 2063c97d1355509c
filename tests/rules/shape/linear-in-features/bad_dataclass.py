from dataclasses import dataclass

import torch


@dataclass
class Config:
    width: int = 16
    classes: int = 3

    def __post_init__(self):
        self.half = self.width // 2


config = Config(width=32)
net = torch.nn.Linear(config.half, config.classes)
print(net(torch.rand(2, 32)))
