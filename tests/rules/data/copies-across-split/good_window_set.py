import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, series):
        self.series = torch.tensor(series)

    def __len__(self):
        return len(self.series) - 24

    def __getitem__(self, i):
        return self.series[i:i + 24], self.series[i + 24]


series = np.load('series.npy')
train, test = Windows(series[:800]), Windows(series[800:])
