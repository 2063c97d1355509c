import argparse
import math

import torch
from torch import nn

torch.set_num_threads(1)


def sinusoids(length, dimension):
    place = torch.arange(length).unsqueeze(1)
    rate = torch.exp(torch.arange(0, dimension, 2) * (-math.log(10000.0) / dimension))
    table = torch.zeros(length, dimension)
    table[:, 0::2], table[:, 1::2] = torch.sin(place * rate), torch.cos(place * rate)
    return table


class Encoder(nn.Module):
    def __init__(self, words=1000, dimension=64, longest=128, layers=2):
        super().__init__()
        self.embed = nn.Embedding(words, dimension)
        self.register_buffer("positions", sinusoids(longest, dimension))
        layer = nn.TransformerEncoderLayer(dimension, 4, 128, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers)
        self.out = nn.Linear(dimension, words)

    def forward(self, tokens):
        x = self.embed(tokens) + self.positions[:tokens.shape[1]]
        return self.out(self.layers(x))


def dry_run(device, batch=256, length=100):
    """Parameters and outputs of a large batch in bytes; with device meta nothing is allocated."""
    model = Encoder().to(device)
    tokens = torch.zeros(batch, length, dtype=torch.long, device=device)
    logits = model(tokens)
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    return weights, logits.numel() * logits.element_size()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="meta", help="cpu, cuda or meta (shapes only)")
    weights, outputs = dry_run(parser.parse_args().device)
    print(f"weights {weights} bytes, outputs {outputs} bytes")
