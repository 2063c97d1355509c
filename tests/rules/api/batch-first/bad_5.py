import torch, torch.nn as nn
class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 16)
        layer = nn.TransformerEncoderLayer(16, 2)
        self.enc = nn.TransformerEncoder(layer, 2)
        self.fc = nn.Linear(16, 2)
    def forward(self, x):
        out = self.enc(self.emb(x))
        return self.fc(out.mean(dim=1))
