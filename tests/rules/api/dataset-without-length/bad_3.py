import torch
from torch.utils.data import Dataset, DataLoader
class D(Dataset):
    def __length__(self):
        return 3
    def __getitem__(self, i):
        return i
for x in DataLoader(D(), batch_size=2):
    print(x)
