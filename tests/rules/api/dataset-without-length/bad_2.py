import torch
from torch.utils.data import Dataset, DataLoader
class Rows(Dataset):
    def __init__(self, n):
        self.n = n
    def len(self):
        return self.n
    def __getitem__(self, i):
        return i
loader = DataLoader(Rows(5), batch_size=2, shuffle=True)
