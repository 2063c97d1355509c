import torch
import torch.nn as nn


class MaskedPolicy(nn.Module):
    """Scores moves; illegal moves get probability zero."""

    def __init__(self, d_obs, n_moves):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_obs, 64), nn.ReLU(), nn.Linear(64, n_moves))

    def forward(self, obs, legal):
        scores = self.body(obs).masked_fill(~legal, float("-inf"))
        return torch.softmax(scores, dim=-1)


def entropy(probs):
    return -(probs * probs.log()).sum(-1)


def policy_loss(probs, chosen, beta=0.01):
    picked = probs.gather(1, chosen[:, None]).squeeze(1)
    nll = -picked.clamp_min(1e-8).log()
    return (nll - beta * entropy(probs)).mean()


def sample_positions(n, d_obs=12, n_moves=9):
    obs = torch.randn(n, d_obs)
    legal = torch.rand(n, n_moves) < 0.6
    legal[:, 0] = True
    expert = obs[:, :n_moves].masked_fill(~legal, float("-inf")).argmax(1)
    return obs, legal, expert


def main():
    model = MaskedPolicy(12, 9)
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)
    for it in range(200):
        obs, legal, expert = sample_positions(64)
        loss = policy_loss(model(obs, legal), expert)
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        if it % 50 == 0:
            print(it, loss.item())
    obs, legal, expert = sample_positions(500)
    model.eval()
    with torch.no_grad():
        acc = (model(obs, legal).argmax(1) == expert).float().mean()
    print("agreement with expert", acc.item())


if __name__ == "__main__":
    main()
