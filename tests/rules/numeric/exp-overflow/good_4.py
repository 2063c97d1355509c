import torch
def softmax(x):
    e = torch.exp(x - x.max(dim=1, keepdim=True)[0])
    return e / e.sum(dim=1, keepdim=True)
w = torch.randn(784, 10, requires_grad=True)
x = torch.rand(32, 784)
p = softmax(x @ w)
loss = -torch.log(p[:, 0].clamp(min=1e-7)).mean()
loss.backward()
