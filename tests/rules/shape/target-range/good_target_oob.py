import torch
import torch.nn as nn
import torch.nn.functional as F

logits = torch.randn(16, 10, requires_grad=True)
labels = torch.randint(0, 10, (16,))
loss = F.cross_entropy(logits, labels)
