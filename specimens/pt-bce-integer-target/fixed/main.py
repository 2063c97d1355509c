import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

TAGS = ["bright", "dark", "striped", "framed"]


class TaggedPatches(Dataset):
    """8x8 patches, each with a 0/1 list that says which tags it has."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.patches = []
        self.tags = []
        for _ in range(count):
            bright, striped, framed = torch.randint(0, 2, (3,), generator=generator).tolist()
            patch = 0.05 * torch.randn(8, 8, generator=generator) + 0.6 * bright
            patch[::2] += 0.3 * striped
            patch[0] -= 0.8 * framed
            patch[:, 0] -= 0.8 * framed
            self.patches.append(patch.flatten())
            self.tags.append([bright, 1 - bright, striped, framed])

    def __len__(self):
        return len(self.patches)

    def __getitem__(self, index):
        return self.patches[index], torch.tensor(self.tags[index], dtype=torch.float32)


def train(seed, epochs=8):
    torch.manual_seed(seed)
    loader = DataLoader(TaggedPatches(256, seed), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, len(TAGS)))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for patches, tags in loader:
            loss = criterion(model(patches), tags)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}  loss {loss.item():.4f}")
    return model


if __name__ == "__main__":
    train(seed=0)
