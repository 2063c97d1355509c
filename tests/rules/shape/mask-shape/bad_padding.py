import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model=10, nhead=1), 3)
x = torch.randn(20, 4, 10)
out = encoder(x, src_key_padding_mask=torch.zeros(20, 4).bool())
