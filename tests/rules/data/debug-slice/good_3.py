from tensorflow.keras.utils import Sequence


class Batches(Sequence):
    def __init__(self, paths, size):
        self.paths = paths[:len(paths) // size * size]
        self.size = size

    def __len__(self):
        return len(self.paths) // self.size

    def __getitem__(self, i):
        return self.paths[i * self.size:(i + 1) * self.size]
