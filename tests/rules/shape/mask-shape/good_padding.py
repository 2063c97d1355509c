import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model=10, nhead=1), 3)
x = torch.randn(20, 4, 10)
out = encoder(x, src_key_padding_mask=torch.zeros(4, 20).bool())
model = nn.Transformer(20, 4, batch_first=True)
y = torch.randn(64, 52, 20)
mask = model.generate_square_subsequent_mask(y.size(1))
out = model(y, y, src_mask=mask, tgt_mask=mask)
attention = nn.MultiheadAttention(20, 4, batch_first=True)
out, _ = attention(y[:, :8], y, y, key_padding_mask=torch.zeros(64, 52).bool(), attn_mask=torch.zeros(8, 52))
