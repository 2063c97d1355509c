import torch


def fit(x, y, rate=0.01):
    w = torch.rand(x.shape[1], requires_grad=True)
    step = 0
    while step < 100:
        loss = torch.nn.functional.mse_loss(x @ w, y)
        loss.backward()
        w = w - w.grad * rate
        step += 1
    return w


print(fit(torch.rand(10, 3), torch.rand(10)))
