import torch.nn as nn
class Encoder(nn.Module):
    def __init__(self, layer, N):
        super().__init__()
        self.layers = nn.ModuleList([layer] * N)
    def forward(self, x):
        for l in self.layers:
            x = l(x)
        return x
enc = Encoder(nn.TransformerEncoderLayer(64, 4), 6)
