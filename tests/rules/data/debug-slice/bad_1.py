from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, x, y):
        self.x = x[:20]
        self.y = y[:20]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
