import torch
import torch.nn as nn
import torch.nn.functional as F

class TextCNN(nn.Module):
    def __init__(self, vocab=1000, dim=50):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 64, 3)
        self.fc = nn.Linear(64, 2)
    def forward(self, x):
        x = self.emb(x).transpose(1, 2)
        x = F.relu(self.conv(x))
        x = F.max_pool1d(x, x.size(2)).squeeze(2)
        return self.fc(x)
TextCNN()(torch.randint(0, 1000, (8, 20)))
