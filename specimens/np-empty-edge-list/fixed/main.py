import numpy as np


def make_edges(nodes, rng):
    """Each node links to the one two places on; some nodes are shy."""
    return [(n, (n + 2) % nodes) for n in range(nodes) if rng.random() < 0.7]


def buckets(edges, parts):
    """Edges by the part of their source and that of their target, as arrays of pairs."""
    table = {(a, b): [] for a in range(parts) for b in range(parts)}
    for source, target in edges:
        table[source % parts, target % parts].append((source, target))
    return {key: np.array(pairs, dtype=np.int64).reshape(-1, 2) for key, pairs in table.items()}


class Embedding:
    """Vectors whose products are large for linked nodes; trained bucket by bucket."""

    def __init__(self, nodes, dimension, rng):
        self.vectors = 0.1 * rng.standard_normal((nodes, dimension))
        self.rng = rng

    def train_bucket(self, pairs, rate=0.1):
        sources, targets = pairs[:, 0], pairs[:, 1]
        wrong = self.rng.integers(0, len(self.vectors), len(pairs))
        for others, label in ((targets, 1.0), (wrong, 0.0)):
            score = (self.vectors[sources] * self.vectors[others]).sum(axis=1)
            error = (1.0 / (1.0 + np.exp(-score)) - label)[:, None]
            step = rate * error * self.vectors[others]
            np.subtract.at(self.vectors, others, rate * error * self.vectors[sources])
            np.subtract.at(self.vectors, sources, step)
        return len(pairs)


def train(seed, nodes=60, parts=4, epochs=30):
    rng = np.random.default_rng(seed)
    table = buckets(make_edges(nodes, rng), parts)
    model = Embedding(nodes, 8, rng)
    seen = 0
    for _ in range(epochs):
        for pairs in table.values():
            seen += model.train_bucket(pairs)
    return model, seen


if __name__ == "__main__":
    print("edges seen:", train(seed=0)[1])
