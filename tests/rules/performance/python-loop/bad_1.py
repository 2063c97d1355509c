import torch

a, b = torch.rand(50, 8), torch.rand(60, 8)
table = torch.zeros(50, 60)
for i in range(50):
    for j in range(60):
        table[i, j] = torch.dot(a[i], b[j])
