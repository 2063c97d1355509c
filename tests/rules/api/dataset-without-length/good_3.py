import torch
from torch.utils.data import Dataset, DataLoader
from torch.utils.data import IterableDataset
class D(IterableDataset):
    def __iter__(self):
        return iter(range(3))
for x in DataLoader(D(), batch_size=2):
    print(x)
