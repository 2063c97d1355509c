import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, Subset, random_split


class RandomFlip:
    def __call__(self, img):
        return np.ascontiguousarray(img[:, ::-1]) if np.random.rand() < 0.5 else img


class RandomShift:
    def __init__(self, amount):
        self.amount = amount

    def __call__(self, img):
        dx, dy = np.random.randint(-self.amount, self.amount + 1, size=2)
        return np.roll(img, (dx, dy), axis=(0, 1))


class Pipeline:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, img):
        for s in self.steps:
            img = s(img)
        return torch.from_numpy(img.astype(np.float32)).unsqueeze(0)


class Shapes(Dataset):
    def __init__(self, images, labels, transform):
        self.images, self.labels, self.transform = images, labels, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.transform(self.images[i]), int(self.labels[i])


def make_images(n=240):
    labels = np.random.randint(0, 2, n)
    images = np.random.randn(n, 16, 16) * 0.2
    for im, lab in zip(images, labels):
        if lab:
            im[4:12, 4:12] += 1
        else:
            im[6:10, 2:14] += 1
    return images, labels


images, labels = make_images()
augment = Pipeline(RandomFlip(), RandomShift(3))
plain = Pipeline()
full = Shapes(images, labels, transform=augment)
train_set, val_set = random_split(full, [200, 40])
train_dl = DataLoader(train_set, batch_size=25, shuffle=True)
val_dl = DataLoader(val_set, batch_size=40)

model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4),
    nn.Flatten(), nn.Linear(8 * 16, 2),
)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(4):
    model.train()
    for x, y in train_dl:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        acc = np.mean([(model(x).argmax(1) == y).float().mean().item() for x, y in val_dl])
    print(epoch, acc)
