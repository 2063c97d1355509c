import torch
from torch.utils.data import DataLoader, Dataset


class Texts(Dataset):
    def __init__(self, sentences, labels, longest=128):
        self.sentences = sentences
        self.labels = torch.tensor(labels)
        self.longest = longest

    def __len__(self):
        return len(self.sentences)

    def __getitem__(self, index):
        return self.sentences[index][:self.longest], self.labels[index]


loader = DataLoader(Texts(["a b", "c"] * 500, [0, 1] * 500), batch_size=4)
