import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, default_collate


class Texts(Dataset):
    def __init__(self, texts):
        self.texts = [torch.tensor(t) for t in texts]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return self.texts[i]


def pad(items):
    return pad_sequence(items, batch_first=True)


data = Texts([[1, 2, 3], [4, 5], [6, 7, 8, 9]])
padded = DataLoader(data, batch_size=2, collate_fn=pad)
single = DataLoader(data, batch_size=1)
even = DataLoader(Texts([[1, 2], [3, 4]]), batch_size=2)
pairs = default_collate([(torch.zeros(3), 1), (torch.zeros(3), 2)])
