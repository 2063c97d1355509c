import torch
from torch.utils.data import DataLoader, TensorDataset, RandomSampler
d = TensorDataset(torch.zeros(8, 2))
s = RandomSampler(d)
l = DataLoader(dataset=d, sampler=s, shuffle=True, num_workers=2)
