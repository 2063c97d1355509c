from torch import nn


class Head(nn.Module):
    def __init__(self, size=1024, hidden=2048):
        super().__init__()
        self.fc = nn.Linear(32 * (size // 64) ** 2, hidden)


head = Head()
