import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    """Walk on cells 0..6, start in the middle, +1 at the right end, 0 at the left."""

    def __init__(self, n=7, limit=30):
        self.n, self.limit = n, limit

    def reset(self):
        self.pos, self.t = self.n // 2, 0
        return self.obs()

    def obs(self):
        v = torch.zeros(self.n)
        v[self.pos] = 1.0
        return v

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        self.t += 1
        done = self.pos in (0, self.n - 1) or self.t >= self.limit
        reward = 1.0 if self.pos == self.n - 1 else 0.0
        return self.obs(), reward, done


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, x):
        return Categorical(logits=self.net(x))


def discounted(rewards, gamma=0.98):
    out, acc = [], 0.0
    for r in reversed(rewards):
        acc = r + gamma * acc
        out.append(acc)
    return torch.tensor(out[::-1])


def rollout(env, policy):
    obs, done, logps, rewards = env.reset(), False, [], []
    while not done:
        dist = policy(obs)
        a = dist.sample()
        logps.append(dist.log_prob(a))
        obs, r, done = env.step(a.item())
        rewards.append(r)
    return torch.stack(logps), discounted(rewards)


def main(episodes=120):
    env, policy = Corridor(), Policy(7)
    optim = torch.optim.Adam(policy.parameters(), lr=1e-2)
    baseline, score = 0.0, []
    for ep in range(episodes):
        logps, returns = rollout(env, policy)
        advantage = returns - baseline
        baseline = 0.95 * baseline + 0.05 * returns.mean().item()
        loss = -(logps * advantage).sum()
        optim.zero_grad()
        loss.backward()
        optim.step()
        score.append(float(returns[-1] > 0))
        if (ep + 1) % 40 == 0:
            print(ep + 1, "success rate", sum(score[-40:]) / 40)


main()
