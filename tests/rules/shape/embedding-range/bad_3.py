import torch
from torch import nn
import torch.nn.functional as F
words = 'a b c'.split()
v = {w: i + 1 for i, w in enumerate(words)}
y = nn.Embedding(len(v), 4)
