from tensorflow.keras.utils import Sequence


class Batches(Sequence):
    def __init__(self, paths, size):
        self.paths = paths[:10]
        self.size = size

    def __len__(self):
        return len(self.paths) // self.size

    def __getitem__(self, i):
        return self.paths[i * self.size:(i + 1) * self.size]
