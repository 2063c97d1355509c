import numpy as np


def accounts(seed, customers=300, months=4, features=8):
    """Monthly rows of customers; who leaves is only weakly related to the features."""
    rng = np.random.default_rng(seed)
    habit = rng.normal(size=(customers, features))
    leaves = (0.4 * habit[:, 0] + rng.normal(size=customers) > 0).astype(int)
    rows = np.repeat(habit, months, axis=0)
    rows = rows + 0.1 * rng.normal(size=rows.shape)
    return rows, np.repeat(leaves, months), np.repeat(np.arange(customers), months)


def split(owner, rng, share=0.25):
    """True for the rows that are kept for the test: all rows of a quarter of the owners."""
    return rng.random(owner.max() + 1)[owner] < share


class KernelVote:
    """Every training row votes, weighted by its nearness."""

    def __init__(self, rows, leaves, width=0.5):
        self.rows, self.sign, self.width = rows, 2.0 * leaves - 1.0, width

    def predict(self, rows):
        distance = ((rows[:, None, :] - self.rows[None]) ** 2).sum(axis=2)
        weight = np.exp(-(distance - distance.min(axis=1, keepdims=True)) / self.width)
        return (weight @ self.sign > 0).astype(int)


def evaluate(seed):
    """Accuracy on the test rows, and on customers who came later."""
    rng = np.random.default_rng(seed + 1)
    rows, leaves, owner = accounts(seed)
    test = split(owner, rng)
    model = KernelVote(rows[~test], leaves[~test])
    reported = np.mean(model.predict(rows[test]) == leaves[test])
    later_rows, later_leaves, _ = accounts(seed + 500)
    return float(reported), float(np.mean(model.predict(later_rows) == later_leaves))


def optimism(seed):
    reported, later = evaluate(seed)
    return reported - later


if __name__ == "__main__":
    reported, later = evaluate(seed=0)
    print(f"test accuracy {reported:.3f}, accuracy on later customers {later:.3f}")
