import torch
import torch.nn as nn

router = nn.Linear(16, 8)
weights = torch.softmax(router(torch.randn(4, 16)), dim=-1)
best, which = torch.topk(weights, 2, dim=-1)
best /= best.sum(dim=-1, keepdim=True)
vector = router(torch.randn(4, 16))
print(vector / (vector ** 2).sum(dim=1, keepdim=True).sqrt(), best, which)
