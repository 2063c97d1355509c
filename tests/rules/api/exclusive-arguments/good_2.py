import torch
from torch.utils.data import DataLoader, TensorDataset, RandomSampler
d = TensorDataset(torch.zeros(8, 2))
l = DataLoader(d, batch_size=2, shuffle=True)
