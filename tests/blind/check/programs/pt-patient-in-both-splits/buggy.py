import numpy as np
import torch
from sklearn.model_selection import GroupShuffleSplit, train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load_scans(n_patients=60, scans_each=8, d=24, seed=1):
    """Feature vectors of scans; every patient has several of them."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(n_patients), scans_each)
    sick = rng.integers(0, 2, n_patients)
    anatomy = rng.normal(size=(n_patients, d))
    feats = anatomy[patient] + 0.3 * rng.normal(size=(len(patient), d))
    feats[:, 0] += 0.8 * sick[patient]
    return feats.astype(np.float32), sick[patient], patient


def split(feats, labels, patient, seed=0):
    idx = np.arange(len(feats))
    train, test = train_test_split(idx, test_size=0.25, stratify=labels, random_state=seed)
    return train, test


def standardise(feats, train):
    mean, std = feats[train].mean(0), feats[train].std(0)
    return (feats - mean) / std


class ScanNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2))

    def forward(self, x):
        return self.f(x)


def main():
    feats, labels, patient = load_scans()
    train, test = split(feats, labels, patient)
    x = torch.from_numpy(standardise(feats, train))
    y = torch.from_numpy(labels)
    loader = DataLoader(TensorDataset(x[train], y[train]), batch_size=24, shuffle=True)
    model = ScanNet(x.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(15):
        model.train()
        for xb, yb in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(xb), yb).backward()
            opt.step()
    model.eval()
    with torch.no_grad():
        acc = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"test accuracy {acc:.3f} on {len(test)} scans")


if __name__ == "__main__":
    main()
