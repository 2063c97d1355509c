import numpy as np, torch
from torch.utils.data import Dataset, DataLoader
class Scans(Dataset):
    def __init__(self, path):
        self.volumes = np.load(path).astype(np.float32)
        self.mean, self.std = self.volumes.mean(), self.volumes.std()
    def __len__(self):
        return self.volumes.shape[0]
    def __getitem__(self, idx):
        v = self.volumes[idx]
        v -= self.mean
        v /= self.std
        return torch.from_numpy(v)
for batch in DataLoader(Scans("scans.npy"), batch_size=4):
    print(batch.mean())
