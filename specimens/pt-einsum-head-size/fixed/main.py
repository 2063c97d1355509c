import torch
from torch import nn

torch.set_num_threads(1)

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (4, 5), (5, 6), (6, 4)]


class GraphAttention(nn.Module):
    """One layer of attention over the edges of a graph, several heads."""

    def __init__(self, inputs, size=6, heads=4):
        super().__init__()
        self.size, self.heads = size, heads
        self.project = nn.Linear(inputs, size * heads, bias=False)
        self.score_from = nn.Parameter(0.1 * torch.randn(heads, size))
        self.score_to = nn.Parameter(0.1 * torch.randn(heads, size))

    def forward(self, x, edges):
        nodes = x.shape[0]
        h = self.project(x).view(nodes, self.heads, self.size)
        source = torch.einsum("nhd,hd->nh", h, self.score_from)
        target = torch.einsum("nhd,hd->nh", h, self.score_to)
        start, end = edges
        weight = nn.functional.leaky_relu(source[start] + target[end], 0.2).exp()
        total = torch.zeros(nodes, self.heads).index_add(0, end, weight)
        messages = (weight / total[end]).unsqueeze(-1) * h[start]
        return torch.zeros_like(h).index_add(0, end, messages).flatten(1)


def make_edges(nodes):
    both = EDGES + [(b, a) for a, b in EDGES] + [(n, n) for n in range(nodes)]
    return torch.tensor(both).t()


def embed(seed, nodes=7):
    torch.manual_seed(seed)
    layer = GraphAttention(inputs=5)
    return layer(torch.randn(nodes, 5), make_edges(nodes))


if __name__ == "__main__":
    print(embed(seed=0).shape)
