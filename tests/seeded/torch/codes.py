import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Coder(nn.Module):
    def __init__(self, size=784, hidden=400, code=20):
        super().__init__()
        self.fc1 = nn.Linear(size, hidden)
        self.mean = nn.Linear(hidden, code)
        self.logvar = nn.Linear(hidden, code)
        self.fc3 = nn.Linear(code, hidden)
        self.fc4 = nn.Linear(hidden, size)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.mean(h), self.logvar(h).clamp(-10, 10)

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mean, logvar = self.encode(x.view(-1, 784))
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * logvar)
        return self.decode(z), mean, logvar


def loss_function(recon, x, mean, logvar):
    bce = F.binary_cross_entropy(recon, x.view(-1, 784), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())
    return bce + kld


device = "cuda" if torch.cuda.is_available() else "cpu"
loader = DataLoader(datasets.MNIST("data", download=True, transform=transforms.ToTensor()),
                    batch_size=128, shuffle=True)
model = Coder().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(30):
    total = 0
    for data, _ in loader:
        data = data.to(device)
        optimizer.zero_grad()
        recon, mean, logvar = model(data)
        loss = loss_function(recon, data, mean, logvar)
        loss.backward()
        total += loss.item()
        optimizer.step()
    print(epoch, total / len(loader.dataset))
