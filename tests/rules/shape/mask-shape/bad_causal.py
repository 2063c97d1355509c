import torch
from torch import nn

model = nn.Transformer(20, 4, batch_first=True)
x = torch.randn(64, 52, 20)
mask = nn.Transformer.generate_square_subsequent_mask(x.shape[0])
out = model(x, x, tgt_mask=mask)
