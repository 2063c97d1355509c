from torch import nn


class Sampler(nn.Module):
    def __init__(self, decoder, forcing):
        super().__init__()
        self.decoder = decoder
        self.forcing = forcing

    def decode(self, x, y):
        if self.training:
            pass
        else:
            self.forcing = 0
        return self.decoder(x, y, self.forcing)
