import torch
def f(x):
    for i in range(40):
        x = torch.cat([x, x.reshape(x.size(0), -1)], dim=1)
        x = x.view(x.size(0) * x.size(1), -1)
        if x.size(0) > i:
            x = x[: x.size(0) // 3 + i]
    return x
f(torch.zeros(a, b, c))
