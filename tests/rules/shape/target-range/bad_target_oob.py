import torch
import torch.nn as nn
import torch.nn.functional as F

logits = torch.randn(16, 10, requires_grad=True)
labels = torch.randint(1, 11, (16,))
loss = F.cross_entropy(logits, labels)
