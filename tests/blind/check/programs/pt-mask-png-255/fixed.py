import glob
import os

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

ROOT = os.environ.get("CELLS", "cells")


class CellMasks(Dataset):
    """cells/<name>_img.npy (uint8 gray image) and cells/<name>_mask.npy."""

    def __init__(self, root, names):
        self.root, self.names = root, names

    def __len__(self):
        return len(self.names)

    def load(self, name, suffix):
        return np.load(os.path.join(self.root, f"{name}_{suffix}.npy"))

    def __getitem__(self, i):
        name = self.names[i]
        image = torch.from_numpy(self.load(name, "img")).float().div(255).unsqueeze(0)
        mask = torch.from_numpy(self.load(name, "mask")).float().div(255).unsqueeze(0)
        return image, mask


def build():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(),
        nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(),
        nn.Conv2d(12, 1, 1),
    )


def iou(logits, mask):
    pred, truth = logits > 0, mask > 0.5
    inter = (pred & truth).sum().item()
    union = (pred | truth).sum().item()
    return inter, union


names = sorted(os.path.basename(p)[:-8] for p in glob.glob(os.path.join(ROOT, "*_img.npy")))
cut = int(0.8 * len(names))
train_dl = DataLoader(CellMasks(ROOT, names[:cut]), batch_size=8, shuffle=True)
valid_dl = DataLoader(CellMasks(ROOT, names[cut:]), batch_size=8)

model = build()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(20):
    model.train()
    running = 0.0
    for image, mask in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(image), mask)
        loss.backward()
        optimizer.step()
        running += loss.item()
    model.eval()
    inter = union = 0
    with torch.no_grad():
        for image, mask in valid_dl:
            a, b = iou(model(image), mask)
            inter, union = inter + a, union + b
    print(f"epoch {epoch} loss {running / len(train_dl):.3f} IoU {inter / max(union, 1):.3f}")
