import pandas as pd
import torch

x = torch.zeros(4, 12, 6)
print(x.unflatten(1, (3, -1)) + torch.zeros(4, 1, 1, 6), x.unflatten(-1, (-1, 2)).unbind(-1)[0] * torch.ones(3))
like = torch.Tensor(x.shape)
print(like + x, x[:1].broadcast_to(4, 12, 6))
a = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "b"])
b = pd.DataFrame([[1, 2, 3], [3, 4, 5], [6, 7, 8]], columns=["a", "b", "c"])
print(a + b)
