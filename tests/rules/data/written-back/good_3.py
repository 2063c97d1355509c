import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self):
        self.pictures = torch.rand(40, 3, 16, 16)

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        picture = self.pictures[index]
        picture = picture.sub(0.5).div(0.25)
        return picture


loader = DataLoader(Pictures(), batch_size=8)
