import numpy as np

FRUIT = ("apple", "pear", "plum")


def harvest(seed, count):
    """Weight, length, width and colour of fruit, standardised."""
    rng = np.random.default_rng(seed)
    typical = np.array([[0.8, 0.2, 0.9, -0.5], [0.9, 1.2, 0.1, -0.9], [-1.2, -1.0, -0.8, 1.1]])
    kind = rng.integers(0, 3, count)
    return typical[kind] + 0.4 * rng.normal(size=(count, 4)), kind


class Network:
    def __init__(self, rng, hidden=12):
        self.w1 = rng.normal(0, 0.5, (4, hidden))
        self.w2 = rng.normal(0, 0.5, (hidden, 3))

    def forward(self, x):
        self.h = np.tanh(x @ self.w1)
        scores = self.h @ self.w2
        exp = np.exp(scores - scores.max(axis=1, keepdims=True))
        return exp / exp.sum(axis=1, keepdims=True)

    def learn(self, x, kind, rate):
        p = self.forward(x)
        error = (p - np.eye(3)[kind]) / len(x)
        back = (error @ self.w2.T) * (1 - self.h ** 2)
        self.w2 -= rate * self.h.T @ error
        self.w1 -= rate * x.T @ back
        return -np.log(p[np.arange(len(x)), kind] + 1e-12).mean()


def train(seed, epochs=25, batch_size=20):
    rng = np.random.default_rng(seed)
    x, kind = harvest(seed, 400)
    net = Network(rng)
    for epoch in range(epochs):
        rng.shuffle(x)
        rng.shuffle(kind)
        losses = [net.learn(x[i:i + batch_size], kind[i:i + batch_size], rate=0.3)
                  for i in range(0, len(x), batch_size)]
        if epoch % 6 == 0:
            print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}")
    new_x, new_kind = harvest(seed + 33, 300)
    return float((net.forward(new_x).argmax(axis=1) == new_kind).mean())


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
