import torch
import torch.nn as nn


class Embed(nn.Module):
    def forward(self, ids):
        return ids * 2


class OldEmbed(nn.Module):
    def __new__(cls, *args, **kwargs):
        return Embed()


OldEmbed()(torch.ones(3))
