import torch
from torch.utils.data import DataLoader, Dataset


class Texts(Dataset):
    def __init__(self, texts):
        self.texts = [torch.tensor(t) for t in texts]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return self.texts[i]


loader = DataLoader(Texts([[1, 2, 3], [4, 5], [6, 7, 8, 9]]), batch_size=2)
