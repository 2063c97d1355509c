import numpy as np


class Memory:
    """All states and rewards so far."""

    def __init__(self, width):
        self.states, self.rewards = [], []

    def add(self, state, reward):
        self.states.append(state)
        self.rewards.append(reward)

    def arrays(self):
        return np.array(self.states), np.array(self.rewards)


class Thermostat:
    """A room whose comfort depends on temperature and moisture; the policy is random."""

    def __init__(self, rng):
        self.rng = rng
        self.state = np.array([20.0, 0.5, 0.0])

    def step(self):
        heating = self.rng.integers(0, 2)
        self.state = np.array([
            self.state[0] + (0.5 if heating else -0.4),
            np.clip(self.state[1] + 0.05 * self.rng.standard_normal(), 0, 1),
            heating])
        return self.state, -abs(self.state[0] - 21.0) - self.state[1]


def collect(seed, steps=400, memory=None):
    rng = np.random.default_rng(seed)
    room, memory = Thermostat(rng), memory or Memory(3)
    for _ in range(steps):
        memory.add(*room.step())
    return memory


def fit(memory):
    """Least squares of the reward on distance from 21 degrees and moisture."""
    states, rewards = memory.arrays()
    features = np.column_stack([np.abs(states[:, 0] - 21.0), states[:, 1]])
    return np.linalg.lstsq(features, rewards, rcond=None)[0]


if __name__ == "__main__":
    print("weights of the reward:", fit(collect(seed=0)).round(3))
