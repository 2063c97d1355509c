import torch
pred = torch.zeros(8, dtype=torch.long)
y = torch.zeros(8, 1, dtype=torch.long)
correct = (pred == y).sum()
