import torch
from torch.utils.data import DataLoader, TensorDataset
for x, in DataLoader(TensorDataset(torch.zeros(100, 3, 5, 5)), batch_size=4):
    y = x.view(-1, 75)
