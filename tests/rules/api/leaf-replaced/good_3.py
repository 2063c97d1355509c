import torch

w = torch.ones(3, requires_grad=True)
loss = (w * 2).sum()
loss.backward()
w = w - 0.1 * w.grad  # one step, and no more
print(w)
