import torch
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self):
        self.signals = torch.randn(100, 64)

    def __len__(self):
        return 100

    def __getitem__(self, index):
        signal = self.signals[index]
        signal += 0.1 * torch.randn(64)
        return signal


for batch in DataLoader(Signals(), batch_size=10):
    print(batch.shape)
