from torch import nn


class Sampler(nn.Module):
    def __init__(self, decoder):
        super().__init__()
        self.decoder = decoder
        self.forcing = 0.5

    def decode(self, x, y):
        if self.training:
            self.forcing = 0.5
        else:
            self.forcing = 0
        return self.decoder(x, y, self.forcing)
