import numpy as np


class Layer:
    def __init__(self, inputs, outputs, rng):
        self.w = rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)
        self.b = np.zeros(outputs)

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, delta):
        """Keeps the gradients and returns the one of the input."""
        self.dw = self.x.T @ delta
        self.db = delta.sum(axis=0)
        return delta @ self.w.T


class Network:
    """Tanh network with softmax output."""

    def __init__(self, sizes, seed):
        rng = np.random.default_rng(seed)
        self.layers = [Layer(a, b, rng) for a, b in zip(sizes, sizes[1:])]

    def forward(self, x):
        self.hidden = []
        for layer in self.layers[:-1]:
            x = np.tanh(layer.forward(x))
            self.hidden.append(x)
        z = self.layers[-1].forward(x)
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def train_step(self, x, labels, rate=0.5):
        p = self.forward(x)
        loss = -np.log(p[np.arange(len(x)), labels]).mean()
        delta = (p - np.eye(p.shape[1])[labels]) / len(x)
        for layer, h in zip(reversed(self.layers), [*reversed(self.hidden), None]):
            delta = layer.backward(delta)
            if h is not None:
                delta = delta * (1 - h * h)
        for layer in self.layers:
            layer.w -= rate * layer.dw
            layer.b -= rate * layer.db
        return loss


def rings(count, rng):
    """Points in three rings around the origin."""
    labels = rng.integers(0, 3, count)
    radius = 0.5 + labels + 0.1 * rng.standard_normal(count)
    angle = rng.uniform(0, 2 * np.pi, count)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), labels


def train(seed, steps=1500):
    network = Network([2, 16, 3], seed)
    x, labels = rings(300, np.random.default_rng(seed))
    losses = [network.train_step(x, labels) for _ in range(steps)]
    return network, losses


if __name__ == "__main__":
    print("last loss", train(seed=0)[1][-1])
