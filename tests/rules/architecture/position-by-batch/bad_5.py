import torch, torch.nn as nn, math
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=512):
        super().__init__()
        pe = torch.zeros(max_len, 1, d_model)
        pos = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe[:, 0, 0::2] = torch.sin(pos * div)
        pe[:, 0, 1::2] = torch.cos(pos * div)
        self.register_buffer('pe', pe)
    def forward(self, x):
        return x + self.pe[:x.size(0)]
class TS(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(1, 64)
        self.pe = PositionalEncoding(64)
        self.tr = nn.Transformer(64, 4, 2, 2, batch_first=True)
        self.out = nn.Linear(64, 1)
    def forward(self, src, tgt):
        src = self.pe(self.inp(src)); tgt = self.pe(self.inp(tgt))
        return self.out(self.tr(src, tgt))
