import torch
def softmax(x):
    e = torch.exp(x)
    return e / e.sum(dim=1, keepdim=True)
w = torch.randn(784, 10, requires_grad=True)
x = torch.rand(32, 784)
p = softmax(x @ w)
loss = -torch.log(p[:, 0]).mean()
loss.backward()
