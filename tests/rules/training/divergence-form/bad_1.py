import torch


def loss(graph, target, mean, logstd):
    fit = torch.nn.functional.binary_cross_entropy(graph, target)
    divergence = 0.5 / graph.size(0) * (1 + 2 * logstd - mean**2 - torch.exp(logstd)).sum(1).mean()
    return fit - divergence
