import numpy as np
import torch
a = np.zeros((2**31, 2**31, 2**31))
b = torch.zeros(10**18, 10**18)
c = a.reshape(-1)
d = torch.cat([b] * 1000, dim=10**9)
e = b @ b.t()
f = b.view(-1, 2**40)
g = np.arange(10**18)
h = torch.nn.Linear(10**18, 10**18)(b)
np.zeros((1,) * 200)
torch.zeros(*range(1, 100))
b.repeat(*[10**9] * 60)
