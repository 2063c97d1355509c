import torch

torch.set_num_threads(1)


def base_samples(count, dimension, seed, bits=12):
    """Quasi-random numbers in [0, 1]: a shuffled grid in every dimension, ends included."""
    generator = torch.Generator().manual_seed(seed)
    columns = []
    for _ in range(dimension):
        cells = torch.randperm(2 ** bits, generator=generator)[:count]
        columns.append(cells.float() / (2 ** bits - 1))
    return torch.stack(columns, dim=1)


def to_normal(uniform):
    """Quantiles of the standard normal distribution; keeps away from 0 and 1."""
    eps = 1e-10
    inside = uniform.clamp(eps, 1.0 - eps)
    return torch.erfinv(2.0 * inside - 1.0) * 2.0 ** 0.5


class Posterior:
    """Normal belief about the yield of two ovens, as a mean and a root of the covariance."""

    def __init__(self):
        self.mean = torch.tensor([1.0, 1.2])
        self.root = torch.tensor([[0.5, 0.0], [0.2, 0.3]])

    def sample(self, count, seed):
        return self.mean + to_normal(base_samples(count, 2, seed)) @ self.root.t()


def expected_improvement(posterior, best, count, seed):
    """Mean gain over the best yield seen so far, for each oven."""
    gain = (posterior.sample(count, seed) - best).clamp(min=0.0)
    return gain.mean(dim=0)


if __name__ == "__main__":
    for size in (16, 64, 4096):
        print(size, "samples:", expected_improvement(Posterior(), 1.1, size, seed=0).tolist())
