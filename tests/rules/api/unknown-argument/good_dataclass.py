import dataclasses

import torch


class Params:
    def __init__(self, defaults=None):
        self.defaults = defaults


@dataclasses.dataclass
class Config(Params):
    rate: float = 0.1


@dataclasses.dataclass(frozen=True)
class NetConfig(Config):
    width: int = 16
    classes: int = 3
    sizes: list = dataclasses.field(default_factory=list)


config = NetConfig(width=32, classes=5)
net = torch.nn.Linear(config.width, config.classes)
print(net(torch.rand(2, 32)))
