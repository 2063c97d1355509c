a = []
a.append(a)
b = [a]
a.append(b)
b.append(b)
a == b
if x:
    a = b
print(a, b)
sorted(a)
import numpy as np
np.array(a)
import torch
torch.tensor(b)
