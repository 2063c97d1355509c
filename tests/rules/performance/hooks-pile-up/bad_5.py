import torch, torch.nn as nn
class CAM:
    def __init__(self, model):
        self.model = model
        self.acts = None
    def save(self, m, i, o):
        self.acts = o
    def __call__(self, x):
        self.model.conv.register_forward_hook(self.save)
        out = self.model(x)
        return self.acts
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
    def forward(self, x):
        return self.conv(x)
cam = CAM(Net())
for i in range(50):
    cam(torch.randn(1, 3, 32, 32))
