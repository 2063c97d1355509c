import torch
import torch.nn as nn

positions = nn.Embedding(64, 16)
tokens = torch.randint(100, (8, 64))
print(positions(torch.arange(0, tokens.size(1))))
