import csv

import numpy as np


def load(path="data/readings.csv"):
    """Sensor readings of a machine and whether it failed within the hour."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    table = np.array(rows, dtype=np.float64)
    return table[:, :-1], table[:, -1]


def standardize(x, mean, std):
    return (x - mean) / std


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-np.clip(z, -30, 30)))


def log_loss(p, y):
    p = np.clip(p, 1e-7, 1 - 1e-7)
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


def train(seed, epochs=300, rate=0.5, hidden=8):
    rng = np.random.default_rng(seed)
    x, y = load()
    order = rng.permutation(len(x))
    fit, held = order[:180], order[180:]
    mean, std = x[fit].mean(axis=0), x[fit].std(axis=0)
    x = standardize(x, mean, std)
    w1 = rng.normal(0, 0.5, (x.shape[1], hidden))
    b1 = np.zeros(hidden)
    w2 = rng.normal(0, 0.5, hidden)
    b2 = 0.0
    for _ in range(epochs):
        h = np.tanh(x[fit] @ w1 + b1)
        error = (sigmoid(h @ w2 + b2) - y[fit]) / len(fit)
        back = np.outer(error, w2) * (1 - h**2)
        w2 -= rate * (h.T @ error)
        b2 -= rate * error.sum()
        w1 -= rate * (x[fit].T @ back)
        b1 -= rate * back.sum(axis=0)
    p = sigmoid(np.tanh(x[held] @ w1 + b1) @ w2 + b2)
    return log_loss(p, y[held]), float(np.mean((p > 0.5) == y[held]))


if __name__ == "__main__":
    loss, accuracy = train(seed=0)
    print(f"held-out loss {loss:.4f}  accuracy {accuracy:.3f}")
