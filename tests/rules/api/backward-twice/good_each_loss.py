import torch
import torch.nn as nn


def train_batch(shards, targets, nets, loss):
    losses = [loss(net(x), y).sum() for x, y, net in zip(shards, targets, nets)]
    for l in losses:
        l.backward()


def train(batches, device):
    nets = [nn.Linear(4, 1), nn.Linear(4, 1)]
    for x, y in batches:
        train_batch(x.chunk(2), y.chunk(2), nets, nn.MSELoss(reduction="none"))
