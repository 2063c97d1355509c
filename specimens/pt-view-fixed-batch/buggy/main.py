import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)

BATCH = 32


class PatchNet(nn.Module):
    """8x8 patches to one of three textures."""

    def __init__(self, classes=3):
        super().__init__()
        self.hidden = nn.Linear(64, 24)
        self.out = nn.Linear(24, classes)

    def forward(self, x):
        x = x.view(BATCH, 64)
        return self.out(torch.relu(self.hidden(x)))


def make_data(count, seed):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 3, (count,), generator=generator)
    patches = 0.3 * torch.randn(count, 8, 8, generator=generator)
    patches[labels == 0, ::2, :] += 1.0
    patches[labels == 1, :, ::2] += 1.0
    return TensorDataset(patches, labels)


def train(seed, epochs=4, count=200):
    torch.manual_seed(seed)
    loader = DataLoader(make_data(count, seed), batch_size=BATCH, shuffle=True)
    model = PatchNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for step, (patches, labels) in enumerate(loader):
            loss = F.cross_entropy(model(patches), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(f"epoch {epoch} step {step} loss {loss.item():.3f}")
    return model, loss.item()


if __name__ == "__main__":
    train(seed=0)
