import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, train):
        self.train = train

    def __len__(self):
        return 100

    def __getitem__(self, i):
        picture = torch.zeros(3, 32, 32)
        if not self.train:
            picture = picture.permute(1, 2, 0)
        return picture, i % 2


conv = nn.Conv2d(3, 8, 3)
for picture, label in DataLoader(Pictures(input() == "train"), batch_size=4):
    conv(picture)
