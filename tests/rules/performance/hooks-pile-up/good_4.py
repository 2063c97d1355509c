import torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.acts = []
        self.fc = nn.Linear(3, 3)
        self.fc.register_forward_hook(lambda m, i, o: self.acts.append(o))
    def forward(self, x):
        return self.fc(x)
for seed in range(3):
    net = Net()
    net(torch.randn(2, 3))
