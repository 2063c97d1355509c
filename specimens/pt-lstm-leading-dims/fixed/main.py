import torch
from torch import nn

torch.set_num_threads(1)


def split_leading(observation, shape_dims=1):
    """Sizes of time and batch of a (T, B, features) observation, and its rows."""
    steps, batch = observation.shape[:-shape_dims]
    return steps, batch, observation.reshape(steps * batch, -1)


class RecurrentPolicy(nn.Module):
    """Mean, log deviation and value for each step of each environment."""

    def __init__(self, observations=11, actions=3, hidden=32):
        super().__init__()
        self.actions = actions
        self.body = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh())
        self.lstm = nn.LSTM(hidden, hidden)
        self.head = nn.Linear(hidden, 2 * actions + 1)

    def forward(self, observation, state=None):
        steps, batch, rows = split_leading(observation)
        features = self.body(rows)
        features, state = self.lstm(features.view(steps, batch, -1), state)
        outputs = self.head(features.view(steps * batch, -1))
        mean, log_std = outputs[:, :self.actions], outputs[:, self.actions:-1]
        value = outputs[:, -1]
        return (mean.view(steps, batch, self.actions), log_std.view(steps, batch, self.actions),
                value.view(steps, batch), state)


def policy_loss(model, observation, action, returns):
    mean, log_std, value, _ = model(observation)
    advantage = returns - value
    normal = torch.distributions.Normal(mean, log_std.exp())
    log_likelihood = normal.log_prob(action).sum(dim=-1)
    return (advantage.pow(2) - advantage.detach() * log_likelihood).mean()


def optimise(seed, iterations=5, steps=20, batch=4):
    torch.manual_seed(seed)
    model = RecurrentPolicy()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(iterations):
        observation = torch.randn(steps, batch, 11)
        action = torch.randn(steps, batch, 3)
        returns = observation[..., 0].cumsum(dim=0)
        loss = policy_loss(model, observation, action, returns)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print(optimise(seed=0)[1])
