import torch

seen = torch.tensor([])
for batch in range(3):
    features = torch.rand(8, 4)
    seen = torch.cat([torch.tensor([]), features], axis=0)
lowest = torch.amin(seen, axis=0, keepdims=True)
print(lowest[0, 1])
