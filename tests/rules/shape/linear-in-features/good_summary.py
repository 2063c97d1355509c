import torch
import torch.nn as nn
import torchinfo
from torchsummary import summary


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.out = nn.Linear(8 * 26 * 26, 10)

    def forward(self, x):
        return self.out(self.conv(x).flatten(1))


summary(Net(), (1, 28, 28))
summary(Net(), input_size=[(1, 28, 28)])
torchinfo.summary(Net(), input_size=(16, 1, 28, 28))
torch.onnx.export(Net(), torch.zeros(1, 1, 28, 28), "net.onnx")
torch.jit.trace(Net(), torch.zeros(1, 1, 28, 28)).save("net.pt")
