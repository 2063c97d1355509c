import torch
w = torch.zeros(10, 3, requires_grad=True)
x, y = torch.rand(100, 10), torch.randint(0, 3, (100,))
opt = torch.optim.SGD([w], lr=0.1)
for e in range(200):
    opt.zero_grad()
    loss = torch.nn.functional.cross_entropy(x @ w, y)
    loss.backward()
    opt.step()
