import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_leaves(count, generator, kinds=4):
    """Outlines of leaves as ten numbers, four kinds."""
    centres = torch.eye(kinds, 10)
    labels = torch.randint(0, kinds, (count,), generator=generator)
    return centres[labels] + 0.25 * torch.randn(count, 10, generator=generator), labels


def embed(seed, steps=40):
    """A small network trained to separate the kinds; its hidden layer is the embedding."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    body = nn.Sequential(nn.Linear(10, 8), nn.Tanh())
    head = nn.Linear(8, 4)
    optimizer = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=0.02)
    for _ in range(steps):
        leaves, labels = make_leaves(32, generator)
        loss = F.cross_entropy(head(body(leaves)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return body


def pairwise(queries, references):
    """Euclidean distances, one row per query."""
    table = torch.zeros(len(queries), len(references))
    for i in range(len(queries)):
        for j in range(len(references)):
            table[i, j] = torch.norm(queries[i] - references[j])
    return table


@torch.no_grad()
def classify(body, queries, references, labels, k=5):
    """The most frequent kind among the k nearest references."""
    distance = pairwise(body(queries), body(references))
    nearest = distance.topk(k, largest=False).indices
    return labels[nearest].mode(dim=1).values


def evaluate(seed, count=40):
    generator = torch.Generator().manual_seed(100 + seed)
    body = embed(seed)
    references, labels = make_leaves(100, generator)
    queries, wanted = make_leaves(count, generator)
    return (classify(body, queries, references, labels) == wanted).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {evaluate(seed=0):.3f}")
