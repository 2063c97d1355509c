import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

WIDTH = 200


def load_series(count, seed):
    """Electric load every five minutes: two rhythms and noise."""
    rng = np.random.default_rng(seed)
    t = np.arange(count)
    return np.sin(t / 46.0) + 0.5 * np.sin(t / 7.3) + 0.05 * rng.standard_normal(count)


def make_windows(series):
    """Windows of WIDTH samples and the sample that follows each."""
    windows = np.array([series[i:i + WIDTH] for i in range(len(series) - WIDTH)])
    return windows, series[WIDTH:]


def fit(windows, targets, rng, steps=300, rate=0.005, batch=32):
    """Linear forecast by stochastic gradient descent."""
    w = np.zeros(WIDTH)
    for _ in range(steps):
        pick = rng.integers(0, len(windows), batch)
        x, y = windows[pick], targets[pick]
        w -= rate * x.T @ (x @ w - y) / batch
    return w


def train(seed, count=20000):
    """Weights and the mean squared error over the series."""
    series = load_series(count, seed)
    windows, targets = make_windows(series)
    w = fit(windows, targets, np.random.default_rng(seed))
    error = np.mean([(windows[i] @ w - targets[i]) ** 2 for i in range(0, len(windows), 50)])
    return w, float(error)


if __name__ == "__main__":
    print(f"mean squared error {train(seed=0)[1]:.4f}")
