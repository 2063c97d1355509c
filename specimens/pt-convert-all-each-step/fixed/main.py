import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load_pictures(count, seed):
    """uint8 pictures of 10x10 with a bright row (class 0) or column (class 1)."""
    generator = torch.Generator().manual_seed(seed)
    pictures = torch.randint(0, 60, (count, 1, 10, 10), dtype=torch.uint8, generator=generator)
    labels = torch.randint(0, 2, (count,), generator=generator)
    line = torch.randint(0, 10, (count,), generator=generator)
    for i in range(count):
        where = (i, 0, line[i]) if labels[i] == 0 else (i, 0, slice(None), line[i])
        pictures[where] += 120
    return pictures, labels


def build_model():
    return nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 64, 2))


def train_epoch(model, optimizer, pictures, labels, batch_size=32):
    order = torch.randperm(len(pictures))
    total = 0.0
    for pick in order.split(batch_size):
        inputs = pictures[pick].to(DEVICE, torch.float32)
        targets = labels[pick].to(DEVICE)
        loss = F.cross_entropy(model(inputs / 255), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(pick)
    return total / len(pictures)


def train(seed, epochs=2, count=640):
    torch.manual_seed(seed)
    pictures, labels = load_pictures(count, seed)
    model = build_model().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    return [train_epoch(model, optimizer, pictures, labels) for _ in range(epochs)]


if __name__ == "__main__":
    print(train(seed=0))
