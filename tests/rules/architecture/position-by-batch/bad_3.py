import torch
from torch import nn

longest, width = 128, 24
table = torch.randn(longest, 1, width)
embed = nn.Embedding(40, width)
encoder = nn.TransformerEncoderLayer(d_model=width, nhead=3, batch_first=True)
tokens = torch.randint(0, 40, (16, 10))
x = embed(tokens)
x = x + table[:len(x)]
out = encoder(x)
