import numpy as np
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, count):
        self.images = np.random.rand(count, 28, 28).astype(np.float32)
        self.labels = np.random.randint(0, 10, count)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        image[:4] = 0.0
        return image, self.labels[i]


loader = DataLoader(Images(50), batch_size=5)
