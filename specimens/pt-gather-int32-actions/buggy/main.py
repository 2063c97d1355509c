import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


class Corridor:
    """Seven cells; the goal is at the right end. Actions: 0 left, 1 right."""

    def reset(self):
        self.cell = 2
        return self.observe()

    def observe(self):
        return np.eye(7, dtype=np.float32)[self.cell]

    def step(self, action):
        self.cell = max(0, self.cell + (1 if action == 1 else -1))
        done = self.cell == 6
        return self.observe(), 1.0 if done else -0.05, done


class Memory:
    def __init__(self, size):
        self.states = np.zeros((size, 7), dtype=np.float32)
        self.following = np.zeros((size, 7), dtype=np.float32)
        self.actions = np.zeros(size, dtype=np.int32)
        self.rewards = np.zeros(size, dtype=np.float32)
        self.ends = np.zeros(size, dtype=np.float32)
        self.used = 0

    def add(self, *transition):
        place = self.used % len(self.actions)
        arrays = (self.states, self.actions, self.rewards, self.following, self.ends)
        for array, value in zip(arrays, transition):
            array[place] = value
        self.used += 1

    def sample(self, count, rng):
        pick = rng.integers(0, min(self.used, len(self.actions)), count)
        arrays = (self.states, self.actions, self.rewards, self.following, self.ends)
        return [torch.from_numpy(array[pick]) for array in arrays]


def learn(seed, steps=600):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    env, memory, net = Corridor(), Memory(500), nn.Linear(7, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    state = env.reset()
    for _ in range(steps):
        action = int(rng.integers(0, 2))
        following, reward, done = env.step(action)
        memory.add(state, action, reward, following, done)
        state = env.reset() if done else following
        states, actions, rewards, nexts, ends = memory.sample(32, rng)
        chosen = net(states).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            target = rewards + 0.9 * (1 - ends) * net(nexts).max(dim=1).values
        loss = nn.functional.mse_loss(chosen, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net


if __name__ == "__main__":
    print(learn(seed=0)(torch.eye(7)).argmax(dim=1))
