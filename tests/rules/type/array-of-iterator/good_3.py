import torch

rows = [[1.0, 2.0], [3.0, 4.0]]
batch = torch.stack([torch.tensor(r) for r in rows])
batch = torch.stack(list(torch.tensor(r) for r in rows))
both = torch.stack(tuple(zip(rows))[0] and [torch.zeros(2)])
