>>> import torch
>>> x = torch.tensor([1., 2.],
...                  requires_grad=True)
>>> for i in range(2):
...     y = x * i
...
>>> y
tensor([1., 2.])
