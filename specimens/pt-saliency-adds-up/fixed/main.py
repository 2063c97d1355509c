import torch
from torch import nn

torch.set_num_threads(1)

FIELDS = ["income", "debt", "age", "savings", "children", "tenure", "late bills", "loans"]


def applicants(seed, count):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, len(FIELDS), generator=generator)
    score = x[:, 0] * x[:, 3] - x[:, 1] * x[:, 6] + 0.5 * x[:, 5]
    return x, (score > 0).float()


def train(seed, steps=200):
    torch.manual_seed(seed)
    x, good = applicants(seed, 500)
    model = nn.Sequential(nn.Linear(len(FIELDS), 32), nn.Tanh(), nn.Linear(32, 1), nn.Flatten(0))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(x), good).backward()
        optimizer.step()
    return model.requires_grad_(False)


class Explainer:
    """Gradient of the score with respect to the fields, one applicant at a time."""

    def __init__(self, model):
        self.model = model
        self.input = torch.zeros(1, len(FIELDS), requires_grad=True)

    def explain(self, applicant):
        with torch.no_grad():
            self.input.copy_(applicant.unsqueeze(0))
        self.input.grad = None
        self.model(self.input).sum().backward()
        return self.input.grad[0].clone()


def agreement(seed):
    """Lowest cosine between an explanation and the same made with a fresh explainer."""
    model = train(seed)
    x, _ = applicants(seed + 3, 30)
    explainer = Explainer(model)
    shown = torch.stack([explainer.explain(row) for row in x])
    fresh = torch.stack([Explainer(model).explain(row) for row in x])
    return nn.functional.cosine_similarity(shown, fresh, dim=1).min().item()


if __name__ == "__main__":
    explainer = Explainer(train(seed=0))
    x, _ = applicants(3, 4)
    for row in (x[0], x[1], x[2], x[0]):
        influence = explainer.explain(row)
        top = influence.abs().topk(3).indices.tolist()
        print("  ".join(f"{FIELDS[i]} {influence[i].item():+.2f}" for i in top))
