import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_pictures(count, seed):
    """16x16 pictures; the class says whether the upper or the lower half is brighter."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 2, (count,), generator=generator)
    pictures = torch.randn(count, 16, 16, generator=generator)
    pictures[labels == 0, :8] += 0.2
    pictures[labels == 1, 8:] += 0.2
    return pictures, labels


def hardest(model, pictures, labels, count=3):
    """The pictures with the largest losses, each with its label and loss."""
    with torch.no_grad():
        losses = F.cross_entropy(model(pictures), labels, reduction="none")
    order = losses.argsort(descending=True)[:count].tolist()
    return [{"picture": pictures[i].clone(), "label": int(labels[i]), "loss": float(losses[i])}
            for i in order]


def train(seed, folder, epochs=3, count=600):
    """Trains, saves the hardest pictures of each epoch, and returns the paths."""
    torch.manual_seed(seed)
    pictures, labels = make_pictures(count, seed)
    model = nn.Sequential(nn.Flatten(), nn.Linear(256, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    paths = []
    for epoch in range(epochs):
        for pick in torch.randperm(count).split(50):
            loss = F.cross_entropy(model(pictures[pick]), labels[pick])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        paths.append(os.path.join(folder, f"hardest-{epoch}.pt"))
        torch.save(hardest(model, pictures, labels), paths[-1])
    return paths


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for path in train(seed=0, folder=place):
            print(os.path.basename(path), os.path.getsize(path), "bytes")
