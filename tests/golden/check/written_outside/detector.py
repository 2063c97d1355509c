import torch.nn as nn

from net import Detector


class Small(Detector):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(4, 4)

    def head(self, x):
        return x
