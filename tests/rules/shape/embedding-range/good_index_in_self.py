import torch
import torch.nn as nn
import torch.nn.functional as F

emb = nn.Embedding(200, 16)
tokens = torch.randint(0, 200, (4, 12))
out = emb(tokens)
