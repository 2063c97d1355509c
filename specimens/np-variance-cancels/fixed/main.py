import numpy as np

COLUMNS = ("temperature", "humidity", "pressure")


def readings(seed, count=5000):
    """A weather station: degrees Celsius, per cent, Pascal."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.normal(15, 6, count), rng.normal(60, 12, count),
                     rng.normal(101325, 5, count)], axis=1).astype(np.float32)


class RunningNorm:
    """Mean and deviation over all rows seen so far, in batches."""

    def __init__(self, columns):
        self.count = 0
        self.total = np.zeros(columns, dtype=np.float64)
        self.squares = np.zeros(columns, dtype=np.float64)

    def update(self, batch):
        batch = batch.astype(np.float64)
        self.count += len(batch)
        self.total += batch.sum(axis=0)
        self.squares += (batch * batch).sum(axis=0)

    @property
    def mean(self):
        return self.total / self.count

    @property
    def std(self):
        variance = self.squares / self.count - self.mean ** 2
        return np.sqrt(np.maximum(variance, 1e-2))

    def __call__(self, batch):
        return (batch - self.mean) / self.std


def fit(seed, batch_size=100):
    data = readings(seed)
    norm = RunningNorm(len(COLUMNS))
    for start in range(0, len(data), batch_size):
        norm.update(data[start:start + batch_size])
    return norm, data


def scale_error(seed):
    norm, data = fit(seed)
    true = data.astype(np.float64).std(axis=0)
    return float(np.max(np.abs(norm.std - true) / true))


if __name__ == "__main__":
    norm, data = fit(seed=0)
    spread = norm(data).std(axis=0)
    for name, mean, std, after in zip(COLUMNS, norm.mean, norm.std, spread):
        print(f"{name:12s} mean {mean:10.1f}  std {std:8.3f}  spread after scaling {after:.3f}")
