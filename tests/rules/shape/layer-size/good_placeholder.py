import torch.nn as nn


class Predictor(nn.Module):
    def __init__(self, in_size: int = -1, hidden=64, out_size=1):
        super().__init__()
        self.layers = nn.ModuleDict({"a": nn.Linear(in_size, hidden), "b": nn.Linear(hidden, out_size)})
        for layer in self.layers.values():
            layer.reset_parameters()
