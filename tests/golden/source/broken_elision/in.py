class Net(nn.Module):
    def __init__(self):
        super().__init__()
        ...
    def forward(self, x):
        # ...
        x = self.conv(x)
        ... # more layers
        return x
....
net = Net()
