import torch
import torch.nn as nn

layer = nn.Linear(4, 4)
queries, keys = torch.randn(3, 4), torch.randn(5, 4)
scores = torch.zeros(3, 5)
for i in range(3):
    for j in range(5):
        scores[i][j] = torch.dot(layer(queries[i]), keys[j])
scores.sum().backward()
