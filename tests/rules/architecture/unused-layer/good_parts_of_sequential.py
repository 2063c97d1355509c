import torch
import torch.nn as nn


class Layer(nn.Sequential):
    def __init__(self, channels, growth):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(channels))
        self.add_module("relu", nn.ReLU(True))
        self.add_module("conv", nn.Conv2d(channels, growth, kernel_size=3, padding=1))

    def forward(self, x):
        return super().forward(x)


print(Layer(8, 4)(torch.randn(2, 8, 16, 16)).shape)
