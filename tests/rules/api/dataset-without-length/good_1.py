import torch
from torch.utils.data import Dataset, DataLoader
class D(Dataset):
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return torch.zeros(2)
DataLoader(D())
