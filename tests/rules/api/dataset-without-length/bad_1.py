import torch
from torch.utils.data import Dataset, DataLoader
class D(Dataset):
    def __getitem__(self, i):
        return torch.zeros(2)
DataLoader(D())
