from abc import abstractmethod

import torch.nn as nn


class Backbone(nn.Module):
    """Those who derive from it say what the channels are."""

    @abstractmethod
    def forward(self, x):
        pass

    def widths(self):
        return {name: self._channels[name] for name in self._outputs}


class Decoder(nn.Module):
    def forward(self, x):
        raise NotImplementedError

    def describe(self):
        return self.vocabulary_size
