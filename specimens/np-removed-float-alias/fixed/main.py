import numpy as np


def make_points(count, rng):
    centres = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
    return centres[rng.integers(0, 3, count)] + 0.4 * rng.standard_normal((count, 2))


class KMeans:
    """Lloyd's algorithm with the farthest points as a start."""

    def __init__(self, clusters, iterations=20):
        self.clusters, self.iterations = clusters, iterations

    def start(self, points):
        chosen = [points[0]]
        while len(chosen) < self.clusters:
            chosen.append(points[self.distances(points, np.array(chosen)).min(axis=1).argmax()])
        return np.array(chosen, dtype=float)

    @staticmethod
    def distances(points, centres):
        return ((points[:, None] - centres[None]) ** 2).sum(axis=2)

    def fit(self, points):
        self.centres = self.start(points)
        for _ in range(self.iterations):
            labels = self.predict(points)
            for k in range(self.clusters):
                if (labels == k).any():
                    self.centres[k] = points[labels == k].mean(axis=0)
        return self

    def predict(self, points):
        return self.distances(points, self.centres).argmin(axis=1).astype(int)


def cluster(seed):
    points = make_points(300, np.random.default_rng(seed))
    model = KMeans(3).fit(points)
    return model, np.bincount(model.predict(points), minlength=3)


if __name__ == "__main__":
    print("sizes of the clusters:", cluster(seed=0)[1])
